// SPDX-License-Identifier: Apache-2.0
#include "sysc/vector_timing.h"

#include <algorithm>

namespace tally::sysc {
namespace {

constexpr Cycle kPlaces = isa::kBatchGroups;

Cycle ceil_div(Cycle a, Cycle b) { return (a + b - 1) / b; }

struct Shape {
  Cycle rows, row_groups, batches;
  Cycle places() const { return batches * kPlaces; }
  Cycle empty_places() const { return places() - rows * row_groups; }
};

Shape shape_of(const isa::Run& run, std::span<const isa::Step> steps, const Design& design) {
  const bool by_row = std::any_of(steps.begin(), steps.end(), [](const isa::Step& step) {
    return is_psum(step.op) || is_fold(step.op);
  });
  const Cycle rows = Cycle(run.extent0) * run.extent1;
  const Cycle groups = ceil_div(run.extent2, Cycle(design.lanes));
  return {rows, groups,
          by_row ? rows * ceil_div(groups, kPlaces) : ceil_div(rows * groups, kPlaces)};
}

// Accesses of a row whose first element lies at a multiple of L, stride2 1.
Cycle aligned_row(const isa::Run& run, const isa::Stream& stream, const Design& design) {
  const auto lanes = Cycle(design.lanes);
  if (stream.space != isa::Space::kAccumulators) return ceil_div(run.extent2, lanes);
  const auto columns = Cycle(std::min(design.lanes, design.columns));
  return run.extent2 / lanes * (lanes / columns) + ceil_div(run.extent2 % lanes, columns);
}

Cycle count_aligned_rows(const isa::Run& run, const isa::Stream& stream, const Design& design) {
  const std::int64_t mask = design.lanes - 1;
  if (((stream.stride0 | stream.stride1) & mask) == 0)
    return (stream.start & mask) == 0 ? Cycle(run.extent0) * run.extent1 : 0;
  Cycle aligned = 0;
  for (std::int64_t i0 = 0; i0 < run.extent0; ++i0) {
    std::int64_t address = std::int64_t(stream.start) + i0 * stream.stride0;
    for (std::uint32_t i1 = 0; i1 < run.extent1; ++i1, address += stream.stride1)
      aligned += (address & mask) == 0;
  }
  return aligned;
}

bool is_memory(isa::StepOp op) { return op == isa::StepOp::kLoad || op == isa::StepOp::kStore; }
bool is_iterative(isa::StepOp op) { return op == isa::StepOp::kDiv || op == isa::StepOp::kSqrt; }

RunTiming body_step(const isa::Step& step, const isa::Run& run, const StreamRegisters& streams,
                    const Shape& shape, const Design& design) {
  if (is_memory(step.op)) {
    const Cycle cycles = body_accesses(run, streams[step.stream], design) + shape.empty_places();
    return {cycles, cycles};
  }
  Cycle batch = kPlaces;
  if (is_iterative(step.op)) batch = kPlaces * Cycle(design.divide_interval());
  if (is_psum(step.op))
    batch = std::max(
        batch, kPlaces * Cycle(design.vector_latency) * Cycle(design.lanes) / isa::kPartialSums);
  return {shape.batches * batch, shape.places()};
}

// On one place, for one row.
RunTiming tail_step(const isa::Step& step, const Design& design) {
  if (is_fold(step.op)) {
    RunTiming fold{Cycle(design.vector_latency) - 1, 0};
    for (Cycle half = isa::kPartialSums / 2; half >= 1; half /= 2) {
      const Cycle issues = ceil_div(half, Cycle(design.lanes));
      fold.cycles += issues - 1 + Cycle(design.vector_latency);
      fold.busy += issues;
    }
    return fold;
  }
  if (is_iterative(step.op)) return {std::max(kPlaces, Cycle(design.divide_interval())), 1};
  return {kPlaces, 1};
}

Cycle tail_operations(isa::StepOp op, const Design& design) {
  if (is_fold(op)) return isa::kPartialSums - 1;
  return is_memory(op) ? 1 : Cycle(design.lanes);
}

void count_accesses(const isa::Step& step, const isa::Stream& stream, Cycle accesses,
                    Events* events) {
  const bool load = step.op == isa::StepOp::kLoad;
  switch (stream.space) {
    case isa::Space::kActivations:
      (load ? events->activation_reads : events->activation_writes) += accesses;
      break;
    case isa::Space::kWeights:
      (load ? events->weight_reads : events->weight_writes) += accesses;
      break;
    case isa::Space::kAccumulators:
      if (load) events->accumulator_reads += accesses;
      break;
  }
}

}  // namespace

std::array<std::int32_t, isa::kStreams> increments_of(const isa::Run& run) {
  return {run.increment0, run.increment1, run.increment2, run.increment3,
          run.increment4, run.increment5, run.increment6, run.increment7};
}

int element_bytes(isa::Element element) {
  return element == isa::Element::kI8 || element == isa::Element::kU8 ? 1 : 4;
}

std::size_t body_steps(std::span<const isa::Step> steps) {
  const auto fold = std::find_if(steps.begin(), steps.end(),
                                 [](const isa::Step& step) { return is_fold(step.op); });
  return std::size_t(fold - steps.begin());
}

Cycle body_accesses(const isa::Run& run, const isa::Stream& stream, const Design& design) {
  const Cycle rows = Cycle(run.extent0) * run.extent1;
  if (stream.stride2 == 0) return rows * ceil_div(run.extent2, Cycle(design.lanes));
  if (stream.stride2 != 1) return rows * run.extent2;
  const Cycle aligned = count_aligned_rows(run, stream, design);
  return aligned * aligned_row(run, stream, design) + (rows - aligned) * run.extent2;
}

RunTiming time_run(const isa::Run& run, std::span<const isa::Step> steps,
                   const StreamRegisters& streams, const Design& design) {
  const Shape shape = shape_of(run, steps, design);
  const std::size_t body = body_steps(steps);
  RunTiming sum;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const RunTiming step =
        i < body ? body_step(steps[i], run, streams, shape, design) : tail_step(steps[i], design);
    const Cycle times = i < body ? 1 : shape.rows;
    sum.cycles += times * step.cycles;
    sum.busy += times * step.busy;
  }
  return sum;
}

void count_run(const isa::Run& run, std::span<const isa::Step> steps,
               const StreamRegisters& streams, const Design& design, Events* events) {
  const Cycle rows = Cycle(run.extent0) * run.extent1;
  const std::size_t body = body_steps(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const isa::Step& step = steps[i];
    const bool tail = i >= body;
    events->vector_operations[std::size_t(step.op)] +=
        rows * (tail ? tail_operations(step.op, design) : Cycle(run.extent2));
    if (!is_memory(step.op)) continue;
    const isa::Stream& stream = streams[step.stream];
    count_accesses(step, stream, tail ? rows : body_accesses(run, stream, design), events);
  }
}

}  // namespace tally::sysc
