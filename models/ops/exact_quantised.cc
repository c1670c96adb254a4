// SPDX-License-Identifier: Apache-2.0
// Quantisation, integer products and conversion of accumulators.
#include "models/numeric/f32.h"
#include "models/numeric/int_matmul.h"
#include "models/numeric/quantize.h"
#include "models/ops/call.h"

namespace tally::ops::exact {
namespace {

using ir::Format;
using ir::Tensor;

// (in, out) from (out, in).
std::vector<std::int8_t> transposed(const Matrix<std::int8_t>& weight) {
  std::vector<std::int8_t> result(weight.values.size());
  for (std::int64_t i = 0; i < weight.rows; ++i)
    for (std::int64_t j = 0; j < weight.columns; ++j)
      result[static_cast<std::size_t>(j * weight.rows + i)] =
          weight.values[static_cast<std::size_t>(i * weight.columns + j)];
  return result;
}

// Accumulators with the column's offset added.
class Accumulators {
 public:
  explicit Accumulators(const Call& call)
      : acc_(call.values<std::int32_t>("acc")),
        offset_(call.values<std::int32_t>("offset")),
        columns_(static_cast<std::size_t>(call.result_shape()[1])) {}

  std::size_t column(std::size_t i) const { return i % columns_; }
  std::size_t row(std::size_t i) const { return i / columns_; }
  std::int32_t at(std::size_t i) const {
    if (offset_.empty()) return acc_[i];
    return static_cast<std::int32_t>(f32::add_i32(static_cast<std::uint32_t>(acc_[i]),
                                                  static_cast<std::uint32_t>(offset_[column(i)])));
  }

 private:
  std::span<const std::int32_t> acc_;
  std::span<const std::int32_t> offset_;
  std::size_t columns_;
};

template <class T, class F>
Tensor filled(const Call& call, F f) {
  auto result = call.buffer<T>();
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = f(i);
  return Tensor::of(call.result_shape(), std::move(result));
}

}  // namespace

std::vector<Tensor> quantize_rows(const Call& call) {
  auto x = call.values<float>("x");
  auto q = call.buffer<std::int8_t>(0);
  auto scales = call.buffer<float>(1);
  std::size_t width = x.size() / scales.size();
  for (std::size_t i = 0; i < scales.size(); ++i)
    scales[i] = quantize_row_i8(&x[i * width], width, &q[i * width]);
  return {Tensor::of(call.result_shape(0), std::move(q)),
          Tensor::of(call.result_shape(1), std::move(scales))};
}

Tensor quantize_static(const Call& call) {
  auto x = call.values<float>("x");
  Quantization rule{call.real("scale"), static_cast<std::int32_t>(call.integer("zero_point"))};
  if (call.op().get<Format>("format") == Format::kI8) {
    auto q = call.buffer<std::int8_t>();
    quantize_i8(x.data(), x.size(), rule, q.data());
    return Tensor::of(call.result_shape(), std::move(q));
  }
  auto q = call.buffer<std::uint8_t>();
  quantize_u8(x.data(), x.size(), rule, q.data());
  return Tensor::of(call.result_shape(), std::move(q));
}

Tensor matmul_i8(const Call& call) {
  const Tensor& x = call.operand("x");
  auto weight = call.matrix<std::int8_t>("weight");
  std::vector<std::int8_t> b = transposed(weight);
  ProductShape shape{static_cast<std::size_t>(x.shape()[0]),
                     static_cast<std::size_t>(weight.columns),
                     static_cast<std::size_t>(weight.rows)};
  auto acc = call.buffer<std::int32_t>();
  if (x.type().format == Format::kI8)
    tally::matmul_i8(shape, x.as<std::int8_t>().data(), b.data(), acc.data());
  else
    tally::matmul_u8i8(shape, x.as<std::uint8_t>().data(), b.data(), acc.data());
  return Tensor::of(call.result_shape(), std::move(acc));
}

Tensor dequantize(const Call& call) {
  Accumulators acc(call);
  auto row_scales = call.values<float>("row_scales");
  auto column_scales = call.values<float>("column_scales");
  auto bias = call.values<float>("bias");
  return filled<float>(call, [&](std::size_t i) {
    float scale = column_scales[acc.column(i)];
    float value = row_scales.empty() ? tally::dequantize(acc.at(i), scale)
                                     : tally::dequantize(acc.at(i), row_scales[acc.row(i)], scale);
    return bias.empty() ? value : f32::add(value, bias[acc.column(i)]);
  });
}

Tensor requantize(const Call& call) {
  Accumulators acc(call);
  auto scales = call.values<float>("column_scales");
  auto zero_point = static_cast<std::int32_t>(call.integer("zero_point"));
  auto rule = [&](std::size_t i) { return Quantization{scales[acc.column(i)], zero_point}; };
  if (call.op().get<Format>("format") == Format::kI8)
    return filled<std::int8_t>(call,
                               [&](std::size_t i) { return requantize_i8(acc.at(i), rule(i)); });
  return filled<std::uint8_t>(call,
                              [&](std::size_t i) { return requantize_u8(acc.at(i), rule(i)); });
}

}  // namespace tally::ops::exact
