// SPDX-License-Identifier: Apache-2.0
// Splitting assembly text: words, key=value pairs, numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tally::isa {

// Text without comment and surrounding blanks.
std::string_view strip(std::string_view line);
// Pieces between `separators`, empty ones left out unless `keep_empty`.
std::vector<std::string_view> split(std::string_view text, std::string_view separators,
                                    bool keep_empty = false);
// Words of a line; what stands in braces belongs to its word.
std::vector<std::string_view> words(std::string_view line);
// Decimal or 0x hexadecimal, with a sign if `is_signed`.
std::optional<std::int64_t> number(std::string_view text, bool is_signed);

}  // namespace tally::isa
