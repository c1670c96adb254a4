// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/op_info.h"

#include <algorithm>
#include <array>

namespace tally::ir {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The comma-separated parts between the next `open` in `text` and `close`; `text` then starts
// behind it.
std::vector<std::string_view> take_list(std::string_view& text, char open, char close) {
  std::size_t begin = text.find(open);
  std::size_t end = text.find(close, begin);
  TALLY_CHECK(begin != text.npos && end != text.npos, "signature '{}'", text);
  std::string_view list = text.substr(begin + 1, end - begin - 1);
  text.remove_prefix(end + 1);
  std::vector<std::string_view> parts;
  while (!trimmed(list).empty()) {
    std::size_t comma = std::min(list.find(','), list.size());
    parts.push_back(trimmed(list.substr(0, comma)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

bool take_optional(std::string_view& part) {
  bool optional = part.ends_with('?');
  if (optional) part.remove_suffix(1);
  return optional;
}

AttributeType attribute_type_by_name(std::string_view name) {
#define TALLY_IR_CASE(enumerator, type_name, type) \
  if (name == #type_name) return AttributeType::enumerator;
  TALLY_IR_ATTRIBUTE_TYPES(TALLY_IR_CASE)
#undef TALLY_IR_CASE
  TALLY_CHECK(false, "attribute type '{}' in op_list.h", name);
  return {};
}

OperandInfo parse_operand(std::string_view part) {
  bool optional = take_optional(part);
  return {std::string(part), optional};
}

AttributeInfo parse_attribute(std::string_view part) {
  bool optional = take_optional(part);
  std::size_t colon = part.find(':');
  TALLY_CHECK(colon != part.npos, "attribute '{}' in op_list.h", part);
  return {std::string(part.substr(0, colon)),
          attribute_type_by_name(trimmed(part.substr(colon + 1))), optional};
}

OpInfo make_info(OpKind kind, std::string_view name, std::string_view signature,
                 unsigned properties, std::string_view doc) {
  OpInfo info{kind, name, signature, properties, doc, {}, {}, {}};
  std::string_view rest = signature;
  for (auto part : take_list(rest, '(', ')')) info.operands.push_back(parse_operand(part));
  for (auto part : take_list(rest, '{', '}')) info.attributes.push_back(parse_attribute(part));
  for (auto part : take_list(rest, '(', ')')) info.results.emplace_back(part);
  return info;
}

const std::vector<OpInfo>& table() {
  static const std::vector<OpInfo> infos = {
#define TALLY_IR_ROW(enumerator, name, signature, properties, doc) \
  make_info(OpKind::enumerator, #name, signature, properties, doc),
      TALLY_IR_OPS(TALLY_IR_ROW)
#undef TALLY_IR_ROW
  };
  return infos;
}

}  // namespace

std::size_t OpInfo::operand_index(std::string_view operand) const {
  auto found = std::ranges::find(operands, operand, &OperandInfo::name);
  TALLY_CHECK(found != operands.end(), "{} has no operand '{}'", name, operand);
  return static_cast<std::size_t>(found - operands.begin());
}

const AttributeInfo* OpInfo::attribute(std::string_view attribute_name) const {
  auto found = std::ranges::find(attributes, attribute_name, &AttributeInfo::name);
  return found == attributes.end() ? nullptr : &*found;
}

const OpInfo& op_info(OpKind kind) { return table().at(static_cast<std::size_t>(kind)); }

std::span<const OpInfo> all_ops() { return table(); }

std::optional<OpKind> find_op(std::string_view name) {
  auto found = std::ranges::find(table(), name, &OpInfo::name);
  return found == table().end() ? std::nullopt : std::optional(found->kind);
}

}  // namespace tally::ir
