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

constexpr float kInf = as_float(kInfinityBits);

constexpr ErrorBound kExpBounds[] = {{-kInf, kInf, 1.25, 0}};
constexpr ErrorBound kSigmoidBounds[] = {{-kInf, -1, 0, 6e-8}, {-1, 0, 2.75, 0}, {0, kInf, 2, 0}};
constexpr ErrorBound kSiluBounds[] = {{-kInf, -1, 0, 7.5e-8}, {-1, 0, 3, 0}, {0, kInf, 2.25, 0}};
constexpr ErrorBound kTanhBounds[] = {{-kInf, kInf, 3.5, 0}};
constexpr ErrorBound kErfBounds[] = {{-kInf, kInf, 6.5, 0}};
constexpr ErrorBound kGeluErfBounds[] = {{-kInf, -1, 0, 3.5e-7}, {-1, 0, 9, 0}, {0, kInf, 6, 0}};
constexpr ErrorBound kGeluTanhBounds[] = {{-kInf, -1, 0, 5.5e-7}, {-1, 0, 14, 0}, {0, kInf, 11, 0}};
constexpr ErrorBound kReciprocalBounds[] = {{-kInf, kInf, 0.5, 0}};
constexpr ErrorBound kRsqrtBounds[] = {{-kInf, kInf, 1.5, 0}};

#define TALLY_FUNCTION(name, steps, reference, bounds)                            \
  FunctionInfo {                                                                  \
#name, steps,                                                                   \
        [](float x) {                                                               \
          return evaluate(x, [](auto& b, auto v) { return sequences::name(b, v); }); \
        },                                                                          \
        [](const float* x, float* y, std::size_t n) {                               \
          evaluate(x, y, n, [](auto& b, auto v) { return sequences::name(b, v); }); \
        },                                                                          \
        [](double x) -> double { return reference; }, bounds \
  }

const std::array kFunctions = {
    TALLY_FUNCTION(exp, 22, std::exp(x), kExpBounds),
    TALLY_FUNCTION(sigmoid, 20, sigmoid(x), kSigmoidBounds),
    TALLY_FUNCTION(silu, 19, silu(x), kSiluBounds),
    TALLY_FUNCTION(tanh, 27, std::tanh(x), kTanhBounds),
    TALLY_FUNCTION(erf, 34, std::erf(x), kErfBounds),
    TALLY_FUNCTION(gelu_erf, 23, gelu_erf(x), kGeluErfBounds),
    TALLY_FUNCTION(gelu_tanh, 24, gelu_tanh(x), kGeluTanhBounds),
    TALLY_FUNCTION(reciprocal, 2, 1 / x, kReciprocalBounds),
    TALLY_FUNCTION(rsqrt, 3, 1 / std::sqrt(x), kRsqrtBounds),
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
