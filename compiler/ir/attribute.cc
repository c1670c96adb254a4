// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/attribute.h"

#include <array>
#include <bit>
#include <cmath>
#include <type_traits>

namespace tally::ir {
namespace {

#define TALLY_IR_NAME(enumerator, name, type)                                             \
  static_assert(                                                                          \
      std::is_same_v<std::variant_alternative_t<                                          \
                         static_cast<std::size_t>(AttributeType::enumerator), Attribute>, \
                     type>);
TALLY_IR_ATTRIBUTE_TYPES(TALLY_IR_NAME)
#undef TALLY_IR_NAME

#define TALLY_IR_NAME(enumerator, name, type) std::string_view(#name),
constexpr auto kNames = std::to_array<std::string_view>({TALLY_IR_ATTRIBUTE_TYPES(TALLY_IR_NAME)});
#undef TALLY_IR_NAME

template <class T>
std::string scalar_text(T value) {
  if constexpr (std::is_same_v<T, float>) return float_text(value);
  return fmt::format("{}", static_cast<std::int64_t>(value));
}

template <class Range>
std::string list_text(const Range& range) {
  std::string text = "[";
  for (auto value : range) text += (text.size() > 1 ? ", " : "") + scalar_text(value);
  return text + "]";
}

std::string tensor_text(const Tensor& tensor) {
  switch (tensor.type().format) {
    case Format::kF32:
      return list_text(tensor.as<float>());
    case Format::kI8:
      return list_text(tensor.as<std::int8_t>());
    case Format::kU8:
      return list_text(tensor.as<std::uint8_t>());
    case Format::kI32:
      return list_text(tensor.as<std::int32_t>());
    default:
      TALLY_CHECK(false, "inline constant of {}", type_text(tensor.type()));
  }
  return {};
}

struct TextVisitor {
  std::string operator()(std::int64_t value) const { return scalar_text(value); }
  std::string operator()(float value) const { return float_text(value); }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(const std::string& value) const { return quote(value); }
  std::string operator()(const std::vector<std::int64_t>& value) const { return list_text(value); }
  std::string operator()(const std::vector<float>& value) const { return list_text(value); }
  std::string operator()(Format value) const { return std::string(format_name(value)); }
  std::string operator()(const Tensor& value) const { return tensor_text(value); }
};

}  // namespace

AttributeType attribute_type(const Attribute& attribute) {
  return static_cast<AttributeType>(attribute.index());
}

std::string_view attribute_type_name(AttributeType type) {
  return kNames.at(static_cast<int>(type));
}

std::string attribute_text(const Attribute& attribute) {
  return std::visit(TextVisitor{}, attribute);
}

std::string float_text(float value) {
  if (!std::isfinite(value)) return fmt::format("0x{:08x}", std::bit_cast<std::uint32_t>(value));
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace tally::ir
