// SPDX-License-Identifier: Apache-2.0
#include "models/functional/functional.h"

#include <algorithm>

#include "compiler/program/check.h"
#include "compiler/program/code.h"
#include "compiler/program/execution_order.h"
#include "models/functional/units.h"

namespace tally {
namespace {

using functional::Chip;
using functional::Port;

class Functional : public FunctionalMachine {
 public:
  explicit Functional(const Design& design) : design_(design) {}

  std::string_view name() const override { return "functional"; }
  const std::vector<Fault>& faults() const override { return faults_; }

  Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                          DramImage* dram) override {
    return run(program, options, nullptr, dram);
  }
  Expected<RunResult> run_executed(const MachineProgram& program, const RunOptions& options,
                                   const std::vector<bool>& executed, DramImage* dram) override {
    return run(program, options, &executed, dram);
  }

 private:
  Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                          const std::vector<bool>* executed, DramImage* dram) {
    faults_.clear();
    const std::uint32_t count = fetchable_instructions(program, design_, *dram);
    const auto code = read_code(program, count, *dram);
    RunResult result;
    result.fault = find_static_fault(code, program.design_hash, design_);
    if (result.fault.code != FaultCode::kNone) {
      result.outcome = Outcome::kFault;
      return result;
    }
    const auto instructions = decode_code(code);
    const ExecutionOrder order = executed == nullptr ? execution_order(instructions, design_)
                                                     : execution_order_of(instructions, *executed);
    Chip chip(design_);
    execute(instructions, order, program, options, &chip, dram, &result);
    if (count < program.instructions)
      faults_.push_back({.code = FaultCode::kBusError, .sequence = count});
    result.events = chip.events;
    count_fetch(program.instructions, order.dispatched, &result.events);
    finish(order, &result);
    return result;
  }

  void execute(const std::vector<isa::Instruction>& instructions, const ExecutionOrder& order,
               const MachineProgram& program, const RunOptions& options, Chip* chip,
               DramImage* dram, RunResult* result) {
    result->account_events.resize(options.accounts);
    Events before;
    for (std::uint32_t sequence : order.sequences) {
      const isa::Instruction& instruction = instructions[sequence];
      const isa::Unit unit = isa::unit_of(instruction);
      chip->hash.begin(options.hashes, sequence);
      for (FaultCode code : execute(instruction, program, chip, dram))
        faults_.push_back({.code = code, .unit = unit, .sequence = sequence});
      chip->events.instructions[std::size_t(unit)] += 1;
      if (options.accounts > 0) {
        result->account_events[options.account_of_instruction[sequence]] += chip->events - before;
        before = chip->events;
      }
      if (options.records)
        result->records.push_back({.unit = unit, .sequence = sequence, .hash = chip->hash.value()});
    }
    const auto by_sequence = [](const auto& a, const auto& b) { return a.sequence < b.sequence; };
    std::sort(result->records.begin(), result->records.end(), by_sequence);
    std::stable_sort(faults_.begin(), faults_.end(), by_sequence);
  }

  functional::FaultCodes execute(const isa::Instruction& instruction, const MachineProgram& program,
                                 Chip* chip, DramImage* dram) {
    Port port(chip, dram, program);
    if (const auto* load = std::get_if<isa::Load>(&instruction.body))
      return functional::execute(*load, &port, chip);
    if (const auto* gather = std::get_if<isa::Gather>(&instruction.body))
      return functional::execute(*gather, &port, chip);
    if (const auto* store = std::get_if<isa::Store>(&instruction.body))
      return functional::execute(*store, &port, chip);
    if (const auto* matmul = std::get_if<isa::Matmul>(&instruction.body))
      functional::execute(*matmul, chip);
    if (const auto* run = std::get_if<isa::Run>(&instruction.body)) {
      // The checker refuses runs over steps that were never written; here they do nothing.
      if (const auto prepared = prepare_run(*run, chip->vector))
        functional::execute(*prepared, chip);
    }
    chip->vector.apply(instruction);
    return {};
  }

  // Blocks fetched: those whose instructions are all dispatched, and as many more as there are
  // buffers.
  void count_fetch(std::uint32_t instructions, std::uint32_t dispatched, Events* events) const {
    const auto per_block = std::uint32_t(design_.fetch_burst_bytes / isa::kInstructionBytes);
    const auto port = std::uint32_t(design_.port_bytes);
    const std::uint32_t blocks = (instructions + per_block - 1) / per_block;
    const std::uint32_t done = dispatched == instructions ? blocks : dispatched / per_block;
    const std::uint32_t fetched = std::min(blocks, done + std::uint32_t(design_.fetch_buffers));
    events->instructions[std::size_t(isa::Unit::kFetch)] = dispatched;
    events->bursts[0] = fetched;
    for (std::uint32_t block = 0; block < fetched; ++block) {
      const std::uint32_t count = std::min(per_block, instructions - block * per_block);
      events->beats[0] += (count * isa::kInstructionBytes + port - 1) / port;
    }
  }

  void finish(const ExecutionOrder& order, RunResult* result) const {
    if (!faults_.empty()) {
      result->outcome = Outcome::kFault;
      result->fault = faults_.front();
    } else if (!order.waiting.empty()) {
      result->outcome = Outcome::kDeadlock;
      result->waiting = order.waiting;
    }
  }

  Design design_;
  std::vector<Fault> faults_;
};

}  // namespace

std::unique_ptr<FunctionalMachine> make_functional_machine(const Design& design) {
  return std::make_unique<Functional>(design);
}

std::vector<std::string> report_races(const MachineProgram& program, const Design& design,
                                      const DramImage& dram) {
  const auto code = read_code(program, fetchable_instructions(program, design, dram), dram);
  if (find_static_fault(code, program.design_hash, design).code != FaultCode::kNone) return {};
  std::vector<std::string> messages;
  for (const Finding& finding : find_races(code, program.bases, design))
    messages.push_back(finding.message);
  return messages;
}

}  // namespace tally
