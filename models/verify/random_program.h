// SPDX-License-Identifier: Apache-2.0
// Random programs without races (sync_planner.h), most of them good, some that end in a static or
// dynamic fault or in a deadlock. A program is a function of (design, seed) alone.
#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/program/program.h"
#include "models/verify/random.h"

namespace tally {

// How a program is meant to end.
enum class Ending : std::uint8_t {
  kFinished,
  kOpcode,
  kField,
  kRange,
  kWaiters,
  kConfiguration,
  kLoadBusError,
  kStoreBusError,
  kFetchBusError,
  kGatherIndex,
  kSemaphoreOverflow,
  kDeadlock,
};
std::string_view ending_name(Ending ending);

Program random_program(const Design& design, std::uint64_t seed);
// With a chosen ending.
Program random_program(const Design& design, std::uint64_t seed, Ending ending);

// Changes a good program so that it ends as `ending` (random_faults.cc); false if it has nothing to
// change.
bool spoil(Program* program, const Design& design, Ending ending, Random* random);

// The first instruction with a static fault is dispatched by a machine that does not look ahead: no
// deadlock comes before it. Machines are compared only on such programs.
bool reaches_static_fault(const Program& program, const Design& design);

}  // namespace tally
