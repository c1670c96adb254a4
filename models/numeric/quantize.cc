// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/quantize.h"

#include <algorithm>
#include <array>
#include <vector>

#include "models/numeric/f32.h"
#include "models/numeric/f32_array.h"
#include "models/numeric/sums.h"

namespace tally {
namespace {

constexpr std::size_t kBlock = 256;
using Convert = void (*)(const uint32_t*, uint32_t, uint32_t*, std::size_t);

// mul by r, then to an 8-bit integer plus zero point: two vector steps, a block at a time.
template <class Integer>
void scale_and_convert(const float* x, std::size_t n, float r, int32_t zero_point, Convert convert,
                       Integer* q) {
  std::array<uint32_t, kBlock> block;
  for (std::size_t base = 0; base < n; base += kBlock) {
    const std::size_t count = std::min(kBlock, n - base);
    for (std::size_t i = 0; i < count; ++i) block[i] = as_bits(x[base + i]);
    f32::mul(block.data(), as_bits(r), block.data(), count);
    convert(block.data(), static_cast<uint32_t>(zero_point), block.data(), count);
    for (std::size_t i = 0; i < count; ++i) q[base + i] = static_cast<Integer>(block[i]);
  }
}

}  // namespace

float inverse_scale(float scale) { return f32::div(1.0f, scale); }

float quantize_row_i8(const float* x, std::size_t n, int8_t* q) {
  std::vector<float> magnitudes(n);
  for (std::size_t i = 0; i < n; ++i) magnitudes[i] = f32::abs(x[i]);
  const float scale = f32::div(max64(magnitudes.data(), n), kI8Levels);
  scale_and_convert(x, n, inverse_scale(scale), 0, f32::to_i8, q);
  return scale;
}

float quantize_row_u8(const float* x, std::size_t n, uint8_t* q) {
  const float scale = f32::div(max64(x, n), kU8Levels);
  scale_and_convert(x, n, inverse_scale(scale), 0, f32::to_u8, q);
  return scale;
}

Quantization affine_u8(float low, float high) {
  const float bottom = f32::min(low, 0.0f);
  const float scale = f32::div(f32::sub(f32::max(high, 0.0f), bottom), kU8Levels);
  if (scale == 0.0f) return {1.0f, 0};
  return {scale, f32::to_u8(f32::div(f32::neg(bottom), scale), int32_t{0})};
}

void quantize_i8(const float* x, std::size_t n, Quantization quantization, int8_t* q) {
  scale_and_convert(x, n, inverse_scale(quantization.scale), quantization.zero_point, f32::to_i8,
                    q);
}

void quantize_u8(const float* x, std::size_t n, Quantization quantization, uint8_t* q) {
  scale_and_convert(x, n, inverse_scale(quantization.scale), quantization.zero_point, f32::to_u8,
                    q);
}

int8_t requantize_i8(int32_t accumulator, Quantization quantization) {
  return f32::to_i8(dequantize(accumulator, quantization.scale), quantization.zero_point);
}

uint8_t requantize_u8(int32_t accumulator, Quantization quantization) {
  return f32::to_u8(dequantize(accumulator, quantization.scale), quantization.zero_point);
}

float dequantize(int32_t accumulator, float row_scale, float column_scale) {
  return f32::mul(f32::mul(f32::from_i32(accumulator), row_scale), column_scale);
}

float dequantize(int32_t accumulator, float scale) {
  return f32::mul(f32::from_i32(accumulator), scale);
}

}  // namespace tally
