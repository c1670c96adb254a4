// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/onnx_quantize.h"

#include "models/numeric/f32.h"

namespace tally::onnx {

int8_t quantize_linear_i8(float x, Quantization quantization) {
  return f32::to_i8(f32::div(x, quantization.scale), quantization.zero_point);
}

uint8_t quantize_linear_u8(float x, Quantization quantization) {
  return f32::to_u8(f32::div(x, quantization.scale), quantization.zero_point);
}

Quantization dynamic_quantize_linear(const float* x, std::size_t n, uint8_t* q) {
  float low = 0.0f, high = 0.0f;
  for (std::size_t i = 0; i < n; ++i) {
    low = f32::min(low, x[i]);
    high = f32::max(high, x[i]);
  }
  const Quantization quantization = affine_u8(low, high);
  for (std::size_t i = 0; i < n; ++i) q[i] = quantize_linear_u8(x[i], quantization);
  return quantization;
}

}  // namespace tally::onnx
