// SPDX-License-Identifier: Apache-2.0
#include "compiler/isa/asm_lexer.h"

#include <charconv>

namespace tally::isa {
namespace {

constexpr std::string_view kBlanks = " \t\r";

}  // namespace

std::string_view strip(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t begin = line.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators,
                                    bool keep_empty) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t end = text.find_first_of(separators);
    const std::string_view piece = text.substr(0, end);
    if (keep_empty || !piece.empty()) out.push_back(piece);
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> out;
  std::size_t i = 0;
  while ((i = line.find_first_not_of(kBlanks, i)) != std::string_view::npos) {
    std::size_t end = i;
    bool braces = false;
    while (end < line.size() && (braces || kBlanks.find(line[end]) == std::string_view::npos)) {
      if (line[end] == '{') braces = true;
      if (line[end] == '}') braces = false;
      ++end;
    }
    out.push_back(line.substr(i, end - i));
    i = end;
  }
  return out;
}

std::optional<std::int64_t> number(std::string_view text, bool is_signed) {
  const bool negative = is_signed && text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto result =
      std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size() || value >> 62)
    return std::nullopt;
  return negative ? -std::int64_t(value) : std::int64_t(value);
}

}  // namespace tally::isa
