// SPDX-License-Identifier: Apache-2.0
// Independent work on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace tally::nets {

// f(i) for i = 0 to n - 1, in any order, each once.
template <class F>
void parallel_for(std::size_t n, int threads, F f) {
  std::atomic<std::size_t> next = 0;
  auto work = [&] {
    for (std::size_t i = next++; i < n; i = next++) f(i);
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& thread : others) thread.join();
}

}  // namespace tally::nets
