// SPDX-License-Identifier: Apache-2.0
// Quantisation: rewrites the fp32 products of a module into the exact ops of the quantised level,
// as a recipe says. Everything else (embeddings, norms, sums, activation functions) stays fp32 on
// the vector unit.
//
//   linear      x per token:  quantize_rows, matmul_i8, dequantize by row and column scales
//               x per tensor: quantize_static, matmul_i8, dequantize by column scales; the zero
//                             point is folded into an int32 offset of the constant weight
//   attention   q, k and v: quantize_rows per head and token, or quantize_static; attention_i8
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/passes/calibration.h"
#include "compiler/recipes/recipe.h"

namespace tally::passes {

// Errors name the op: a weight that is computed or absent from the store, a site that `calibration`
// (null where there is none) has no range for.
Expected<bool> quantise_linear(ir::Module& module, const Recipe& recipe,
                               const Calibration* calibration);
Expected<bool> quantise_attention(ir::Module& module, const Recipe& recipe,
                                  const Calibration* calibration);

}  // namespace tally::passes
