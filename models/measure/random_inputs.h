// SPDX-License-Identifier: Apache-2.0
// Seeded random inputs of a graph: token ids of the vocabulary, pixel bytes, hidden rows and caches
// uniform in [-1, 1). A decode step at position p gets `position` p and the mask of keys 0 to p.
#pragma once

#include <cstdint>

#include "models/ops/interpreter.h"

namespace tally::measure {

// The next of a sequence of 64-bit numbers (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t next_random(std::uint64_t& state);

// `seed` is that of the sample. Inputs are those that models/nets/build.h names.
ops::Tensors random_inputs(const ir::Module& graph, std::int64_t vocabulary, std::int64_t position,
                           std::uint64_t seed);

}  // namespace tally::measure
