// SPDX-License-Identifier: Apache-2.0
// What the families' configurations have in common: limits of sizes, activation functions, sizes
// that must divide.
#pragma once

#include <string>

#include "compiler/ir/op_info.h"
#include "models/io/config.h"

namespace tally::nets {

// No transformer in use comes near these; a size beyond them is a mistake in the file.
inline constexpr std::int64_t kMaxWidth = 1 << 20;
inline constexpr std::int64_t kMaxLayers = 1 << 12;
inline constexpr std::int64_t kMaxVocabulary = 1 << 24;
inline constexpr std::int64_t kMaxPositions = 1 << 24;
inline constexpr std::int64_t kMaxImage = 1 << 14;

// The op that an activation function's name stands for; the fallback's where the key is absent. An
// unknown name is an error with key and value.
Expected<ir::OpKind> activation(const io::Config& config, const std::string& key,
                                const std::string& fallback);

// A positive number in fp32.
Expected<float> positive(const io::Config& config, const std::string& key, double fallback);

// value / divisor; an error naming both keys where there is a remainder.
Expected<std::int64_t> divided(const io::Config& config, const std::string& value_key,
                               std::int64_t value, const std::string& divisor_key,
                               std::int64_t divisor);

// An error where the key is there and is not the one value that is supported.
Status need_boolean(const io::Config& config, const std::string& key, bool supported);

}  // namespace tally::nets
