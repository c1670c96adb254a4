// SPDX-License-Identifier: Apache-2.0
// The order of instructions in a program. Units run in order and fetch stops at a full queue, so a
// program in which each instruction stands where its unit will want it keeps all units supplied:
// tasks are sorted by the start they would have on units with endless queues.
#pragma once

#include <span>
#include <vector>

#include "compiler/schedule/dependence.h"

namespace tally::schedule {

// A permutation of the tasks that keeps the order within each unit and every dependence.
std::vector<int> order_by_start(std::span<const Task> tasks, const Dependences& dependences);

}  // namespace tally::schedule
