// SPDX-License-Identifier: Apache-2.0
// The King James text as bytes, printed by Debian's program `bible` (packages bible-kjv and
// bible-kjv-text), cut into sequences for byte-level language models.
//
// The split: the first kKjvTrainBytes bytes are for training and calibration, the rest (from
// 1 Corinthians 16:5 on) is held out. A split is cut into consecutive sequences of `context` bytes;
// a shorter rest at its end is left out. models/zoo/zoo_data.py does the same.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "models/data/data_set.h"
#include "models/data/fashion_mnist.h"

namespace tally {

inline constexpr std::size_t kKjvBytes = 4'298'239;
inline constexpr std::size_t kKjvTrainBytes = 4'000'000;
inline constexpr std::size_t kKjvContext = 128;
inline constexpr const char* kKjvSha256 =
    "82fa5f3788c6a9a010fb128a0f0bf588984b5888a82058520620eded59b033ea";

// The data folder is named, since `bible` looks into the current one first, and so is the line
// length, which it would else take from COLUMNS.
inline constexpr const char* kKjvCommand = "bible -p /usr/lib -l79 'Gen1:1-Rev22:21'";

// The whole text, as the shell command prints it (about 0.1 s); nothing is cached. Refuses a
// command that fails and a text whose SHA-256 is not kKjvSha256, naming the Debian packages.
Expected<std::string> kjv_text(const std::string& command = kKjvCommand);

// `limit` sequences spread evenly over the split (all without a limit), named "kjv-train" or
// "kjv-test"; an id is a byte. Refuses a context below 2 or longer than the split.
Expected<DataSet> load_kjv(Split split, std::size_t context = kKjvContext,
                           std::optional<std::size_t> limit = std::nullopt);

}  // namespace tally
