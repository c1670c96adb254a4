// SPDX-License-Identifier: Apache-2.0
#include "sysc/fetch.h"

#include <algorithm>

namespace tally::sysc {

Fetch::Fetch(std::span<const isa::Instruction> code, std::array<Unit*, isa::kUnits> units,
             const Context& context)
    : Block("fetch", Phase::kFetch),
      code_(code),
      units_(units),
      context_(context),
      total_(context.program.instructions),
      block_instructions_(std::uint32_t(context.design.fetch_burst_bytes / isa::kInstructionBytes)),
      blocks_((total_ + block_instructions_ - 1) / block_instructions_) {
  context.arbiter.connect(Client::kFetch, this);
  for (Unit* unit : units_)
    if (unit != nullptr) unit->listen(this);
  if (blocks_ > 0) wake(0);
}

int Fetch::block_bytes(std::uint32_t block) const {
  const std::uint32_t left = total_ - block * block_instructions_;
  const int bytes = int(std::min(left, block_instructions_)) * isa::kInstructionBytes;
  const int port = context_.design.port_bytes;
  return (bytes + port - 1) / port * port;
}

Unit& Fetch::unit_of_next() const { return *units_[std::size_t(isa::unit_of(code_[dispatched_]))]; }

bool Fetch::can_dispatch(Cycle now) const {
  return !available_.empty() && available_.front() <= now && !unit_of_next().queue_full(now);
}

// A buffer freed in a cycle can be taken in the next.
bool Fetch::can_raise(Cycle now) const {
  const std::uint32_t free = freed_ - (last_free_ == now ? 1 : 0);
  return raised_ == accepted_ && raised_ < blocks_ &&
         raised_ - free < std::uint32_t(context_.design.fetch_buffers);
}

void Fetch::dispatch(Cycle now) {
  unit_of_next().push({&code_[dispatched_], dispatched_, now});
  available_.pop_front();
  ++dispatched_;
  ++context_.log.events.instructions[std::size_t(isa::Unit::kFetch)];
  context_.log.active(now);
  activity_.present(0, now + 1);
  if (dispatched_ % block_instructions_ == 0) {
    ++freed_;
    last_free_ = now;
  }
}

void Fetch::raise(Cycle now) {
  const std::uint64_t offset =
      std::uint64_t(raised_) * block_instructions_ * isa::kInstructionBytes;
  context_.arbiter.raise(Client::kFetch, context_.program.code_address + offset,
                         block_bytes(raised_), now);
  ++raised_;
}

void Fetch::step(Cycle now) {
  if (context_.log.faulted(now)) return;
  if (can_dispatch(now)) dispatch(now);
  if (can_raise(now)) raise(now);
  if (!available_.empty()) {
    const Cycle next = std::max(now + 1, available_.front());
    // A full queue wakes fetch when its head starts.
    if (next > now + 1 || !unit_of_next().queue_full(next)) wake(next);
  }
  if (can_raise(now + 1)) wake(now + 1);
}

void Fetch::slot_freed(isa::Unit, Cycle now) {
  if (!available_.empty()) wake(now + 1);
}

void Fetch::accepted(Cycle now, const Dram::Service& service) {
  const std::uint32_t first = accepted_ * block_instructions_;
  ++accepted_;
  activity_.busy(service.beats);
  if (service.error) {
    context_.log.fault(FaultCode::kBusError, isa::Unit::kFetch, first, service.beats.front());
  } else {
    const std::uint32_t count = std::min(total_ - first, block_instructions_);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t last_byte = std::size_t(i + 1) * isa::kInstructionBytes - 1;
      available_.push_back(service.beats[last_byte / std::size_t(context_.design.port_bytes)] + 1);
    }
  }
  wake(now);
}

UnitCycles Fetch::cycles(Cycle total) {
  if (!all_dispatched()) activity_.present(0, total);
  return activity_.count(total);
}

}  // namespace tally::sysc
