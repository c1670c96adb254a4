// SPDX-License-Identifier: Apache-2.0
// Quantisation, integer products and conversion of accumulators.
#include <algorithm>

#include "models/numeric/f32.h"
#include "models/numeric/sums.h"
#include "models/ops/call.h"
#include "models/ops/integer_product.h"

namespace tally::ops::exact {
namespace {

using ir::Format;
using ir::Tensor;

// Symmetric int8 of n values; the scale. Where all are 0, 0 x infinity is NaN, which converts to 0.
float quantize_symmetric(std::span<const float> x, std::int8_t* q) {
  std::vector<float> magnitudes(x.size());
  std::ranges::transform(x, magnitudes.begin(), [](float v) { return f32::abs(v); });
  float scale = f32::div(max64(magnitudes.data(), magnitudes.size()), 127.0f);
  float inverse = f32::div(1.0f, scale);
  for (std::size_t i = 0; i < x.size(); ++i) q[i] = f32::to_i8(f32::mul(x[i], inverse), 0);
  return scale;
}

// f(i) is the fp32 value of element i before rounding, zero point and saturation.
template <class F>
Tensor to_bytes(const Call& call, F f) {
  auto zero_point = static_cast<std::int32_t>(call.integer("zero_point"));
  if (call.op().get<Format>("format") == Format::kI8) {
    auto q = call.buffer<std::int8_t>();
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = f32::to_i8(f(i), zero_point);
    return Tensor::of(call.result_shape(), std::move(q));
  }
  auto q = call.buffer<std::uint8_t>();
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = f32::to_u8(f(i), zero_point);
  return Tensor::of(call.result_shape(), std::move(q));
}

template <class T>
Tensor product(const Call& call) {
  auto x = call.matrix<T>("x");
  auto weight = call.matrix<std::int8_t>("weight");
  std::vector<std::int16_t> wide_x = widened(x.values);
  std::vector<std::int16_t> wide_weight = widened(weight.values);
  auto acc = call.buffer<std::int32_t>();
  for (std::int64_t i = 0; i < x.rows; ++i)
    for (std::int64_t j = 0; j < weight.rows; ++j)
      acc[static_cast<std::size_t>(i * weight.rows + j)] =
          dot(&wide_x[static_cast<std::size_t>(i * x.columns)],
              &wide_weight[static_cast<std::size_t>(j * x.columns)], x.columns);
  return Tensor::of(call.result_shape(), std::move(acc));
}

// Accumulators in fp32, the column's offset added.
class Accumulators {
 public:
  explicit Accumulators(const Call& call)
      : acc_(call.values<std::int32_t>("acc")),
        offset_(call.values<std::int32_t>("offset")),
        columns_(static_cast<std::size_t>(call.result_shape()[1])) {}

  std::size_t column(std::size_t i) const { return i % columns_; }
  std::size_t row(std::size_t i) const { return i / columns_; }
  float value(std::size_t i) const {
    auto bits = static_cast<std::uint32_t>(acc_[i]);
    if (!offset_.empty()) bits = f32::add_i32(bits, static_cast<std::uint32_t>(offset_[column(i)]));
    return f32::from_i32(static_cast<std::int32_t>(bits));
  }

 private:
  std::span<const std::int32_t> acc_;
  std::span<const std::int32_t> offset_;
  std::size_t columns_;
};

}  // namespace

std::vector<Tensor> quantize_rows(const Call& call) {
  auto x = call.values<float>("x");
  auto q = call.buffer<std::int8_t>(0);
  auto scales = call.buffer<float>(1);
  std::size_t width = x.size() / scales.size();
  for (std::size_t i = 0; i < scales.size(); ++i)
    scales[i] = quantize_symmetric(x.subspan(i * width, width), q.data() + i * width);
  return {Tensor::of(call.result_shape(0), std::move(q)),
          Tensor::of(call.result_shape(1), std::move(scales))};
}

Tensor quantize_static(const Call& call) {
  auto x = call.values<float>("x");
  float inverse = f32::div(1.0f, call.real("scale"));
  return to_bytes(call, [&](std::size_t i) { return f32::mul(x[i], inverse); });
}

Tensor matmul_i8(const Call& call) {
  if (call.operand("x").type().format == Format::kI8) return product<std::int8_t>(call);
  return product<std::uint8_t>(call);
}

Tensor dequantize(const Call& call) {
  Accumulators acc(call);
  auto row_scales = call.values<float>("row_scales");
  auto column_scales = call.values<float>("column_scales");
  auto bias = call.values<float>("bias");
  auto y = call.buffer<float>();
  for (std::size_t i = 0; i < y.size(); ++i) {
    float value = acc.value(i);
    if (!row_scales.empty()) value = f32::mul(value, row_scales[acc.row(i)]);
    value = f32::mul(value, column_scales[acc.column(i)]);
    if (!bias.empty()) value = f32::add(value, bias[acc.column(i)]);
    y[i] = value;
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor requantize(const Call& call) {
  Accumulators acc(call);
  auto scales = call.values<float>("column_scales");
  return to_bytes(call,
                  [&](std::size_t i) { return f32::mul(acc.value(i), scales[acc.column(i)]); });
}

}  // namespace tally::ops::exact
