// SPDX-License-Identifier: Apache-2.0
#include "sysc/unit.h"

namespace tally::sysc {

Unit::Unit(isa::Unit id, int queue_capacity, const Context& context)
    : Block(std::string(isa::kUnitNames[int(id)]), Phase::kUnits),
      id_(id),
      capacity_(std::size_t(queue_capacity)),
      context_(context) {}

bool Unit::queue_full(Cycle cycle) const {
  const std::size_t left_in_cycle = last_start_ == cycle ? 1 : 0;
  return queue_.size() + left_in_cycle >= capacity_;
}

void Unit::push(const Dispatched& dispatched) {
  TALLY_CHECK(queue_.size() < capacity_);
  queue_.push_back(dispatched);
  wake(dispatched.cycle + 1);
}

UnitCycles Unit::cycles(Cycle total) {
  if (!queue_.empty()) activity_.present(queue_.front().cycle + 1, total);
  return activity_.count(total);
}

void Unit::end_due(Cycle now) {
  while (!flights_.empty() && flights_.front().end <= now) {
    const Flight flight = flights_.front();
    flights_.pop_front();
    TALLY_CHECK(flight.end == now, "{} missed the end of {} in {}", name(), flight.from.sequence,
                flight.end);
    context_.semaphores.post(flight.instruction().sync, id_, flight.from.sequence, now);
    context_.log.record({id_, flight.from.sequence, flight.start, flight.end, flight.hash});
    context_.log.active(now);
    activity_.present(flight.from.cycle + 1, now + 1);
  }
}

void Unit::start_head(Cycle now) {
  const Dispatched head = queue_.front();
  const isa::Sync& sync = head.instruction->sync;
  if (!context_.semaphores.ready(sync, this)) return;
  context_.semaphores.take(sync);
  queue_.pop_front();
  last_start_ = now;
  ++context_.log.events.instructions[std::size_t(id_)];
  context_.log.active(now);
  listener_->slot_freed(id_, now);
  if (context_.hash != nullptr) context_.hash->begin();
  flights_.push_back({head, now, kNever, 0});
  Flight& flight = flights_.back();
  start(&flight);
  if (context_.hash != nullptr) flight.hash = context_.hash->take();
}

// An instruction whose end is its start ends in the same step.
void Unit::step(Cycle now) {
  end_due(now);
  if (!queue_.empty() && ready(now) == now && last_start_ != now) start_head(now);
  end_due(now);
  if (!flights_.empty()) wake(flights_.front().end);
  // A head that only waits for semaphores is woken by their posts.
  if (!queue_.empty() && (last_start_ == now || ready(now) > now))
    wake(std::max(now + 1, ready(now)));
}

}  // namespace tally::sysc
