// SPDX-License-Identifier: Apache-2.0
// The functions of sequences.h on fp32 values, and the table of them: one row a function, with a
// reference in binary64. The array forms give the bits of the scalar ones.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tally {

// For low <= x <= high the result is within `ulps` units in the last place of the true value, or
// within `absolute` of it. Proved by tally-full-range, which tries every x.
struct ErrorBound {
  float low, high;
  double ulps;
  double absolute;
};

struct FunctionInfo {
  std::string_view name;
  int steps;  // of the vector unit, divide and square root included
  float (*scalar)(float x);
  void (*array)(const float* x, float* y, std::size_t n);  // y is x or apart from it
  double (*reference)(double x);                           // relative error below 2^-48
  std::span<const ErrorBound> bounds;                      // ascending, all of the number line
};

// exp, sigmoid, silu, tanh, erf, gelu_erf, gelu_tanh, reciprocal, rsqrt.
std::span<const FunctionInfo> functions();

// Absent if there is no sequence of this name.
std::optional<FunctionInfo> find_function(std::string_view name);

}  // namespace tally
