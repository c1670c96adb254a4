// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/type.h"

#include <fmt/ranges.h>

#include <array>

namespace tally::ir {
namespace {

constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

struct FormatRow {
  std::string_view name;
  std::int64_t bytes;
};

#define TALLY_IR_ROW(enumerator, name, bytes) FormatRow{#name, bytes},
constexpr auto kFormats = std::to_array<FormatRow>({TALLY_IR_FORMATS(TALLY_IR_ROW)});
#undef TALLY_IR_ROW
#define TALLY_IR_NAME(enumerator, name) std::string_view(#name),
constexpr auto kSpaces = std::to_array<std::string_view>({TALLY_IR_SPACES(TALLY_IR_NAME)});
#undef TALLY_IR_NAME

}  // namespace

std::string_view format_name(Format format) { return kFormats.at(static_cast<int>(format)).name; }

std::int64_t format_bytes(Format format) { return kFormats.at(static_cast<int>(format)).bytes; }

Expected<Format> parse_format(std::string_view name) {
  for (std::size_t i = 0; i < kFormats.size(); ++i)
    if (kFormats[i].name == name) return static_cast<Format>(i);
  return fail("unknown element format '{}'", name);
}

std::string_view space_name(Space space) { return kSpaces.at(static_cast<int>(space)); }

Expected<Space> parse_space(std::string_view name) {
  for (std::size_t i = 0; i < kSpaces.size(); ++i)
    if (kSpaces[i] == name) return static_cast<Space>(i);
  return fail("unknown memory space '{}'", name);
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t dimension : shape) count *= dimension;
  return count;
}

std::string shape_text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

Status check_shape(const Shape& shape) {
  std::int64_t count = 1;
  for (std::int64_t dimension : shape) {
    if (dimension < 1) return fail("shape {} has a dimension below 1", shape_text(shape));
    if (dimension > kMaxElements / count)
      return fail("shape {} has more than 2^40 elements", shape_text(shape));
    count *= dimension;
  }
  return {};
}

std::string type_text(const Type& type) {
  std::string text = fmt::format("{}{}", format_name(type.format), shape_text(type.shape));
  if (type.space != Space::kNone) text += fmt::format("@{}", space_name(type.space));
  return text;
}

}  // namespace tally::ir
