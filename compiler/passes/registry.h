// SPDX-License-Identifier: Apache-2.0
// The passes by name, and the pipeline of a recipe as text.
//
//   infer-shapes(INPUT=AxB)    types from operands, with new shapes for the named inputs
//   canonicalise               movements and sums in one form
//   fold-constants             movements of constants done when the tensor is loaded
//   quantise-linear(granularity=channel|tensor,scales=token|tensor,format=int8|uint8)
//   quantise-attention(scales=token|tensor,block=N)
//                              products in int8, as the recipe keys of these names say
//   eliminate-common           equal computations once
//   eliminate-dead             unused computations removed
//
// To add a pass: a file here, a line in registry.cc, its test in tests/unit/passes.
#pragma once

#include "compiler/ir/pass.h"
#include "compiler/passes/calibration.h"
#include "compiler/recipes/recipe.h"

namespace tally::passes {

// `calibration` outlives the passes made; null where nothing was calibrated.
ir::PassRegistry make_registry(const Calibration* calibration = nullptr);

// The passes that lower a model by a recipe, for PassManager::add_pipeline().
std::string default_pipeline(const Recipe& recipe);

}  // namespace tally::passes
