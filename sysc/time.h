// SPDX-License-Identifier: Apache-2.0
// Simulated time of the native model: cycles, and within a cycle the phases in which blocks act.
//
// A block acts in one phase. What it reads from blocks of its own phase is state registered before
// the cycle, so the order of blocks within a phase changes nothing (docs/sysc.md).
#pragma once

#include <cstdint>

namespace tally::sysc {

using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0} / 16;

enum class Phase : std::uint8_t {
  kArbitrate,   // the port accepts a request that was raised before this cycle
  kUnits,       // ends post; requests are raised; heads of queues take semaphores and start
  kSemaphores,  // posts are counted, after all takes
  kFetch,       // dispatch and fetch requests, unless a fault is known for this cycle
};
inline constexpr int kPhases = 4;

// A point in time for the event kernel: cycle x kPhases + phase.
using Moment = std::uint64_t;
constexpr Moment moment(Cycle cycle, Phase phase) { return cycle * kPhases + Moment(phase); }

}  // namespace tally::sysc
