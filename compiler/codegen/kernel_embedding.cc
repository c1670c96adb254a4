// SPDX-License-Identifier: Apache-2.0
// Rows of a table by index, gathered by the load unit.
#include <algorithm>

#include "compiler/codegen/group_lowering.h"

namespace tally::codegen {

void GroupLowering::lower_embedding(const ir::Op& op) {
  const ir::Value* table = op.operand("table");
  if (!is_constant(table))
    throw CannotLower{ir::describe(op) + ": an embedding needs a constant table"};
  const DramTensor rows = lowering_->place_of(table);
  const DramTensor ids = lowering_->place_of(op.operand("ids"));
  for (Block& block : *blocks_) {
    const OnChip to = make_result(&block, op.result(), &op);
    for (std::int64_t row = 0; row < block.rows; row += isa::kGatherRowsMax) {
      const std::int64_t count = std::min<std::int64_t>(isa::kGatherRowsMax, block.rows - row);
      lowering_->emitter.gather(
          {.base = std::uint32_t(rows.address.base),
           .offset = std::uint64_t(rows.address.offset),
           .pitch = std::uint32_t(rows.layout.pitch),
           .rows = std::uint32_t(count),
           .row_bytes = std::uint32_t(rows.layout.pitch),
           .space = to.space,
           .address = std::uint32_t(to.address + row * to.layout.pitch),
           .address_pitch = std::uint32_t(to.layout.pitch),
           .index_base = std::uint32_t(ids.address.base),
           .index_offset = std::uint64_t(ids.address.offset + 4 * (block.first_row + row)),
           .limit = std::uint32_t(rows.layout.rows)});
    }
    store_result(block, op.result());
  }
}

}  // namespace tally::codegen
