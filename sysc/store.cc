// SPDX-License-Identifier: Apache-2.0
#include "sysc/store.h"

#include <algorithm>

#include "sysc/dram_port.h"

namespace tally::sysc {

Store::Store(const Context& context)
    : Unit(isa::Unit::kStore, context.design.store_queue, context) {
  context.arbiter.connect(Client::kStore, this);
}

// In the cycle of the last beat that is read the reader can take another instruction.
Cycle Store::ready(Cycle now) const { return reader_ ? kNever : std::max(now + 1, read_free_) - 1; }

void Store::start(Flight* flight) {
  const auto& store = std::get<isa::Store>(flight->instruction().body);
  reader_ = Reader{bursts_of(store, context().program, context().design.port_bytes), flight};
  copy(store);
  book(flight->start);
}

void Store::copy(const isa::Store& store) {
  BurstWalker walker = reader_->walker;
  while (!walker.done()) {
    const BurstPiece piece = walker.next();
    write_burst(piece, store.space,
                store.address + std::uint64_t(piece.row) * store.address_pitch + piece.row_offset,
                context());
  }
}

// A buffer is free from the cycle after its write response.
Cycle Store::next_read() const {
  if (!reader_) return kNever;
  const Cycle earliest = std::max(read_free_, reader_->flight->start + 1);
  if (buffers_.size() < std::size_t(context().design.store_outstanding)) return earliest;
  const Cycle response = buffers_.front().response;
  return response == kNever ? kNever : std::max(earliest, response + 1);
}

void Store::read(Cycle cycle) {
  if (buffers_.size() == std::size_t(context().design.store_outstanding)) {
    buffers_.pop_front();
    --raised_;
  }
  const BurstPiece piece = reader_->walker.next();
  const auto beats = Cycle(piece.bytes / context().design.port_bytes);
  read_free_ = cycle + beats;
  buffers_.push_back({reader_->flight, piece, reader_->walker.done(), read_free_, kNever});
  Events& events = context().log.events;
  std::uint64_t* const reads[] = {&events.activation_reads, &events.weight_reads,
                                  &events.accumulator_reads};
  const auto& store = std::get<isa::Store>(reader_->flight->instruction().body);
  *reads[std::size_t(store.space)] += beats;
  if (!buffers_.back().last) return;
  reader_.reset();
  wake(read_free_ - 1);
}

// Books the reads whose buffers are known to be free and, if the request before it has been
// accepted in `now` or earlier, the next raise.
void Store::book(Cycle now) {
  for (Cycle cycle = next_read(); cycle != kNever; cycle = next_read()) read(cycle);
  if (waiting_ || raised_ == buffers_.size()) return;
  const Buffered& burst = buffers_[raised_];
  context().arbiter.raise(Client::kStore, burst.piece.address, burst.piece.bytes,
                          std::max(now, burst.full));
  waiting_ = true;
  ++raised_;
}

void Store::accepted(Cycle now, const Dram::Service& service) {
  Buffered& burst = buffers_[raised_ - 1];
  waiting_ = false;
  burst.response = service.response;
  activity().busy(service.beats);
  if (service.error)
    context().log.fault(FaultCode::kBusError, id(), burst.flight->from.sequence, service.response);
  if (burst.last) {
    burst.flight->end = service.response;
    wake(service.response);
  }
  book(now);
}

}  // namespace tally::sysc
