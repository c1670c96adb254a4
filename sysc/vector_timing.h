// SPDX-License-Identifier: Apache-2.0
// Cycles and events of a run as pure functions of its steps, streams and extents (docs/timing.md,
// "Vector"). Rows are looked at only for the alignment of their first elements.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/machine/machine.h"
#include "sysc/time.h"

namespace tally::sysc {

inline constexpr std::uint32_t kStreamStartMask = (1u << 24) - 1;

using StreamRegisters = std::array<isa::Stream, isa::kStreams>;
std::array<std::int32_t, isa::kStreams> increments_of(const isa::Run& run);
int element_bytes(isa::Element element);

inline bool is_psum(isa::StepOp op) {
  return op == isa::StepOp::kPsumAdd || op == isa::StepOp::kPsumMax;
}
inline bool is_fold(isa::StepOp op) {
  return op == isa::StepOp::kFoldAdd || op == isa::StepOp::kFoldMax;
}
// Steps before the fold, which run for every batch; all steps if there is no fold.
std::size_t body_steps(std::span<const isa::Step> steps);

struct RunTiming {
  Cycle cycles = 0;  // N
  Cycle busy = 0;    // of these
};

RunTiming time_run(const isa::Run& run, std::span<const isa::Step> steps,
                   const StreamRegisters& streams, const Design& design);
void count_run(const isa::Run& run, std::span<const isa::Step> steps,
               const StreamRegisters& streams, const Design& design, Events* events);

// Accesses that one load or store step makes in the body over the whole run.
Cycle body_accesses(const isa::Run& run, const isa::Stream& stream, const Design& design);

}  // namespace tally::sysc
