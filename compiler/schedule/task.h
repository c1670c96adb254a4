// SPDX-License-Identifier: Apache-2.0
// One instruction before synchronisation: what it does, which bytes it touches, about how long it
// keeps its unit. Tasks stand in an order in which running them one after another is right.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/isa/isa.h"

namespace tally::schedule {

// Bytes begin..end-1 of an on-chip memory (place = isa::Space) or of the DRAM region of a base
// register (place = kDramPlace + register).
struct Range {
  int place;
  std::int64_t begin, end;
};
inline constexpr int kDramPlace = 3;

struct Task {
  isa::Body body;
  std::uint32_t node = 0;  // index into Program::nodes
  std::vector<Range> reads, writes;
  std::int64_t cycles = 1;   // estimated occupancy of the unit
  std::int64_t latency = 1;  // estimated cycles from start to end, at least `cycles`
};

isa::Unit unit_of(const Task& task);

}  // namespace tally::schedule
