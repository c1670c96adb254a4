// SPDX-License-Identifier: Apache-2.0
// fp32 ops as the vector unit's steps: one rounding each, sums by the sum rule.
#include <algorithm>

#include "models/numeric/f32.h"
#include "models/numeric/functions.h"
#include "models/numeric/sums.h"
#include "models/ops/call.h"

namespace tally::ops::exact {
namespace {

using ir::Tensor;

// 1 / sqrt(x + eps): three roundings.
float inverse_root(float x, float eps) { return f32::div(1.0f, f32::sqrt(f32::add(x, eps))); }

// A function of one variable by its name in the op table, which is that of its sequence.
FunctionInfo sequence(std::string_view name) {
  auto found = find_function(name);
  TALLY_CHECK(found.has_value(), "no sequence for {}", name);
  return *found;
}

float sum_of_squares(std::span<const float> values) {
  std::vector<float> squares(values.size());
  std::ranges::transform(values, squares.begin(), [](float x) { return f32::mul(x, x); });
  return sum64(squares.data(), squares.size());
}

}  // namespace

Tensor function(const Call& call) {
  auto x = call.values<float>("x");
  auto y = call.buffer<float>();
  sequence(call.op().info().name).array(x.data(), y.data(), x.size());
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor softmax(const Call& call) {
  auto x = call.matrix<float>("x");
  auto y = call.buffer<float>();
  auto width = static_cast<std::size_t>(x.columns);
  FunctionInfo exp = sequence("exp");
  for (std::int64_t i = 0; i < x.rows; ++i) {
    std::span<float> row(y.data() + i * x.columns, width);
    float largest = max64(x.row(i).data(), width);
    std::ranges::transform(x.row(i), row.begin(), [&](float v) { return f32::sub(v, largest); });
    exp.array(row.data(), row.data(), width);
    float inverse = f32::div(1.0f, sum64(row.data(), width));
    for (float& value : row) value = f32::mul(value, inverse);
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor layernorm(const Call& call) {
  auto x = call.matrix<float>("x");
  auto gamma = call.values<float>("gamma");
  auto beta = call.values<float>("beta");
  auto y = call.buffer<float>();
  auto width = static_cast<std::size_t>(x.columns);
  float share = 1.0f / static_cast<float>(x.columns);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    std::span<float> row(y.data() + i * x.columns, width);
    float mean = f32::mul(sum64(x.row(i).data(), width), share);
    std::ranges::transform(x.row(i), row.begin(), [&](float v) { return f32::sub(v, mean); });
    float variance = f32::mul(sum_of_squares(row), share);
    float inverse = inverse_root(variance, call.real("eps"));
    for (std::size_t j = 0; j < width; ++j)
      row[j] = f32::add(f32::mul(f32::mul(row[j], inverse), gamma[j]), beta[j]);
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor rmsnorm(const Call& call) {
  auto x = call.matrix<float>("x");
  auto gamma = call.values<float>("gamma");
  auto y = call.buffer<float>();
  float share = 1.0f / static_cast<float>(x.columns);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    auto row = x.row(i);
    float mean_square = f32::mul(sum_of_squares(row), share);
    float inverse = inverse_root(mean_square, call.real("eps"));
    float* to = y.data() + i * x.columns;
    for (std::size_t j = 0; j < row.size(); ++j)
      to[j] = f32::mul(f32::mul(row[j], inverse), gamma[j]);
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

}  // namespace tally::ops::exact
