// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says what is done, how far, and how long it will still take. Quiet in
// a pipe.
#pragma once

#include <chrono>
#include <string>

#include "models/measure/backend.h"
#include "models/measure/parallel.h"

namespace tally::cli {

class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void update(std::int64_t done, std::int64_t total);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_, last_;
};

// A progress function that owns its line; empty in a pipe.
measure::Progress progress(const std::string& what);
// Messages of long builds, each a line.
measure::BuildProgress build_progress();

}  // namespace tally::cli
