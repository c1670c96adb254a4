// SPDX-License-Identifier: Apache-2.0
// The model-level graph of an imported model for one shape.
//
// Language model: input ids i32[tokens], output logits f32[tokens or 1, vocabulary]. ViT: input
// image u8[channels, size, size], output logits f32[1, classes]. With a part of the layers, input
// or output may be `hidden` f32[tokens, hidden] instead.
//
// With a cache of M rows there are for every layer L inputs and outputs cache.k.L and cache.v.L,
// f32[M, kv_heads x head_dim]:
//   prefill  the tokens stand at positions 0..tokens-1; their keys and values are written there.
//   decode   one token at input position i32[1]; input mask f32[M], 1.0 for keys 0..position and +0
//   behind.
#pragma once

#include <optional>
#include <utility>

#include "compiler/ir/ir.h"
#include "models/nets/model.h"

namespace tally::nets {

enum class Head { kAll, kLast };

struct BuildOptions {
  std::int64_t tokens = 1;  // language models
  Head head = Head::kAll;   // rows of the logits of language models
  // Layers first to second - 1; all where absent.
  std::optional<std::pair<std::int64_t, std::int64_t>> layers = {};
  std::int64_t cache = 0;  // rows of the cache; 0 for none
  bool decode = false;     // needs a cache and one token
};

// A verified module with one function, main, whose nodes are named as the model's tensors. Errors
// name the limit that the options break.
Expected<ir::Module> build(const Model& model, const BuildOptions& options);

}  // namespace tally::nets
