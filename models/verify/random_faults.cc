// SPDX-License-Identifier: Apache-2.0
// Endings other than a good one, made by one change to a good program.
#include <algorithm>
#include <cstring>

#include "compiler/program/check.h"
#include "compiler/program/code.h"
#include "compiler/program/execution_order.h"
#include "models/verify/random_program.h"

namespace tally {
namespace {

class Spoiler {
 public:
  Spoiler(Program* program, const Design& design, Random* random)
      : program_(*program),
        design_(design),
        random_(*random),
        instructions_(decode_code(program->code)) {}

  bool apply(Ending ending) {
    switch (ending) {
      case Ending::kFinished:
        return true;
      case Ending::kOpcode:
        return make_static(FaultCode::kOpcode);
      case Ending::kField:
        return make_static(FaultCode::kField);
      case Ending::kRange:
        return make_static(FaultCode::kRange);
      case Ending::kWaiters:
        return make_static(FaultCode::kWaiters);
      case Ending::kConfiguration:
        program_.design_hash ^= std::uint64_t(1) << random_.below(64);
        return true;
      case Ending::kLoadBusError:
        return load_bus_error();
      case Ending::kStoreBusError:
        return store_bus_error();
      case Ending::kFetchBusError:
        return fetch_bus_error();
      case Ending::kGatherIndex:
        return gather_index();
      case Ending::kSemaphoreOverflow:
        return semaphore_overflow();
      case Ending::kDeadlock:
        return deadlock();
    }
    return false;
  }

 private:
  std::size_t any() { return std::size_t(random_.below(std::int64_t(instructions_.size()))); }

  // Flips bits, or writes a field, of one instruction until the fault is of the kind wanted.
  bool make_static(FaultCode wanted) {
    for (int attempt = 0; attempt < 3000; ++attempt) {
      const std::size_t index = any();
      isa::Bytes32 bytes = program_.code[index];
      isa::Word256 word = isa::to_word(bytes);
      if (wanted == FaultCode::kOpcode)
        isa::set_bits(&word, 0, isa::kOpcodeBits, random_.bits());
      else if (wanted == FaultCode::kWaiters)
        isa::set_bits(&word, isa::kWaitLsb + int(random_.below(3)) * isa::kSlotBits, isa::kSlotBits,
                      32 | random_.bits());
      else
        change_field(wanted, instructions_[index], &word);
      const isa::Bytes32 good = program_.code[index];
      program_.code[index] = isa::to_bytes(word);
      // Of the changed instruction: one that runs, but has lost a wait, would race.
      const Fault fault = find_static_fault(program_.code, design_.hash(), design_);
      if (fault.code == wanted && fault.sequence == index &&
          reaches_static_fault(program_, design_))
        return true;
      program_.code[index] = good;
    }
    return false;
  }

  // A field of the instruction gets an extreme or random value; for `field` faults any bit flips.
  // Half of the `range` faults are an address one past a memory, aligned, so that nothing else of
  // the instruction is wrong.
  void change_field(FaultCode wanted, const isa::Instruction& instruction, isa::Word256* word) {
    if (wanted == FaultCode::kField) {
      const int bit = int(random_.between(isa::kWaitLsb, isa::kInstructionBits - 1));
      isa::set_bits(word, bit, 1, ~isa::get_bits(*word, bit, 1));
      return;
    }
    const auto fields = isa::spec_of(isa::opcode_of(instruction)).fields;
    auto chosen = random_.below(std::int64_t(fields.size()));
    const bool past = random_.chance(50);
    const auto is_address = [&](std::int64_t i) {
      const std::string_view name = fields[std::size_t(i)].name;
      return name.ends_with("address") || name == "acc_row" || name == "start";
    };
    for (int attempt = 0; past && !is_address(chosen) && attempt < 100; ++attempt)
      chosen = random_.below(std::int64_t(fields.size()));
    int lsb = isa::kPayloadLsb;
    for (std::int64_t i = 0; i < chosen; ++i) lsb += fields[std::size_t(i)].bits;
    const int bits = fields[std::size_t(chosen)].bits;
    if (past && is_address(chosen)) {
      isa::set_bits(word, lsb, bits,
                    random_.pick<std::uint64_t>({std::uint64_t(design_.activations.bytes()),
                                                 std::uint64_t(design_.weights.bytes()),
                                                 std::uint64_t(design_.accumulators.bytes()),
                                                 std::uint64_t(design_.accumulator_rows())}));
      return;
    }
    const std::uint64_t old = isa::get_bits(*word, lsb, bits);
    isa::set_bits(word, lsb, bits,
                  random_.pick<std::uint64_t>(
                      {0, ~0ULL, random_.bits(), old + 1, old - 1,
                       isa::get_bits(*word, lsb, bits) ^ std::uint64_t(1) << random_.below(bits)}));
  }

  void encode_back(std::size_t index) { program_.code[index] = isa::encode(instructions_[index]); }

  // Indices of the instructions that are a `Body`.
  template <class Body>
  std::vector<std::size_t> all() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < instructions_.size(); ++i)
      if (std::holds_alternative<Body>(instructions_[i].body)) out.push_back(i);
    return out;
  }

  // Offset from a base register at which DRAM ends, or something beyond it.
  std::uint64_t beyond(std::uint32_t base, std::uint64_t row_bytes) {
    const std::uint64_t start = program_.place().bases[base];
    const auto port = std::uint64_t(design_.port_bytes);
    const std::uint64_t end = std::uint64_t(design_.dram_capacity_bytes) - start;
    const std::uint64_t most = (std::uint64_t(1) << 36) - port;
    return std::min(most, random_.pick<std::uint64_t>({end, end - std::min(end, row_bytes) + port,
                                                       end + 4096, most, end - port}));
  }

  template <class Body>
  bool displace() {
    const auto candidates = all<Body>();
    if (candidates.empty()) return false;
    const std::size_t index = random_.pick(candidates);
    Body& body = std::get<Body>(instructions_[index].body);
    body.offset = beyond(body.base, body.row_bytes);
    const std::uint64_t last =
        body.offset + std::uint64_t(body.rows - 1) * body.pitch + body.row_bytes;
    encode_back(index);
    // Whole below the end after all, or so far that 40 address bits would not do.
    const std::uint64_t start = program_.place().bases[body.base];
    return start + last > std::uint64_t(design_.dram_capacity_bytes) &&
           start + last < std::uint64_t(1) << 40;
  }

  bool load_bus_error() {
    if (random_.chance(70)) return displace<isa::Load>();
    if (random_.chance(50)) return displace_table();
    const auto candidates = all<isa::Gather>();
    if (candidates.empty()) return false;
    const std::size_t index = random_.pick(candidates);
    auto& body = std::get<isa::Gather>(instructions_[index].body);
    body.index_offset = beyond(body.index_base, 4 * body.rows);
    encode_back(index);
    const std::uint64_t start = program_.place().bases[body.index_base];
    return start + body.index_offset + 4 * body.rows > std::uint64_t(design_.dram_capacity_bytes);
  }

  // The table of a gather; every row of it is beyond.
  bool displace_table() {
    const auto candidates = all<isa::Gather>();
    if (candidates.empty()) return false;
    const std::size_t index = random_.pick(candidates);
    auto& body = std::get<isa::Gather>(instructions_[index].body);
    const std::uint64_t start = program_.place().bases[body.base];
    body.offset = std::uint64_t(design_.dram_capacity_bytes) - start;
    encode_back(index);
    return true;
  }

  bool store_bus_error() { return displace<isa::Store>(); }

  // Code that begins in the last page and does not end there.
  bool fetch_bus_error() {
    const std::size_t page = kPageBytes / isa::kInstructionBytes;
    const isa::Bytes32 filler = isa::encode({{}, isa::Stream{}});
    const auto length = page + std::size_t(random_.between(1, 40));
    while (program_.code.size() < length) program_.code.push_back(filler);
    program_.code_address = std::uint64_t(design_.dram_capacity_bytes) - kPageBytes;
    return true;
  }

  bool gather_index() {
    const auto candidates = all<isa::Gather>();
    if (candidates.empty()) return false;
    const auto& body = std::get<isa::Gather>(instructions_[random_.pick(candidates)].body);
    const auto limit = std::int32_t(body.limit);
    const std::int32_t index =
        random_.pick<std::int32_t>({limit, -1, limit + 1, INT32_MIN, INT32_MAX});
    const auto at = std::size_t(body.index_offset) + 4 * std::size_t(random_.below(body.rows));
    std::memcpy(program_.segments[2].bytes.data() + at, &index, 4);
    return true;
  }

  // A semaphore that nobody waits for, posted once more than it can count. The posts come last, so
  // that the program before them runs.
  bool semaphore_overflow() {
    std::array<bool, isa::kSemaphores> waited{};
    for (const isa::Instruction& instruction : instructions_)
      for (std::int8_t semaphore : instruction.sync.waits)
        if (semaphore >= 0) waited[std::size_t(semaphore)] = true;
    const auto free = std::find(waited.begin(), waited.end(), false);
    if (free == waited.end()) return false;
    isa::Instruction post{{}, isa::Stream{}};
    post.sync.posts[std::size_t(random_.below(3))] = std::int8_t(free - waited.begin());
    const auto count = std::size_t(isa::kSemaphoreMax + random_.between(1, 8));
    program_.code.insert(program_.code.end(), count, isa::encode(post));
    return true;
  }

  // A post is left out.
  bool deadlock() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      const std::size_t index = any();
      auto changed = instructions_;
      auto& posts = changed[index].sync.posts;
      posts[std::size_t(random_.below(3))] = -1;
      if (execution_order(changed, design_).waiting.empty()) continue;
      instructions_ = changed;
      encode_back(index);
      return true;
    }
    return false;
  }

  Program& program_;
  const Design& design_;
  Random& random_;
  std::vector<isa::Instruction> instructions_;
};

}  // namespace

bool reaches_static_fault(const Program& program, const Design& design) {
  const Fault fault = find_static_fault(program.code, program.design_hash, design);
  const std::span before(program.code.data(), fault.sequence);
  return execution_order(decode_code(before), design).dispatched == fault.sequence;
}

bool spoil(Program* program, const Design& design, Ending ending, Random* random) {
  return Spoiler(program, design, random).apply(ending);
}

}  // namespace tally
