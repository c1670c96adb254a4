// SPDX-License-Identifier: Apache-2.0
// The 32 counting semaphores: takes in the units' phase, posts counted after them.
#pragma once

#include <array>
#include <vector>

#include "sysc/block.h"
#include "sysc/run_log.h"

namespace tally::sysc {

class Semaphores : public Block {
 public:
  explicit Semaphores(RunLog* log) : Block("semaphores", Phase::kSemaphores), log_(*log) {}

  // Whether every semaphore waited for has a count. If not, `waiter` is woken in the cycle after a
  // post to one of them.
  bool ready(const isa::Sync& sync, Block* waiter);
  void take(const isa::Sync& sync);
  // An instruction ends in `now`: its posts are usable in the next cycle.
  void post(const isa::Sync& sync, isa::Unit unit, std::uint32_t sequence, Cycle now);
  int count(int semaphore) const { return counts_[std::size_t(semaphore)]; }

 protected:
  void step(Cycle now) override;

 private:
  struct Post {
    isa::Unit unit;
    std::uint32_t sequence;
    int semaphore;
  };

  RunLog& log_;
  std::array<int, isa::kSemaphores> counts_{};
  std::array<Block*, isa::kSemaphores> waiters_{};
  std::vector<Post> posts_;
};

}  // namespace tally::sysc
