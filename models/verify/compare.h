// SPDX-License-Identifier: Apache-2.0
// Compares what machines did with one program: every retirement record, cycles, unit states,
// events, DRAM counters, faults, deadlocks, and the whole DRAM image. Comparing nothing is a
// difference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/program/program.h"
#include "models/machine/machine.h"

namespace tally {

// What one machine did.
struct MachineRun {
  std::string name;
  bool timed = true;  // false: the functional model, without cycles
  RunResult result;
  const DramImage* image = nullptr;
  // Untimed: every dynamic fault that happened, of which a machine with time reports the first.
  std::vector<Fault> faults;
};

struct Difference {
  std::string message;                    // for a person: both sides, disassembly, graph node
  std::optional<std::uint32_t> sequence;  // instruction, if it is about one
  std::uint64_t cycle = 0;                // where to look in a waveform
};

// How much there was to compare and was compared; they differ only with a Difference.
struct Compared {
  std::uint64_t instructions_total = 0, instructions = 0;  // records, of every pair of machines
  std::uint64_t counts = 0;                                // cycles, states, events, faults
  std::uint64_t image_bytes = 0;

  Compared& operator+=(const Compared& other);
};

struct Comparison {
  Compared compared;
  std::optional<Difference> difference;
};

// `runs[0]` against each of the others. A functional model is told apart by `timed`.
Comparison compare_runs(const Program& program, const std::vector<MachineRun>& runs);

// The first bytes in which two images differ.
std::optional<std::uint64_t> first_difference(const DramImage& a, const DramImage& b);

}  // namespace tally
