// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: the frequencies that a configuration asks for, and tables of their
// cosines and sines.
#pragma once

#include <vector>

#include "compiler/ir/tensor.h"
#include "models/io/config.h"

namespace tally::nets {

// Radians a position of the head_dim / 2 pairs: theta^(-2j / head_dim), scaled as `rope_scaling`
// says (kinds default, linear, llama3; others are refused by name). The llama3 rule is that of
// Llama 3.1: wavelengths above the original context over low_freq_factor are divided, below that
// over high_freq_factor kept, between them blended.
Expected<std::vector<float>> rope_frequencies(const io::Config& config, std::int64_t head_dim);

// Cosine and sine of position x frequency (a product in fp32) for positions 0 to rows - 1, as
// f32[rows, frequencies].
struct RopeTables {
  ir::Tensor cos;
  ir::Tensor sin;
};
RopeTables rope_tables(const std::vector<float>& frequencies, std::int64_t rows);

}  // namespace tally::nets
