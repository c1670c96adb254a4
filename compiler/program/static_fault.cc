// SPDX-License-Identifier: Apache-2.0
// Static faults: what one instruction shows by itself, and semaphores with two waiting units. Of
// several faults of one instruction the first counts in the order opcode, field, range, waiters.
#include <array>

#include "compiler/program/check.h"

namespace tally {
namespace {

using isa::Space;

bool multiple(std::uint64_t value, int of) { return value % std::uint64_t(of) == 0; }

std::uint64_t space_bytes(const Design& design, Space space) {
  switch (space) {
    case Space::kActivations:
      return std::uint64_t(design.activations.bytes());
    case Space::kWeights:
      return std::uint64_t(design.weights.bytes());
    case Space::kAccumulators:
      return std::uint64_t(design.accumulators.bytes());
  }
  __builtin_unreachable();
}

int element_bytes(isa::Element element) {
  return element == isa::Element::kF32 || element == isa::Element::kI32 ? 4 : 1;
}

// What load, gather and store have in common.
template <class Body>
bool transfer_in_range(const Body& body, const Design& design) {
  const int port = design.port_bytes;
  return body.rows >= 1 && body.row_bytes >= 1 && multiple(body.row_bytes, port) &&
         multiple(body.offset, port) && multiple(body.pitch, port) &&
         multiple(body.address, port) && multiple(body.address_pitch, port) &&
         body.address < space_bytes(design, body.space);
}

bool in_range(const isa::Load& body, const Design& design) {
  return transfer_in_range(body, design) && body.space != Space::kAccumulators &&
         (body.rows == 1 || body.address_pitch >= body.row_bytes);
}

bool in_range(const isa::Gather& body, const Design& design) {
  return transfer_in_range(body, design) && body.space != Space::kAccumulators &&
         (body.rows == 1 || body.address_pitch >= body.row_bytes) &&
         body.rows <= std::uint32_t(isa::kGatherRowsMax) &&
         multiple(body.index_offset, design.port_bytes) && body.limit >= 1;
}

bool in_range(const isa::Store& body, const Design& design) {
  return transfer_in_range(body, design) && (body.rows == 1 || body.pitch >= body.row_bytes);
}

bool in_range(const isa::Matmul& body, const Design& design) {
  const int weight_multiple = body.transposed ? design.rows : design.columns;
  return body.m >= 1 && body.k >= 1 && body.n >= 1 && multiple(body.a_address, design.rows) &&
         multiple(body.a_pitch, design.rows) && multiple(body.w_address, weight_multiple) &&
         multiple(body.w_pitch, weight_multiple) &&
         body.a_address < space_bytes(design, Space::kActivations) &&
         body.w_address < space_bytes(design, Space::kWeights) &&
         body.acc_row < std::uint64_t(design.accumulator_rows());
}

bool in_range(const isa::Stream& body, const Design& design) {
  return std::uint64_t(body.start) * std::uint64_t(element_bytes(body.element)) <
         space_bytes(design, body.space);
}

bool in_range(const isa::Routine& body, const Design&) {
  return body.count >= 1 && body.first + body.count <= std::uint32_t(isa::kRoutineSteps);
}

bool in_range(const isa::Run& body, const Design&) {
  return body.extent0 >= 1 && body.extent1 >= 1 && body.extent2 >= 1 && body.last >= body.first;
}

// Steps written are valid ones; the others are zero.
bool steps_valid(const isa::Instruction& instruction) {
  const auto* body = std::get_if<isa::Routine>(&instruction.body);
  if (body == nullptr) return true;
  const std::uint64_t steps[] = {body->step0, body->step1, body->step2};
  for (std::uint32_t i = 0; i < isa::kStepsPerInstruction; ++i)
    if (i < body->count ? !isa::decode_step(steps[i]) : steps[i] != 0) return false;
  return true;
}

class FaultFinder {
 public:
  explicit FaultFinder(const Design& design) : design_(design) { waiters_.fill(-1); }

  FaultCode check(const isa::Bytes32& bytes) {
    isa::Instruction instruction;
    switch (isa::decode(bytes, &instruction)) {
      case isa::DecodeFault::kOpcode:
        return FaultCode::kOpcode;
      case isa::DecodeFault::kField:
        return FaultCode::kField;
      case isa::DecodeFault::kNone:
        break;
    }
    if (!steps_valid(instruction)) return FaultCode::kField;
    if (!std::visit([&](const auto& body) { return in_range(body, design_); }, instruction.body))
      return FaultCode::kRange;
    return one_waiting_unit(instruction) ? FaultCode::kNone : FaultCode::kWaiters;
  }

 private:
  bool one_waiting_unit(const isa::Instruction& instruction) {
    const int unit = int(isa::unit_of(instruction));
    bool one = true;
    for (std::int8_t semaphore : instruction.sync.waits) {
      if (semaphore < 0) continue;
      int& waiter = waiters_[std::size_t(semaphore)];
      if (waiter < 0) waiter = unit;
      one = one && waiter == unit;
    }
    return one;
  }

  const Design& design_;
  std::array<int, isa::kSemaphores> waiters_;
};

}  // namespace

Fault find_static_fault(std::span<const isa::Bytes32> code, std::uint64_t program_design_hash,
                        const Design& design) {
  if (program_design_hash != design.hash()) return {.code = FaultCode::kConfiguration};
  FaultFinder finder(design);
  for (std::size_t i = 0; i < code.size(); ++i)
    if (const FaultCode found = finder.check(code[i]); found != FaultCode::kNone)
      return {.code = found, .sequence = std::uint32_t(i)};
  return {};
}

}  // namespace tally
