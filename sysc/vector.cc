// SPDX-License-Identifier: Apache-2.0
#include "sysc/vector.h"

#include "sysc/vector_values.h"

namespace tally::sysc {

void Vector::start(Flight* flight) {
  const isa::Body& body = flight->instruction().body;
  if (const auto* run_body = std::get_if<isa::Run>(&body)) return run(*run_body, flight);
  if (const auto* stream = std::get_if<isa::Stream>(&body)) streams_[stream->stream] = *stream;
  if (const auto* routine = std::get_if<isa::Routine>(&body)) set(*routine);
  flight->end = flight->start;
  activity().busy(flight->start, flight->start + 1);
}

void Vector::set(const isa::Routine& routine) {
  const std::uint64_t bits[] = {routine.step0, routine.step1, routine.step2};
  for (std::uint32_t i = 0; i < routine.count; ++i) {
    const Expected<isa::Step> step = isa::decode_step(bits[i]);
    TALLY_CHECK(step.has_value(), "an invalid step passed the static check");
    routine_[(routine.first + i) % isa::kRoutineSteps] = *step;
  }
}

// All cycles of a run have an instruction, so where in it the busy ones lie changes no count.
void Vector::run(const isa::Run& run, Flight* flight) {
  const std::span<const isa::Step> steps(routine_.data() + run.first, run.last - run.first + 1);
  const RunTiming timing = time_run(run, steps, streams_, context().design);
  flight->end = flight->start + timing.cycles + 1;
  free_ = flight->end + 1;
  activity().busy(flight->start + 1, flight->start + 1 + timing.busy);
  count_run(run, steps, streams_, context().design, &context().log.events);
  run_steps(run, steps, streams_, &context().memories, context().hash);
  const auto increments = increments_of(run);
  for (std::size_t i = 0; i < streams_.size(); ++i)
    streams_[i].start = (streams_[i].start + std::uint32_t(increments[i])) & kStreamStartMask;
}

}  // namespace tally::sysc
