// SPDX-License-Identifier: Apache-2.0
// How the values of a lowered module lie in DRAM and in the scratchpads. Both use the same pitches,
// so that rows which follow each other move as one contiguous transfer.
#pragma once

#include <cstdint>

#include "compiler/codegen/emitter.h"
#include "compiler/design/design.h"
#include "compiler/ir/ir.h"
#include "models/base/error.h"

namespace tally::codegen {

std::int64_t ceil_div(std::int64_t a, std::int64_t b);
std::int64_t round_up(std::int64_t value, std::int64_t multiple);
std::int64_t element_bytes(isa::Element element);

enum class LayoutKind {
  kRows,     // (rows, columns), row-major
  kGrouped,  // (rows, groups, columns): each group padded, so that each can be an operand of the
             // array
  kScales,   // (groups, rows): one fp32 for each row and group, so that a group's are contiguous
};

struct Layout {
  LayoutKind kind = LayoutKind::kRows;
  isa::Element element = isa::Element::kF32;
  std::int64_t rows = 0, groups = 1, columns = 0;  // columns of one group
  std::int64_t pitch = 0;        // bytes from row to row; kScales: from group to group
  std::int64_t group_pitch = 0;  // kGrouped: bytes from group to group in a row

  std::int64_t bytes() const;
  // Bytes of the rows of a block: rows that move together.
  std::int64_t row_bytes() const { return pitch; }
};

// Rows of `columns` elements, aligned for lanes, port and array.
Layout rows_layout(const Design& design, isa::Element element, std::int64_t rows,
                   std::int64_t columns);
Layout grouped_layout(const Design& design, isa::Element element, std::int64_t rows,
                      std::int64_t groups, std::int64_t columns);
Layout scales_layout(const Design& design, std::int64_t rows, std::int64_t groups);

// The same layout for a block of `rows` rows.
Layout block_layout(const Design& design, const Layout& whole, std::int64_t rows);

// The layout of a value, from its type, the op that makes it and the ops that use it. Fails, naming
// the node, for shapes and formats that cannot be lowered.
Expected<Layout> layout_of(const Design& design, const ir::Value& value);

// A vector run walks (groups, rows, columns); this stream visits the element of a value in that
// order. kScales values are broadcast along the columns.
Stream stream_over(const Layout& layout, isa::Space space, std::int64_t address);

}  // namespace tally::codegen
