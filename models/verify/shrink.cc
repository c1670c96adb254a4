// SPDX-License-Identifier: Apache-2.0
#include "models/verify/shrink.h"

#include <algorithm>

#include "compiler/program/check.h"
#include "compiler/program/code.h"
#include "compiler/program/execution_order.h"
#include "models/verify/random_program.h"

namespace tally {
namespace {

using Code = std::vector<isa::Bytes32>;

// The smallest transfer, product or run at the same place: a part of the old footprint.
void simplify(isa::Load* body, const Design& design) {
  body->rows = 1;
  body->row_bytes = std::uint32_t(design.port_bytes);
}
void simplify(isa::Gather* body, const Design& design) {
  body->rows = 1;
  body->row_bytes = std::uint32_t(design.port_bytes);
}
void simplify(isa::Store* body, const Design& design) {
  body->rows = 1;
  body->row_bytes = std::uint32_t(design.port_bytes);
}
void simplify(isa::Matmul* body, const Design&) { body->m = body->k = body->n = 1; }
void simplify(isa::Run* body, const Design&) { body->extent0 = body->extent1 = body->extent2 = 1; }
void simplify(isa::Stream*, const Design&) {}
void simplify(isa::Routine*, const Design&) {}

class Shrinker {
 public:
  Shrinker(const Program& program, const Design& design,
           const std::function<bool(const Program&)>& fails, int tries)
      : best_(program), design_(design), fails_(fails), tries_(tries) {
    static_fault_ = find_static_fault(program.code, program.design_hash, design).code;
    const auto decoded = decode(program.code);
    deadlock_ = !decoded.empty() && !execution_order(decoded, design).waiting.empty();
  }

  Program run() {
    for (std::size_t before = 0; before != best_.code.size() && tries_ > 0;) {
      before = best_.code.size();
      for (std::size_t chunk = best_.code.size() / 2; chunk >= 1; chunk /= 2) remove_chunks(chunk);
    }
    for (std::size_t i = 0; i < best_.code.size() && tries_ > 0; ++i) simplify_at(i);
    for (std::size_t i = 0; i < best_.code.size() && tries_ > 0; ++i) desynchronise(i);
    for (std::size_t i = best_.segments.size(); i-- > 0;) {
      Program without = best_;
      without.segments.erase(without.segments.begin() + std::ptrdiff_t(i));
      offer(std::move(without));
    }
    if (best_.stall_seed != 0) {
      Program quiet = best_;
      quiet.stall_seed = 0;
      offer(std::move(quiet));
    }
    return best_;
  }

 private:
  // Empty if there is a static fault (another design's hash aside).
  std::vector<isa::Instruction> decode(const Code& code) const {
    if (find_static_fault(code, design_.hash(), design_).code != FaultCode::kNone) return {};
    return decode_code(code);
  }

  bool acceptable(const Program& program) const {
    if (program.code.empty()) return false;
    if (find_static_fault(program.code, program.design_hash, design_).code != static_fault_)
      return false;
    if (static_fault_ != FaultCode::kNone) return reaches_static_fault(program, design_);
    const auto decoded = decode(program.code);
    if (decoded.empty()) return false;
    if (!execution_order(decoded, design_).waiting.empty() != deadlock_) return false;
    return obeys_rules(program) && find_races(program.code, program.place().bases, design_).empty();
  }

  // What the machines may assume of a program that they are compared on.
  bool obeys_rules(const Program& program) const {
    const auto findings = check_schedule(program.code, design_.hash(), design_);
    return std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
      switch (finding.violation) {
        case Violation::kSemaphoreNeverPosted:
        case Violation::kSemaphoreOverflow:
        case Violation::kDeadlock:
        case Violation::kAccumulateUnwritten:
          return false;
        default:
          return true;
      }
    });
  }

  bool offer(Program program) {
    if (tries_ <= 0 || !acceptable(program)) return false;
    --tries_;
    if (!fails_(program)) return false;
    best_ = std::move(program);
    return true;
  }

  void remove_chunks(std::size_t chunk) {
    for (std::size_t at = 0; at + chunk <= best_.code.size() && tries_ > 0;) {
      Program smaller = best_;
      const auto begin = smaller.code.begin() + std::ptrdiff_t(at);
      smaller.code.erase(begin, begin + std::ptrdiff_t(chunk));
      if (!smaller.node_of_instruction.empty()) {
        const auto node = smaller.node_of_instruction.begin() + std::ptrdiff_t(at);
        smaller.node_of_instruction.erase(node, node + std::ptrdiff_t(chunk));
      }
      if (static_fault_ == FaultCode::kNone && !deadlock_) drop_lost_waits(&smaller.code);
      if (!offer(std::move(smaller))) at += chunk;
    }
  }

  // Waits whose posts have gone.
  void drop_lost_waits(Code* code) const {
    auto instructions = decode(*code);
    while (!instructions.empty()) {
      const ExecutionOrder order = execution_order(instructions, design_);
      if (order.waiting.empty()) break;
      for (const Waiting& waiting : order.waiting)
        for (std::int8_t& semaphore : instructions[waiting.sequence].sync.waits)
          if (semaphore == waiting.semaphore) semaphore = -1;
    }
    for (std::size_t i = 0; i < instructions.size(); ++i) (*code)[i] = isa::encode(instructions[i]);
  }

  void simplify_at(std::size_t index) {
    isa::Instruction instruction;
    if (isa::decode(best_.code[index], &instruction) != isa::DecodeFault::kNone) return;
    std::visit([&](auto& body) { simplify(&body, design_); }, instruction.body);
    replace(index, instruction);
  }

  // Waits and posts that the failure does not need.
  void desynchronise(std::size_t index) {
    isa::Instruction instruction;
    if (isa::decode(best_.code[index], &instruction) != isa::DecodeFault::kNone) return;
    instruction.sync = {};
    replace(index, instruction);
  }

  void replace(std::size_t index, const isa::Instruction& instruction) {
    Program changed = best_;
    changed.code[index] = isa::encode(instruction);
    if (changed.code[index] != best_.code[index]) offer(std::move(changed));
  }

  Program best_;
  const Design& design_;
  const std::function<bool(const Program&)>& fails_;
  int tries_;
  FaultCode static_fault_ = FaultCode::kNone;  // it keeps
  bool deadlock_ = false;
};

}  // namespace

Program shrink(const Program& program, const Design& design,
               const std::function<bool(const Program&)>& fails, int tries) {
  return Shrinker(program, design, fails, tries).run();
}

}  // namespace tally
