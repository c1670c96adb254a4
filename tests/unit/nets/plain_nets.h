// SPDX-License-Identifier: Apache-2.0
// The three families in plain double precision, straight from the stored tensors: the second
// opinion on the importer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tests/unit/nets/tiny_models.h"

namespace tally::nets {

using Rows = std::vector<std::vector<double>>;

// Logits of every position, by the names and sizes of tiny_gpt2() and tiny_llama(); GELU by erf or
// tanh, RoPE with the given frequencies.
Rows plain_gpt2(const TinyModel& model, std::span<const std::int32_t> ids, bool erf = false);
Rows plain_llama(const TinyModel& model, std::span<const std::int32_t> ids);
// Logits of an image of 2 x 6 x 6 bytes.
Rows plain_vit(const TinyModel& model, std::span<const std::uint8_t> image);

}  // namespace tally::nets
