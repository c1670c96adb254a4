// SPDX-License-Identifier: Apache-2.0
// Quantising and dequantising exactly as the machine does it in vector steps (docs/numerics.md):
// recipes multiply by a reciprocal that is rounded once per row or tensor. ONNX operators divide:
// onnx_quantize.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally {

// value = scale x (q - zero_point).
struct Quantization {
  float scale;
  int32_t zero_point;
};

inline constexpr float kI8Levels = 127.0f;  // symmetric: -127 to 127
inline constexpr float kU8Levels = 255.0f;

// 1 / scale. Infinite for a scale of 0 or below 2^-128: zeros then become 0 x infinity = NaN, which
// converts to 0, and other values saturate, so that what is dequantised stays finite.
float inverse_scale(float scale);

// Symmetric int8 of one row: m = max64(|x|), scale = m / 127, q = x times inverse_scale(scale).
// Returns the scale. A row of zeros gives zeros and scale 0. A row with NaN or infinity gives a
// scale that is not finite and no q but 0, so that it dequantises to NaN.
float quantize_row_i8(const float* x, std::size_t n, int8_t* q);

// The same for values that are not negative (attention weights): scale = max64(x) / 255.
float quantize_row_u8(const float* x, std::size_t n, uint8_t* q);

// uint8 parameters for values in [low, high], extended to contain 0: scale = (high - low) / 255,
// zero_point = -low / scale half to even. Scale 1 and zero point 0 where both are 0.
Quantization affine_u8(float low, float high);

// q = x times inverse_scale(scale), half to even, plus zero_point, saturated; n values.
void quantize_i8(const float* x, std::size_t n, Quantization quantization, int8_t* q);
void quantize_u8(const float* x, std::size_t n, Quantization quantization, uint8_t* q);

// An int32 accumulator to fp32, times scale, half to even, plus zero_point, saturated.
int8_t requantize_i8(int32_t accumulator, Quantization quantization);
uint8_t requantize_u8(int32_t accumulator, Quantization quantization);

// (float(accumulator) x row_scale) x column_scale: the row's (activations) first, each product
// rounded.
float dequantize(int32_t accumulator, float row_scale, float column_scale);
// float(accumulator) x scale, for activations with a static scale: scale = activation x weight
// scale, rounded once at compile time.
float dequantize(int32_t accumulator, float scale);

}  // namespace tally
