// SPDX-License-Identifier: Apache-2.0
#include "sysc/semaphores.h"

#include <algorithm>
#include <tuple>

namespace tally::sysc {

bool Semaphores::ready(const isa::Sync& sync, Block* waiter) {
  bool all = true;
  for (const std::int8_t semaphore : sync.waits) {
    if (semaphore < 0 || counts_[std::size_t(semaphore)] > 0) continue;
    waiters_[std::size_t(semaphore)] = waiter;
    all = false;
  }
  return all;
}

void Semaphores::take(const isa::Sync& sync) {
  for (const std::int8_t semaphore : sync.waits)
    if (semaphore >= 0) --counts_[std::size_t(semaphore)];
}

void Semaphores::post(const isa::Sync& sync, isa::Unit unit, std::uint32_t sequence, Cycle now) {
  for (const std::int8_t semaphore : sync.posts)
    if (semaphore >= 0) posts_.push_back({unit, sequence, semaphore});
  if (!posts_.empty()) wake(now);
}

// Posts of one cycle are counted in the order of units: the one that finds 255 is at fault.
void Semaphores::step(Cycle now) {
  std::sort(posts_.begin(), posts_.end(), [](const Post& a, const Post& b) {
    return std::tuple(a.unit, a.sequence, a.semaphore) <
           std::tuple(b.unit, b.sequence, b.semaphore);
  });
  for (const Post& post : posts_) {
    int& count = counts_[std::size_t(post.semaphore)];
    if (count == isa::kSemaphoreMax) {
      log_.fault(FaultCode::kSemaphoreOverflow, post.unit, post.sequence, now);
      continue;
    }
    ++count;
    if (Block* waiter = waiters_[std::size_t(post.semaphore)]) waiter->wake(now + 1);
  }
  posts_.clear();
}

}  // namespace tally::sysc
