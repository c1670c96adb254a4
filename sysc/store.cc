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

void Store::read(Cycle now) {
  if (buffers_.size() == std::size_t(context().design.store_outstanding)) {
    buffers_.pop_front();
    --raised_;
  }
  const BurstPiece piece = reader_->walker.next();
  const auto beats = Cycle(piece.bytes / context().design.port_bytes);
  read_free_ = now + beats;
  buffers_.push_back({reader_->flight, piece, reader_->walker.done(), read_free_, kNever});
  Events& events = context().log.events;
  std::uint64_t* const reads[] = {&events.activation_reads, &events.weight_reads,
                                  &events.accumulator_reads};
  const auto& store = std::get<isa::Store>(reader_->flight->instruction().body);
  *reads[std::size_t(store.space)] += beats;
  if (buffers_.back().last) reader_.reset();
}

void Store::raise(Cycle now) {
  const BurstPiece& piece = buffers_[raised_].piece;
  context().arbiter.raise(Client::kStore, piece.address, piece.bytes, now);
  waiting_ = true;
  ++raised_;
}

void Store::work(Cycle now) {
  if (next_read() <= now) read(now);
  if (!waiting_ && raised_ < buffers_.size() && buffers_[raised_].full <= now) raise(now);
}

void Store::plan(Cycle now) {
  wake(std::max(now + 1, next_read()));
  if (!waiting_ && raised_ < buffers_.size()) wake(std::max(now + 1, buffers_[raised_].full));
}

void Store::accepted(Cycle now, const Dram::Service& service) {
  Buffered& burst = buffers_[raised_ - 1];
  waiting_ = false;
  burst.response = service.response;
  for (const Cycle beat : service.beats) activity().busy(beat, beat + 1);
  if (service.error)
    context().log.fault(FaultCode::kBusError, id(), burst.flight->from.sequence, service.response);
  if (burst.last) burst.flight->end = service.response;
  wake(now);
}

}  // namespace tally::sysc
