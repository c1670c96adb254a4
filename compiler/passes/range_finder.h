// SPDX-License-Identifier: Apache-2.0
// From the values seen at a site to its range, in two passes over the same data: first the
// extremes, then a histogram of 2048 bins between them (methods percentile and mse).
//
// minmax: the extremes. percentile p: the range that p percent of the values lie above at its low
// end and below at its high end. mse: of ranges between 1/100 and the whole of the extremes, the
// one with the least squared error of quantised bin centres: both ends shrunk together, then the
// low end alone, then the high end. All ranges are widened to contain zero.
#pragma once

#include <span>
#include <vector>

#include "compiler/passes/calibration.h"

namespace tally::passes {

class RangeFinder {
 public:
  // First pass. An error names a value that is not finite.
  Status add_extremes(std::span<const float> values);
  // Second pass, over the same values.
  void add_counts(std::span<const float> values);
  // `format` is what the range is quantised to (mse).
  Range find(CalibrationMethod method, double percentile, ActivationFormat format) const;

  static bool needs_counts(CalibrationMethod method) {
    return method != CalibrationMethod::kMinMax;
  }

 private:
  double centre(std::size_t bin) const;
  Range percentile_range(double percentile) const;
  Range least_error_range(ActivationFormat format) const;
  double squared_error(const Range& range, ActivationFormat format) const;

  float low_ = 0, high_ = 0;  // contain zero from the start
  std::vector<std::uint64_t> counts_;
};

}  // namespace tally::passes
