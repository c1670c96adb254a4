// SPDX-License-Identifier: Apache-2.0
// Semaphores for the dependences of ordered tasks.
//
// Each ordered pair of units (poster, waiter) has one semaphore. A task waits for the last task of
// another unit that it depends on, unless an earlier task of its own unit has waited for that one
// or a later one already; so the k-th wait of a pair matches its k-th post.
#pragma once

#include <span>
#include <vector>

#include "compiler/schedule/dependence.h"

namespace tally::schedule {

// The semaphore from `poster` to `waiter`, both of load, store, matrix, vector.
int semaphore_of(isa::Unit poster, isa::Unit waiter);

// Waits and posts of each task. Fails if more than 255 posts could be pending for one semaphore,
// given the queue depths.
Expected<std::vector<isa::Sync>> assign_semaphores(std::span<const Task> tasks,
                                                   const Dependences& dependences,
                                                   const std::vector<int>& order,
                                                   const Design& design);

}  // namespace tally::schedule
