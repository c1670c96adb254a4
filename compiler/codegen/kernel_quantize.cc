// SPDX-License-Identifier: Apache-2.0
// Dynamic quantisation: int8 with a scale for each row, or each group of columns of a row.
#include "compiler/codegen/functions.h"
#include "compiler/codegen/group_lowering.h"
#include "compiler/codegen/row_reduction.h"

namespace tally::codegen {

using isa::StepOp;

void GroupLowering::lower_quantize_rows(const ir::Op& op) {
  const std::int64_t groups = op.has("groups") ? op.get<std::int64_t>("groups") : 1;
  const std::int64_t columns = op.operand("x")->type.shape[1] / groups;
  for (Block& block : *blocks_) {
    const OnChip x = need(&block, op.operand("x"));
    const OnChip q = make_result(&block, op.result(0), &op);
    const OnChip scales = make_result(&block, op.result(1), &op);
    const OnChip reciprocals = make(scales_layout(design_, block.rows, groups), &op);
    Stream from = stream_over(x.layout, x.space, x.address);
    Stream to = stream_over(q.layout, q.space, q.address);
    if (groups > 1) from.stride[0] = columns;
    // A group's padding lies between groups where the array reads them; else groups follow each
    // other.
    if (groups > 1 && q.layout.kind == LayoutKind::kRows) to.stride[0] = columns;
    const Stream scale = stream_over(scales.layout, scales.space, scales.address);
    const Stream reciprocal =
        stream_over(reciprocals.layout, reciprocals.space, reciprocals.address);
    const Extents extents{groups, block.rows, columns};

    StreamedRoutine a;
    a.builder.psum(StepOp::kPsumMax, a.builder.unary(StepOp::kAbs, a.load(from)));
    reduce_rows(&lowering_->emitter, a, StepOp::kFoldMax, extents, scale,
                [&](StreamedRoutine* rows, auto maximum, const auto& at) {
                  const RowScale row = emit_row_scale(&rows->builder, maximum, 127.0f);
                  rows->store(row.scale, at(scale));
                  rows->store(row.reciprocal, at(reciprocal));
                });
    StreamedRoutine b;
    const auto product = b.builder.binary(StepOp::kMul, b.load(from), b.load(reciprocal));
    b.store(b.builder.binary_bits(StepOp::kF32ToI8, product, 0), to);
    b.emit(&lowering_->emitter, extents);
    store_result(block, op.result(0));
    store_result(block, op.result(1));
  }
}

}  // namespace tally::codegen
