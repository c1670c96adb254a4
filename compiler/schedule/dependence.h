// SPDX-License-Identifier: Apache-2.0
// Which tasks of other units a task must wait for.
//
// On chip a bank belongs to one unit at a time (docs/timing.md), so two tasks of different units
// that touch the same bank are ordered whatever they do there. In DRAM a load waits for stores and
// a store for loads of the same bytes. Within a unit, order needs no help: units end in order.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/schedule/task.h"

namespace tally::schedule {

inline constexpr int kNoTask = -1;

// For each task and unit the last task (index into `tasks`) of that unit that must have ended
// before it starts; kNoTask where there is none.
using Dependences = std::vector<std::array<int, isa::kUnits>>;

Dependences find_dependences(std::span<const Task> tasks, const Design& design);

}  // namespace tally::schedule
