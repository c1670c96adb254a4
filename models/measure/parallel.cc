// SPDX-License-Identifier: Apache-2.0
#include "models/measure/parallel.h"

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

namespace tally::measure {
namespace {

struct Shared {
  std::mutex mutex;
  std::int64_t next = 0;
  std::int64_t done = 0;
  std::int64_t failed_item = -1;
  Status status;

  // The next item, or -1.
  std::int64_t take(std::int64_t count) {
    const std::scoped_lock lock(mutex);
    return status && next < count ? next++ : -1;
  }
  void finish(std::int64_t item, std::int64_t count, Status result, const Progress& progress) {
    const std::scoped_lock lock(mutex);
    if (!result && (failed_item < 0 || item < failed_item)) {
      failed_item = item;
      status = std::move(result);
    }
    if (++done; progress) progress(done, count);
  }
};

}  // namespace

Status for_each_item(std::int64_t count, int threads,
                     const std::function<Status(int thread, std::int64_t item)>& work,
                     const Progress& progress) {
  Shared shared;
  const auto run = [&](int thread) {
    for (std::int64_t item = shared.take(count); item >= 0; item = shared.take(count))
      shared.finish(item, count, work(thread, item), progress);
  };
  std::vector<std::thread> others;
  const auto used = static_cast<int>(std::min<std::int64_t>(threads, count));
  for (int thread = 1; thread < used; ++thread) others.emplace_back(run, thread);
  run(0);
  for (std::thread& other : others) other.join();
  return shared.status;
}

}  // namespace tally::measure
