// SPDX-License-Identifier: Apache-2.0
// Greedy decoding: one prefill of the prompt, then a step a token with keys and values kept in
// caches whose length grows in buckets of 64, so that programs are reused.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "models/nets/build.h"
#include "models/ops/interpreter.h"

namespace tally::nets {

inline constexpr std::int64_t kCacheBucket = 64;

// Runs a graph of build() on its inputs. The same module object comes back for the same shape, and
// lives until generate() returns, so that a runner may keep what it compiled by address.
using Runner = std::function<Expected<ops::Tensors>(const ir::Module&, const ops::Tensors&)>;

// Runs graphs in the fp32 reference.
Runner reference_runner();

// Prompt and `count` more tokens, each the first of the largest logits. Errors: an empty prompt, a
// sequence longer than the model allows, no language model, an id outside the vocabulary, whatever
// the runner says.
Expected<std::vector<std::int32_t>> generate(const Model& model,
                                             std::span<const std::int32_t> prompt,
                                             std::int64_t count, const Runner& runner);

}  // namespace tally::nets
