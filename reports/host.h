// SPDX-License-Identifier: Apache-2.0
// The host's part of a result: wall time since construction, peak memory, instruction set.
#pragma once

#include <chrono>

#include "reports/result.h"

namespace tally {

class HostMeter {
 public:
  HostMeter() : start_(std::chrono::steady_clock::now()) {}
  Host measure() const;

 private:
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tally
