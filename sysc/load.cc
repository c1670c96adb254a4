// SPDX-License-Identifier: Apache-2.0
#include "sysc/load.h"

#include <algorithm>

#include "sysc/dram_port.h"

namespace tally::sysc {

Load::Load(const Context& context) : Unit(isa::Unit::kLoad, context.design.load_queue, context) {
  context.arbiter.connect(Client::kLoad, this);
}

void Load::start(Flight* flight) {
  const isa::Body& body = flight->instruction().body;
  generator_ = Generator{walk(body), flight, flight->start + 1};
  if (const auto* load = std::get_if<isa::Load>(&body)) copy(*load);
  if (const auto* gather = std::get_if<isa::Gather>(&body)) copy(*gather);
  raise(flight->start);
}

BurstWalker Load::walk(const isa::Body& body) {
  const int port_bytes = context().design.port_bytes;
  indices_.clear();
  if (const auto* load = std::get_if<isa::Load>(&body))
    return bursts_of(*load, context().program, port_bytes);
  const auto& gather = std::get<isa::Gather>(body);
  indices_ = read_indices(gather, context());
  limit_ = gather.limit;
  std::vector<std::uint32_t> rows;
  for (const std::int32_t index : indices_)
    rows.push_back(bad_index(index, limit_) ? 0 : std::uint32_t(index));
  return bursts_of(gather, context().program, rows, port_bytes);
}

void Load::copy(const isa::Load& load) {
  BurstWalker walker = generator_->walker;
  while (!walker.done()) {
    const BurstPiece piece = walker.next();
    const std::uint64_t address =
        load.address + std::uint64_t(piece.row) * load.address_pitch + piece.row_offset;
    read_burst(piece, load.space, address, context());
    if (context().hash != nullptr)
      context().hash->wrote(load.space, address, std::size_t(piece.bytes));
  }
}

void Load::copy(const isa::Gather& gather) {
  BurstWalker walker = generator_->walker;
  while (!walker.done()) {
    const BurstPiece piece = walker.next();
    if (piece.row < 0) continue;
    const std::uint64_t address =
        gather.address + std::uint64_t(piece.row) * gather.address_pitch + piece.row_offset;
    if (bad_index(indices_[std::size_t(piece.row)], gather.limit)) {
      context().memories.zero(gather.space, address, std::size_t(piece.bytes));
    } else {
      read_burst(piece, gather.space, address, context());
    }
    if (context().hash != nullptr)
      context().hash->wrote(gather.space, address, std::size_t(piece.bytes));
  }
}

// The limit counts accepted bursts whose last beat has not come before the raising cycle.
Cycle Load::next_raise() const {
  const auto limit = std::size_t(context().design.load_outstanding);
  if (last_beats_.size() < limit) return generator_->earliest;
  return std::max(generator_->earliest, last_beats_[last_beats_.size() - limit] + 1);
}

// Books the next raise; the one before it is accepted in `now` or earlier.
void Load::raise(Cycle now) {
  if (!generator_ || request_) return;
  const Cycle cycle = std::max(now, next_raise());
  const BurstPiece piece = generator_->walker.next();
  request_ = Request{generator_->flight, piece, generator_->walker.done()};
  context().arbiter.raise(Client::kLoad, piece.address, piece.bytes, cycle);
  if (!request_->last) return;
  generator_free_ = cycle;
  generator_.reset();
  wake(cycle);
}

void Load::accepted(Cycle now, const Dram::Service& service) {
  const Request request = *request_;
  request_.reset();
  const Cycle first = service.beats.front(), last = service.beats.back();
  last_beats_.push_back(last);
  if (last_beats_.size() > std::size_t(context().design.load_outstanding)) last_beats_.pop_front();
  activity().busy(service.beats);
  if (service.error)
    context().log.fault(FaultCode::kBusError, id(), request.flight->from.sequence, first);
  if (request.piece.row < 0) {
    if (!generator_->walker.at_indices()) generator_->earliest = last + 1;
    find_bad_indices(request, service);
  } else {
    const isa::Body& body = request.flight->instruction().body;
    const isa::Space space = std::holds_alternative<isa::Load>(body)
                                 ? std::get<isa::Load>(body).space
                                 : std::get<isa::Gather>(body).space;
    Events& events = context().log.events;
    (space == isa::Space::kWeights ? events.weight_writes : events.activation_writes) +=
        service.beats.size();
  }
  if (request.last) {
    request.flight->end = last + 1;
    wake(last + 1);
  }
  raise(now);
}

void Load::find_bad_indices(const Request& request, const Dram::Service& service) {
  const auto port_bytes = std::uint64_t(context().design.port_bytes);
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    const std::uint64_t offset = 4 * i - request.piece.row_offset;
    if (4 * i < request.piece.row_offset || offset >= std::uint64_t(request.piece.bytes)) continue;
    if (!bad_index(indices_[i], limit_)) continue;
    context().log.fault(FaultCode::kGatherIndex, id(), request.flight->from.sequence,
                        service.beats[offset / port_bytes]);
    return;
  }
}

}  // namespace tally::sysc
