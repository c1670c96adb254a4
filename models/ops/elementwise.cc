// SPDX-License-Identifier: Apache-2.0
// fp32 ops of one rounding a step whose reference and exact semantics are the same.
#include "models/numeric/f32.h"
#include "models/ops/call.h"

namespace tally::ops {
namespace {

using ir::Tensor;

// b repeats after each of its own length: a matrix of a's shape or one row.
template <class F>
Tensor binary(const Call& call, F f) {
  auto a = call.values<float>("a");
  auto b = call.values<float>("b");
  auto y = call.buffer<float>();
  for (std::size_t begin = 0; begin < a.size(); begin += b.size())
    for (std::size_t j = 0; j < b.size(); ++j) y[begin + j] = f(a[begin + j], b[j]);
  return Tensor::of(call.result_shape(), std::move(y));
}

}  // namespace

Tensor add(const Call& call) {
  return binary(call, [](float a, float b) { return f32::add(a, b); });
}

Tensor mul(const Call& call) {
  return binary(call, [](float a, float b) { return f32::mul(a, b); });
}

Tensor relu(const Call& call) {
  auto x = call.values<float>("x");
  auto y = call.buffer<float>();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f32::max(x[i], 0.0f);
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor rope(const Call& call) {
  auto x = call.matrix<float>("x");
  auto cos = call.matrix<float>("cos");
  auto sin = call.matrix<float>("sin");
  auto y = call.buffer<float>();
  std::int64_t half = cos.columns;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    for (std::int64_t head = 0; head < x.columns; head += 2 * half) {
      const float* from = x.row(i).data() + head;
      float* to = y.data() + i * x.columns + head;
      for (std::int64_t j = 0; j < half; ++j) {
        float c = cos.row(i)[static_cast<std::size_t>(j)];
        float s = sin.row(i)[static_cast<std::size_t>(j)];
        to[j] = f32::sub(f32::mul(from[j], c), f32::mul(from[j + half], s));
        to[j + half] = f32::add(f32::mul(from[j + half], c), f32::mul(from[j], s));
      }
    }
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor patchify(const Call& call) {
  auto image = call.values<std::uint8_t>("image");
  const ir::Shape& shape = call.operand("image").shape();
  const auto& scale = call.op().get<std::vector<float>>("scale");
  const auto& bias = call.op().get<std::vector<float>>("bias");
  std::int64_t patch = call.integer("patch");
  std::vector<float> y;
  y.reserve(image.size());
  for (std::int64_t top = 0; top < shape[1]; top += patch)
    for (std::int64_t left = 0; left < shape[2]; left += patch)
      for (std::int64_t channel = 0; channel < shape[0]; ++channel)
        for (std::int64_t row = top; row < top + patch; ++row)
          for (std::int64_t column = left; column < left + patch; ++column) {
            auto pixel = static_cast<std::size_t>((channel * shape[1] + row) * shape[2] + column);
            auto c = static_cast<std::size_t>(channel);
            y.push_back(f32::add(f32::mul(image[pixel], scale[c]), bias[c]));
          }
  return Tensor::of(call.result_shape(), std::move(y));
}

}  // namespace tally::ops
