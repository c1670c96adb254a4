// SPDX-License-Identifier: Apache-2.0
// Weights in int8, made per tensor only when loaded: symmetric, a scale per output channel (a row)
// or per tensor.
//
// By the dynamic rule of docs/numerics.md, as activations: zeros stay zeros, with scale 0. A value
// that is not finite is an error naming tensor and row.
#pragma once

#include <memory>
#include <string>

#include "compiler/ir/ir.h"
#include "compiler/recipes/recipe.h"

namespace tally::passes {

struct QuantisedWeight {
  ir::Value* values;  // i8[N, K], constant
  ir::Value* scales;  // f32[N], constant: of the weight, times the activations' scale if any
  ir::Value* offset = nullptr;  // i32[N], constant: -zero_point x sum_k values[n, k]; null where 0
};

// Scale and zero point of the activations that a weight is multiplied with; 1 and 0 for dynamic
// ones, whose scales are values of the graph.
struct ActivationScale {
  float scale = 1;
  std::int64_t zero_point = 0;
};

// Adds the tensors of `weight` (f32[N, K], a constant) to the module's store, and constants that
// name them in front of `before`. Tensors: NAME.int8, NAME.int8.scale, with a static scale
// NAME.int8.scale(S) and NAME.int8.offset(Z). NAME.int8.tensor for a scale per tensor. Errors:
// `weight` is computed, or names a tensor that the store lacks.
Expected<QuantisedWeight> quantise_weight(ir::Module& module, const ir::Op& before,
                                          const ir::Value& weight, WeightGranularity granularity,
                                          const ActivationScale& activations);

// The values (i8[N, K]) and scales (f32[N]) of a weight f32[N, K].
Expected<ir::Tensor> weight_values(const ir::Tensor& weight, WeightGranularity granularity);
Expected<ir::Tensor> weight_scales(const ir::Tensor& weight, WeightGranularity granularity);

}  // namespace tally::passes
