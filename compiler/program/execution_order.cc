// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/execution_order.h"

#include <array>
#include <deque>
#include <limits>

namespace tally {
namespace {

class Network {
 public:
  Network(std::span<const isa::Instruction> instructions,
          const std::array<std::size_t, isa::kUnits>& depths)
      : instructions_(instructions), depths_(depths) {}

  ExecutionOrder run(const std::vector<bool>* executed) {
    ExecutionOrder order;
    do {
      dispatch(executed, &order);
    } while (start_first(&order));
    for (int unit = 1; unit < isa::kUnits; ++unit)
      if (!queues_[unit].empty()) {
        const std::uint32_t head = queues_[unit].front();
        order.waiting.push_back({isa::Unit(unit), head, missing_semaphore(head)});
      }
    return order;
  }

 private:
  void dispatch(const std::vector<bool>* executed, ExecutionOrder* order) {
    for (; order->dispatched < instructions_.size(); ++order->dispatched) {
      const std::uint32_t next = order->dispatched;
      if (executed != nullptr && !(*executed)[next]) continue;
      const int unit = int(isa::unit_of(instructions_[next]));
      if (queues_[unit].size() == depths_[unit]) return;
      queues_[unit].push_back(next);
    }
  }

  int missing_semaphore(std::uint32_t sequence) const {
    for (std::int8_t semaphore : instructions_[sequence].sync.waits)
      if (semaphore >= 0 && counts_[semaphore] == 0) return semaphore;
    return -1;
  }

  bool start_first(ExecutionOrder* order) {
    std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
    for (const auto& queue : queues_)
      if (!queue.empty() && queue.front() < first && missing_semaphore(queue.front()) < 0)
        first = queue.front();
    if (first == std::numeric_limits<std::uint32_t>::max()) return false;
    queues_[int(isa::unit_of(instructions_[first]))].pop_front();
    for (std::int8_t semaphore : instructions_[first].sync.waits)
      if (semaphore >= 0) --counts_[semaphore];
    for (std::int8_t semaphore : instructions_[first].sync.posts)
      if (semaphore >= 0) ++counts_[semaphore];
    order->sequences.push_back(first);
    return true;
  }

  std::span<const isa::Instruction> instructions_;
  std::array<std::size_t, isa::kUnits> depths_;
  std::array<std::deque<std::uint32_t>, isa::kUnits> queues_;
  std::array<std::uint64_t, isa::kSemaphores> counts_{};
};

}  // namespace

ExecutionOrder execution_order(std::span<const isa::Instruction> instructions,
                               const Design& design) {
  return Network(instructions, {0, std::size_t(design.load_queue), std::size_t(design.store_queue),
                                std::size_t(design.matrix_queue), std::size_t(design.vector_queue)})
      .run(nullptr);
}

ExecutionOrder execution_order_of(std::span<const isa::Instruction> instructions,
                                  const std::vector<bool>& executed) {
  constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
  return Network(instructions, {0, kNoLimit, kNoLimit, kNoLimit, kNoLimit}).run(&executed);
}

}  // namespace tally
