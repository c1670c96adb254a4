// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/sync.h"

#include <algorithm>

namespace tally::schedule {
namespace {

constexpr int kWorkers = isa::kUnits - 1;

void add_slot(std::array<std::int8_t, isa::kSlots>* slots, int semaphore) {
  auto slot = std::find(slots->begin(), slots->end(), -1);
  TALLY_CHECK(slot != slots->end(), "more than {} semaphores in one instruction", isa::kSlots);
  *slot = std::int8_t(semaphore);
}

int queue_depth(const Design& design, isa::Unit unit) {
  const int depths[] = {0, design.load_queue, design.store_queue, design.matrix_queue,
                        design.vector_queue};
  return depths[int(unit)];
}

// A post can be pending while the waits it is for, and those of the instructions still in the
// waiter's queue, have not been taken.
Status check_counts(std::span<const Task> tasks, const std::vector<isa::Sync>& syncs,
                    const std::vector<int>& order, const Design& design) {
  std::array<int, isa::kSemaphores> pending{};
  for (int task : order) {
    for (int semaphore : syncs[task].waits)
      if (semaphore >= 0) --pending[semaphore];
    for (int semaphore : syncs[task].posts) {
      if (semaphore < 0) continue;
      const int waiter = semaphore % kWorkers + 1;
      if (++pending[semaphore] + queue_depth(design, isa::Unit(waiter)) > isa::kSemaphoreMax)
        return fail("schedule: more than {} posts could be pending from the {} unit to the {} unit",
                    isa::kSemaphoreMax, isa::kUnitNames[int(unit_of(tasks[task]))],
                    isa::kUnitNames[waiter]);
    }
  }
  return {};
}

}  // namespace

int semaphore_of(isa::Unit poster, isa::Unit waiter) {
  return (int(poster) - 1) * kWorkers + (int(waiter) - 1);
}

Expected<std::vector<isa::Sync>> assign_semaphores(std::span<const Task> tasks,
                                                   const Dependences& dependences,
                                                   const std::vector<int>& order,
                                                   const Design& design) {
  std::vector<isa::Sync> syncs(tasks.size());
  std::array<std::array<int, isa::kUnits>, isa::kUnits> waited{};
  for (auto& row : waited) row.fill(kNoTask);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const isa::Unit unit = unit_of(tasks[i]);
    for (int other = 1; other < isa::kUnits; ++other) {
      const int before = dependences[i][other];
      if (before <= waited[int(unit)][other]) continue;
      waited[int(unit)][other] = before;
      const int semaphore = semaphore_of(isa::Unit(other), unit);
      add_slot(&syncs[before].posts, semaphore);
      add_slot(&syncs[i].waits, semaphore);
    }
  }
  TALLY_TRY(check_counts(tasks, syncs, order, design));
  return syncs;
}

}  // namespace tally::schedule
