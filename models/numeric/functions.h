// SPDX-License-Identifier: Apache-2.0
// The functions of sequences.h on fp32 values, and the table of them: one row a function, with a
// reference in binary64. The array forms give the bits of the scalar ones.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tally {

struct FunctionInfo {
  std::string_view name;
  float (*scalar)(float x);
  void (*array)(const float* x, float* y, std::size_t n);  // y is x or apart from it
  double (*reference)(double x);                           // within 2^-48 of the true value
};

// exp, sigmoid, silu, tanh, erf, gelu_erf, gelu_tanh, reciprocal, rsqrt.
std::span<const FunctionInfo> functions();

// Absent if there is no sequence of this name.
std::optional<FunctionInfo> find_function(std::string_view name);

}  // namespace tally
