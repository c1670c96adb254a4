// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/order.h"

#include <algorithm>
#include <numeric>

namespace tally::schedule {

std::vector<int> order_by_start(std::span<const Task> tasks, const Dependences& dependences) {
  std::vector<std::int64_t> start(tasks.size()), end(tasks.size());
  std::array<std::int64_t, isa::kUnits> free{};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    std::int64_t& unit_free = free[int(unit_of(tasks[i]))];
    start[i] = unit_free;
    for (int before : dependences[i])
      if (before != kNoTask) start[i] = std::max(start[i], end[before] + 1);
    unit_free = start[i] + std::max<std::int64_t>(1, tasks[i].cycles);
    end[i] = start[i] + std::max(tasks[i].cycles, tasks[i].latency);
  }
  std::vector<int> order(tasks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return start[a] < start[b]; });
  return order;
}

}  // namespace tally::schedule
