// SPDX-License-Identifier: Apache-2.0
// The ONNX operators QuantizeLinear and DynamicQuantizeLinear (opset 21 text): they divide by the
// scale, where our recipes multiply by its reciprocal (quantize.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "models/numeric/quantize.h"

namespace tally::onnx {

// saturate(round half to even(x / scale) + zero_point), the quotient rounded to fp32.
int8_t quantize_linear_i8(float x, Quantization quantization);
uint8_t quantize_linear_u8(float x, Quantization quantization);

// Parameters from the n values themselves (affine_u8 of their range), then quantize_linear_u8.
Quantization dynamic_quantize_linear(const float* x, std::size_t n, uint8_t* q);

}  // namespace tally::onnx
