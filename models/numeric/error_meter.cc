// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/error_meter.h"

#include <algorithm>
#include <cmath>

#include "models/numeric/bits.h"

namespace tally {
namespace {

constexpr double kBeyond = 0x1p128;  // what an infinite result stands for

double finite(double value) { return std::clamp(value, -kBeyond, kBeyond); }

double ulp_of(double exact) {
  const auto field = static_cast<int>((as_bits(exact) >> 52) & 0x7ff);
  const int exponent = std::clamp(field - 1023, -126, 127);
  return as_double(static_cast<uint64_t>(exponent - 23 + 1023) << 52);
}

}  // namespace

double error_in_ulps(float y, double exact) {
  return std::fabs(finite(y) - finite(exact)) / ulp_of(exact);
}

ErrorMeter::ErrorMeter(const FunctionInfo& function)
    : function_(function), ranges_(function.bounds.size() + 1) {}

void ErrorMeter::add(const float* x, const float* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) add(x[i], y[i]);
}

void ErrorMeter::add(float x, float y) {
  std::size_t index = 0;
  while (index < function_.bounds.size() && !(x <= function_.bounds[index].high)) ++index;
  RangeError& range = ranges_[index];
  ++range.values;
  const double exact = function_.reference(x);
  bool good = as_bits(y) == kNanBits;
  if (!std::isnan(exact)) {
    const ErrorBound& bound = function_.bounds[index];
    const double ulps = error_in_ulps(y, exact);
    const double absolute = std::fabs(finite(y) - finite(exact));
    good = ulps <= bound.ulps || absolute <= bound.absolute;
    if (ulps > range.ulps) range.ulps = ulps, range.ulps_at = x;
    if (absolute > range.absolute) range.absolute = absolute, range.absolute_at = x;
  }
  if (!good) ++range.violations, range.violation_at = x;
}

void ErrorMeter::merge(const ErrorMeter& other) {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    RangeError& mine = ranges_[i];
    const RangeError& its = other.ranges_[i];
    if (its.ulps > mine.ulps) mine.ulps = its.ulps, mine.ulps_at = its.ulps_at;
    if (its.absolute > mine.absolute) {
      mine.absolute = its.absolute, mine.absolute_at = its.absolute_at;
    }
    mine.values += its.values;
    mine.violations += its.violations;
    if (its.violations > 0) mine.violation_at = its.violation_at;
  }
}

}  // namespace tally
