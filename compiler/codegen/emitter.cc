// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/emitter.h"

#include <algorithm>

namespace tally::codegen {
namespace {

using isa::Space;
using isa::StepOp;
using schedule::Range;

constexpr std::int64_t kMemoryLatency = 60;  // about what DRAM takes to answer, for ordering only
constexpr std::int64_t kMaxRowBytes = (1 << 20) - 1;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t element_bytes(isa::Element element) {
  return element == isa::Element::kF32 || element == isa::Element::kI32 ? 4 : 1;
}

Range rows_range(int place, std::int64_t begin, std::int64_t pitch, std::int64_t rows,
                 std::int64_t row_bytes) {
  return {place, begin, begin + (rows - 1) * pitch + row_bytes};
}

Range dram_range(DramAddress at, std::int64_t pitch, std::int64_t rows, std::int64_t row_bytes) {
  return rows_range(schedule::kDramPlace + at.base, at.offset, pitch, rows, row_bytes);
}

Range stream_range(const Stream& stream, const Extents& extents) {
  std::int64_t low = stream.start, high = stream.start;
  for (int i = 0; i < 3; ++i) {
    const std::int64_t reach = (extents[i] - 1) * stream.stride[i];
    (reach < 0 ? low : high) += reach;
  }
  const std::int64_t bytes = element_bytes(stream.element);
  return {int(stream.space), low * bytes, (high + 1) * bytes};
}

bool is_fold(StepOp op) { return op == StepOp::kFoldAdd || op == StepOp::kFoldMax; }
bool is_psum(StepOp op) { return op == StepOp::kPsumAdd || op == StepOp::kPsumMax; }
bool is_iterative(StepOp op) { return op == StepOp::kDiv || op == StepOp::kSqrt; }

// Issue cycles of a run, every access taken as aligned (docs/timing.md).
std::int64_t run_cycles(const Routine& routine, const Extents& extents, const Design& design) {
  const std::int64_t groups = ceil_div(extents[2], design.lanes);
  const std::int64_t rows = extents[0] * extents[1];
  const auto fold = std::find_if(routine.begin(), routine.end(),
                                 [](const isa::Step& step) { return is_fold(step.op); });
  const bool by_row = fold != routine.end() || std::any_of(routine.begin(), routine.end(),
                                                           [](auto& s) { return is_psum(s.op); });
  const std::int64_t batches = by_row ? rows * ceil_div(groups, isa::kBatchGroups)
                                      : ceil_div(rows * groups, isa::kBatchGroups);
  std::int64_t body = 0, tail = 0;
  for (auto step = routine.begin(); step != fold; ++step)
    body += is_iterative(step->op) ? 8 * design.divide_interval() : 8;
  for (auto step = fold; step != routine.end(); ++step)
    tail += is_fold(step->op)        ? 7 * design.vector_latency + 64 / design.lanes
            : is_iterative(step->op) ? std::max(8, design.divide_interval())
                                     : 8;
  return batches * body + rows * tail + 2;
}

}  // namespace

void Emitter::push(isa::Body body, std::vector<Range> reads, std::vector<Range> writes,
                   std::int64_t cycles, std::int64_t latency) {
  tasks_.push_back({std::move(body), node_, std::move(reads), std::move(writes), cycles, latency});
}

void Emitter::rollback(const Mark& mark) {
  tasks_.resize(mark.tasks);
  streams_ = mark.streams;
  routines_ = mark.routines;
  next_step_ = mark.next_step;
}

std::int64_t Emitter::transfer_cycles(std::int64_t rows, std::int64_t row_bytes) const {
  return rows * ceil_div(row_bytes, design_->port_bytes);
}

void Emitter::load(DramAddress from, std::int64_t pitch, std::int64_t rows, std::int64_t row_bytes,
                   Space space, std::int64_t address, std::int64_t address_pitch) {
  if (rows > 1 && pitch == row_bytes && address_pitch == row_bytes &&
      rows * row_bytes <= kMaxRowBytes) {
    row_bytes *= rows;
    rows = 1;
  }
  if (rows == 1) pitch = address_pitch = row_bytes;
  isa::Load load{.base = std::uint32_t(from.base),
                 .offset = std::uint64_t(from.offset),
                 .pitch = std::uint32_t(pitch),
                 .rows = std::uint32_t(rows),
                 .row_bytes = std::uint32_t(row_bytes),
                 .space = space,
                 .address = std::uint32_t(address),
                 .address_pitch = std::uint32_t(address_pitch)};
  const std::int64_t cycles = transfer_cycles(rows, row_bytes);
  push(load, {dram_range(from, pitch, rows, row_bytes)},
       {rows_range(int(space), address, address_pitch, rows, row_bytes)}, cycles,
       cycles + kMemoryLatency);
}

void Emitter::store(DramAddress to, std::int64_t pitch, std::int64_t rows, std::int64_t row_bytes,
                    Space space, std::int64_t address, std::int64_t address_pitch) {
  if (rows > 1 && pitch == row_bytes && address_pitch == row_bytes &&
      rows * row_bytes <= kMaxRowBytes) {
    row_bytes *= rows;
    rows = 1;
  }
  if (rows == 1) pitch = address_pitch = row_bytes;
  isa::Store store{.base = std::uint32_t(to.base),
                   .offset = std::uint64_t(to.offset),
                   .pitch = std::uint32_t(pitch),
                   .rows = std::uint32_t(rows),
                   .row_bytes = std::uint32_t(row_bytes),
                   .space = space,
                   .address = std::uint32_t(address),
                   .address_pitch = std::uint32_t(address_pitch)};
  const std::int64_t cycles = transfer_cycles(rows, row_bytes);
  push(store, {rows_range(int(space), address, address_pitch, rows, row_bytes)},
       {dram_range(to, pitch, rows, row_bytes)}, cycles, cycles + kMemoryLatency);
}

void Emitter::gather(const isa::Gather& g) {
  const DramAddress table{int(g.base), std::int64_t(g.offset)};
  const DramAddress indices{int(g.index_base), std::int64_t(g.index_offset)};
  const std::int64_t cycles = transfer_cycles(g.rows, g.row_bytes) + kMemoryLatency;
  push(g, {dram_range(table, g.pitch, g.limit, g.row_bytes), dram_range(indices, 4, g.rows, 4)},
       {rows_range(int(g.space), g.address, g.address_pitch, g.rows, g.row_bytes)}, cycles,
       cycles + kMemoryLatency);
}

void Emitter::matmul(const isa::Matmul& m) {
  const std::int64_t r = design_->rows, c = design_->columns;
  const std::int64_t k_padded = ceil_div(m.k, r) * r, n_tiles = ceil_div(m.n, c);
  const Range a = rows_range(int(Space::kActivations), m.a_address, m.a_pitch, m.m, k_padded);
  const Range w = m.transposed
                      ? rows_range(int(Space::kWeights), m.w_address, m.w_pitch, m.n, k_padded)
                      : rows_range(int(Space::kWeights), m.w_address, m.w_pitch, m.k, n_tiles * c);
  const std::int64_t last_row =
      m.acc_row + std::int64_t(m.m - 1) * m.acc_m_stride + (n_tiles - 1) * m.acc_n_stride;
  const Range acc{int(Space::kAccumulators), m.acc_row * 4 * c, (last_row + 1) * 4 * c};
  const std::int64_t tile = std::max<std::int64_t>(m.m, m.transposed ? c : r);
  const std::int64_t cycles = n_tiles * (k_padded / r) * tile;
  push(m, {a, w, acc}, {acc}, cycles, cycles + r + r + c + 2);
}

int Emitter::place_routine(const Routine& routine) {
  std::vector<std::uint64_t> words;
  for (const isa::Step& step : routine) words.push_back(isa::encode_step(step));
  if (auto found = routines_.find(words); found != routines_.end()) return found->second;
  const int count = int(words.size());
  TALLY_CHECK(count <= isa::kRoutineSteps, "a routine of {} steps", count);
  if (next_step_ + count > isa::kRoutineSteps) {
    routines_.clear();
    next_step_ = 0;
  }
  const int first = next_step_;
  for (int i = 0; i < count; i += isa::kStepsPerInstruction) {
    const auto word = [&](int j) { return i + j < count ? words[i + j] : 0; };
    push(isa::Routine{.first = std::uint32_t(first + i),
                      .count = std::uint32_t(std::min(isa::kStepsPerInstruction, count - i)),
                      .step0 = word(0),
                      .step1 = word(1),
                      .step2 = word(2)},
         {}, {}, 1, 1);
  }
  next_step_ += count;
  routines_[words] = first;
  return first;
}

void Emitter::set_stream(int index, const Stream& stream) {
  if (streams_[index] == stream) return;
  streams_[index] = stream;
  push(isa::Stream{.stream = std::uint32_t(index),
                   .space = stream.space,
                   .element = stream.element,
                   .start = std::uint32_t(stream.start),
                   .stride0 = std::int32_t(stream.stride[0]),
                   .stride1 = std::int32_t(stream.stride[1]),
                   .stride2 = std::int32_t(stream.stride[2])},
       {}, {}, 1, 1);
}

void Emitter::run(const Routine& routine, const Extents& extents,
                  const std::vector<Stream>& streams) {
  const int first = place_routine(routine);
  for (std::size_t i = 0; i < streams.size(); ++i) set_stream(int(i), streams[i]);
  std::vector<Range> reads, writes;
  bool tail = false;
  for (const isa::Step& step : routine) {
    tail |= is_fold(step.op);
    if (step.op != StepOp::kLoad && step.op != StepOp::kStore) continue;
    const Extents reach = tail ? Extents{extents[0], extents[1], 1} : extents;
    auto& ranges = step.op == StepOp::kLoad ? reads : writes;
    ranges.push_back(stream_range(streams.at(step.stream), reach));
  }
  const std::int64_t cycles = run_cycles(routine, extents, *design_);
  push(isa::Run{.first = std::uint32_t(first),
                .last = std::uint32_t(first + int(routine.size()) - 1),
                .extent0 = std::uint32_t(extents[0]),
                .extent1 = std::uint32_t(extents[1]),
                .extent2 = std::uint32_t(extents[2])},
       std::move(reads), std::move(writes), cycles, cycles + 1);
}

}  // namespace tally::codegen
