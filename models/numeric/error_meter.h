// SPDX-License-Identifier: Apache-2.0
// Measures the error of a function's fp32 results against its reference, range by range of its
// bounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/numeric/functions.h"

namespace tally {

// The worst results in one range of FunctionInfo::bounds.
struct RangeError {
  double ulps = 0;
  float ulps_at = 0;
  double absolute = 0;
  float absolute_at = 0;
  uint64_t values = 0;
  uint64_t violations =
      0;  // outside the bound, or NaN on one side only, or a NaN that is not 0x7fffffff
  float violation_at = 0;
};

class ErrorMeter {
 public:
  explicit ErrorMeter(const FunctionInfo& function);

  // Judges results y[i] of f(x[i]).
  void add(const float* x, const float* y, std::size_t n);
  void merge(const ErrorMeter& other);

  // One entry a bound, then one for NaN operands.
  const std::vector<RangeError>& ranges() const { return ranges_; }

 private:
  void add(float x, float y);

  FunctionInfo function_;
  std::vector<RangeError> ranges_;
};

// |y - exact| in units in the last place of the binary32 numbers around exact; infinity counts as
// 2^128.
double error_in_ulps(float y, double exact);

}  // namespace tally
