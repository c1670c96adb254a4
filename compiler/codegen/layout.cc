// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/layout.h"

#include <algorithm>

namespace tally::codegen {
namespace {

std::int64_t word_alignment(const Design& d) { return std::max(4 * d.lanes, d.port_bytes); }
std::int64_t byte_alignment(const Design& d) {
  return std::max({d.lanes, d.rows, d.columns, d.port_bytes});
}

std::int64_t padded_bytes(const Design& design, isa::Element element, std::int64_t columns) {
  const std::int64_t bytes = columns * element_bytes(element);
  return round_up(bytes,
                  element_bytes(element) == 4 ? word_alignment(design) : byte_alignment(design));
}

Expected<isa::Element> element_of(const ir::Value& value) {
  switch (value.type.format) {
    case ir::Format::kF32:
      return isa::Element::kF32;
    case ir::Format::kI32:
      return isa::Element::kI32;
    case ir::Format::kI8:
      return isa::Element::kI8;
    case ir::Format::kU8:
      return isa::Element::kU8;
    default:
      break;
  }
  return fail("{}: values of format {} cannot be lowered to the machine",
              ir::describe(*value.producer()), ir::format_name(value.type.format));
}

// Heads in which attention reads a value as q, k or v; 0 where it does not.
std::int64_t attention_groups(const ir::Value& value) {
  for (const ir::Op* user : value.producer()->function()->users(&value)) {
    if (user->kind() != ir::OpKind::kAttentionI8) continue;
    if (user->operand("q") == &value) return user->get<std::int64_t>("heads");
    if (user->operand("k") == &value || user->operand("v") == &value)
      return user->get<std::int64_t>("kv_heads");
  }
  return 0;
}

}  // namespace

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return ceil_div(value, multiple) * multiple;
}
std::int64_t element_bytes(isa::Element element) {
  return element == isa::Element::kF32 || element == isa::Element::kI32 ? 4 : 1;
}

std::int64_t Layout::bytes() const {
  return kind == LayoutKind::kScales ? groups * pitch : rows * pitch;
}

Layout rows_layout(const Design& design, isa::Element element, std::int64_t rows,
                   std::int64_t columns) {
  return {LayoutKind::kRows, element, rows, 1, columns, padded_bytes(design, element, columns), 0};
}

Layout grouped_layout(const Design& design, isa::Element element, std::int64_t rows,
                      std::int64_t groups, std::int64_t columns) {
  const std::int64_t group = padded_bytes(design, element, columns);
  return {LayoutKind::kGrouped, element, rows, groups, columns, groups * group, group};
}

Layout scales_layout(const Design& design, std::int64_t rows, std::int64_t groups) {
  return {LayoutKind::kScales,
          isa::Element::kF32,
          rows,
          groups,
          1,
          padded_bytes(design, isa::Element::kF32, rows),
          0};
}

Layout block_layout(const Design& design, const Layout& whole, std::int64_t rows) {
  if (whole.kind == LayoutKind::kScales) return scales_layout(design, rows, whole.groups);
  Layout block = whole;
  block.rows = rows;
  return block;
}

Expected<Layout> layout_of(const Design& design, const ir::Value& value) {
  TALLY_ASSIGN(const isa::Element element, element_of(value));
  const ir::Op& producer = *value.producer();
  const ir::Shape& shape = value.type.shape;
  if (producer.kind() == ir::OpKind::kQuantizeRows && value.index() == 1)
    return scales_layout(design, shape[0], shape.size() == 2 ? shape[1] : 1);
  if (const std::int64_t groups = attention_groups(value); groups > 0 && shape.size() == 2)
    return grouped_layout(design, element, shape[0], groups, shape[1] / groups);
  if (shape.size() == 1) return rows_layout(design, element, 1, shape[0]);
  if (shape.size() == 2) return rows_layout(design, element, shape[0], shape[1]);
  // Images and the like: contiguous, as one row.
  return rows_layout(design, element, 1, value.type.elements());
}

Stream stream_over(const Layout& layout, isa::Space space, std::int64_t address) {
  const std::int64_t size = element_bytes(layout.element);
  Stream stream{space, layout.element, address / size, {}};
  switch (layout.kind) {
    case LayoutKind::kRows:
      stream.stride = {0, layout.pitch / size, 1};
      break;
    case LayoutKind::kGrouped:
      stream.stride = {layout.group_pitch / size, layout.pitch / size, 1};
      break;
    case LayoutKind::kScales:
      stream.stride = {layout.pitch / size, 1, 0};
      break;
  }
  return stream;
}

}  // namespace tally::codegen
