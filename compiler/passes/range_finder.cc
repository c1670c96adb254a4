// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/range_finder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tally::passes {
namespace {

constexpr std::size_t kBins = 2048;
constexpr int kShrinkSteps = 100;

}  // namespace

Status RangeFinder::add_extremes(std::span<const float> values) {
  for (float value : values) {
    if (!std::isfinite(value)) return fail("a value is {}", ir::float_text(value));
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  return {};
}

void RangeFinder::add_counts(std::span<const float> values) {
  counts_.resize(kBins);
  const double width = static_cast<double>(high_) - low_;
  if (width == 0) return;
  for (float value : values) {
    const double place = (static_cast<double>(value) - low_) / width * kBins;
    ++counts_[std::min(static_cast<std::size_t>(place), kBins - 1)];
  }
}

double RangeFinder::centre(std::size_t bin) const {
  const double width = static_cast<double>(high_) - low_;
  return low_ + width * (static_cast<double>(bin) + 0.5) / kBins;
}

Range RangeFinder::find(CalibrationMethod method, double percentile,
                        ActivationFormat format) const {
  const Range all{low_, high_};
  if (method == CalibrationMethod::kMinMax || low_ == high_) return all;
  TALLY_CHECK(!counts_.empty(), "no second pass");
  return method == CalibrationMethod::kPercentile ? percentile_range(percentile)
                                                  : least_error_range(format);
}

Range RangeFinder::percentile_range(double percentile) const {
  const auto total = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  const double dropped = static_cast<double>(total) * (100 - percentile) / 100;
  // Bins that hold at most `dropped` values together, counted from one end.
  const auto bins_dropped = [dropped](auto begin, auto end) {
    double sum = 0;
    std::size_t bins = 0;
    for (auto count = begin; count != end; ++count, ++bins)
      if ((sum += static_cast<double>(*count)) > dropped) break;
    return static_cast<double>(bins);
  };
  const double width = (static_cast<double>(high_) - low_) / kBins;
  const double low = low_ + width * bins_dropped(counts_.begin(), counts_.end());
  const double high = high_ - width * bins_dropped(counts_.rbegin(), counts_.rend());
  return {std::min(static_cast<float>(low), 0.0F), std::max(static_cast<float>(high), 0.0F)};
}

double RangeFinder::squared_error(const Range& range, ActivationFormat format) const {
  const ActivationScale to = activation_scale(range, format);
  const double lowest = format == ActivationFormat::kInt8 ? -128 : 0;
  const double offset = static_cast<double>(to.zero_point);
  double error = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    if (counts_[bin] == 0) continue;
    const double value = centre(bin);
    const double code = std::clamp(std::nearbyint(value / to.scale) + offset, lowest, lowest + 255);
    const double difference = (code - offset) * to.scale - value;
    error += static_cast<double>(counts_[bin]) * difference * difference;
  }
  return error;
}

Range RangeFinder::least_error_range(ActivationFormat format) const {
  Range best{low_, high_};
  double least = squared_error(best, format);
  const auto search = [&](bool shrink_low, bool shrink_high) {
    const Range start = best;
    for (int step = 1; step < kShrinkSteps; ++step) {
      const float factor = 1 - static_cast<float>(step) / kShrinkSteps;
      const Range range{shrink_low ? start.low * factor : start.low,
                        shrink_high ? start.high * factor : start.high};
      const double error = squared_error(range, format);
      if (error >= least) continue;
      least = error;
      best = range;
    }
  };
  search(true, true);
  search(true, false);
  search(false, true);
  return best;
}

}  // namespace tally::passes
