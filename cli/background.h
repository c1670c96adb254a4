// SPDX-License-Identifier: Apache-2.0
// Tasks done one after the other on a thread of their own; results come back in the order of the
// tasks. Destruction waits for the task in work and drops the rest.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace tally::cli {

template <class T>
class Background {
 public:
  Background() : thread_([this] { work(); }) {}
  ~Background() {
    {
      const std::scoped_lock lock(mutex_);
      tasks_.clear();
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void add(std::function<T()> task) {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_all();
  }
  // The next result; as many may be taken as tasks were added.
  T take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !results_.empty(); });
    T result = std::move(results_.front());
    results_.pop_front();
    return result;
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::function<T()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      T result = task();
      lock.lock();
      results_.push_back(std::move(result));
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<T()>> tasks_;
  std::deque<T> results_;
  bool ended_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace tally::cli
