// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/functions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/numeric/block_builder.h"
#include "models/numeric/host_builder.h"
#include "models/numeric/sequences.h"

namespace tally {
namespace {

template <class Sequence>
float evaluate(float x, Sequence sequence) {
  HostBuilder builder;
  return as_float(sequence(builder, HostBuilder::Value{as_bits(x)}).bits);
}

template <class Sequence>
void evaluate(const float* x, float* y, std::size_t n, Sequence sequence) {
  BlockBuilder builder;
  for (std::size_t base = 0; base < n; base += BlockBuilder::kBlock) {
    const std::size_t count = std::min(n - base, BlockBuilder::kBlock);
    const BlockBuilder::Value input = builder.begin(count);
    for (std::size_t i = 0; i < count; ++i) input.bits[i] = as_bits(x[base + i]);
    const BlockBuilder::Value output = sequence(builder, input);
    for (std::size_t i = 0; i < count; ++i) y[base + i] = as_float(output.bits[i]);
  }
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double silu(double x) { return std::isinf(x) && x < 0 ? -0.0 : x / (1 + std::exp(-x)); }
double gelu_erf(double x) {
  return std::isinf(x) && x < 0 ? -0.0 : x * std::erfc(-x * M_SQRT1_2) / 2;
}
double gelu_tanh(double x) {
  if (std::isinf(x)) return x < 0 ? -0.0 : x;
  return x / (1 + std::exp(-std::sqrt(8 / M_PI) * (x + 0.044715 * x * x * x)));
}

#define TALLY_FUNCTION(name, reference)                                                              \
  FunctionInfo {                                                                                     \
#name, [](float x) { return evaluate(x, [](auto& b, auto v) { return sequences::name(b, v); }); }, \
        [](const float* x, float* y, std::size_t n) {                                          \
          evaluate(x, y, n, [](auto& b, auto v) { return sequences::name(b, v); });            \
        },                                                                                     \
        [](double x) -> double { return reference; } \
  }

const std::array kFunctions = {
    TALLY_FUNCTION(exp, std::exp(x)),        TALLY_FUNCTION(sigmoid, sigmoid(x)),
    TALLY_FUNCTION(silu, silu(x)),           TALLY_FUNCTION(tanh, std::tanh(x)),
    TALLY_FUNCTION(erf, std::erf(x)),        TALLY_FUNCTION(gelu_erf, gelu_erf(x)),
    TALLY_FUNCTION(gelu_tanh, gelu_tanh(x)), TALLY_FUNCTION(reciprocal, 1 / x),
    TALLY_FUNCTION(rsqrt, 1 / std::sqrt(x)),
};
#undef TALLY_FUNCTION

}  // namespace

std::span<const FunctionInfo> functions() { return kFunctions; }

std::optional<FunctionInfo> find_function(std::string_view name) {
  for (const FunctionInfo& function : kFunctions) {
    if (function.name == name) return function;
  }
  return std::nullopt;
}

}  // namespace tally
