// SPDX-License-Identifier: Apache-2.0
// Layer and root-mean-square normalisation, softmax: rows reduced, then rewritten.
#include "compiler/codegen/functions.h"
#include "compiler/codegen/group_lowering.h"
#include "compiler/codegen/row_reduction.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;
using isa::StepOp;

Stream over(const OnChip& value) { return stream_over(value.layout, value.space, value.address); }

}  // namespace

OnChip GroupLowering::make_row_values(const Block& block, std::int64_t slots, const Op* op) {
  return make(scales_layout(design_, block.rows, slots), op);
}

Stream GroupLowering::row_value(const OnChip& values, std::int64_t slot) const {
  Stream stream = over(values);
  stream.start += slot * values.layout.pitch / 4;
  stream.stride[0] = 0;
  return stream;
}

void GroupLowering::lower_norm(const Op& op) {
  const bool centred = op.kind() == OpKind::kLayernorm;
  const float inverse_width = 1.0f / float(op.result()->type.shape[1]);
  for (Block& block : *blocks_) {
    const OnChip x = need(&block, op.operand("x"));
    const OnChip y = make_result(&block, op.result(), &op);
    const OnChip rows = make_row_values(block, 2, &op);
    const Stream mean = row_value(rows, 0), reciprocal = row_value(rows, 1);
    const Extents extents{1, block.rows, x.layout.columns};

    Emitter* emitter = &lowering_->emitter;
    if (centred) {
      StreamedRoutine a;
      a.builder.psum(StepOp::kPsumAdd, a.load(over(x)));
      reduce_rows(emitter, a, StepOp::kFoldAdd, extents, mean,
                  [&](StreamedRoutine* row, auto sum, const auto& at) {
                    row->store(row->builder.binary(StepOp::kMul, sum, inverse_width), at(mean));
                  });
    }
    StreamedRoutine b;
    auto value = b.load(over(x));
    if (centred) value = b.builder.binary(StepOp::kSub, value, b.load(mean));
    b.builder.psum(StepOp::kPsumAdd, b.builder.binary(StepOp::kMul, value, value));
    reduce_rows(emitter, b, StepOp::kFoldAdd, extents, reciprocal,
                [&](StreamedRoutine* row, auto sum, const auto& at) {
                  auto variance = row->builder.binary(StepOp::kMul, sum, inverse_width);
                  variance = row->builder.binary(StepOp::kAdd, variance, op.get<float>("eps"));
                  const auto root = row->builder.unary(StepOp::kSqrt, variance);
                  const auto one = row->builder.constant(1.0f);
                  row->store(row->builder.binary(StepOp::kDiv, one, root), at(reciprocal));
                });

    RoutineBuilder c;
    auto scaled = c.load(0);
    if (centred) scaled = c.binary(StepOp::kSub, scaled, c.load(1));
    scaled = c.binary(StepOp::kMul, scaled, c.load(2));
    scaled = c.binary(StepOp::kMul, scaled, c.load(3));
    std::vector<Stream> streams{over(x), mean, reciprocal, parameter(op.operand("gamma"))};
    if (centred) {
      streams.push_back(parameter(op.operand("beta")));
      scaled = c.binary(StepOp::kAdd, scaled, c.load(4));
    }
    streams.push_back(over(y));
    c.store(scaled, int(streams.size()) - 1);
    run(c, extents, streams);
    store_result(block, op.result());
  }
}

void GroupLowering::lower_softmax(const Op& op) {
  for (Block& block : *blocks_) {
    const OnChip x = need(&block, op.operand("x"));
    const OnChip y = make_result(&block, op.result(), &op);
    const OnChip rows = make_row_values(block, 2, &op);
    const Stream maximum = row_value(rows, 0), reciprocal = row_value(rows, 1);
    const Extents extents{1, block.rows, x.layout.columns};

    Emitter* emitter = &lowering_->emitter;
    StreamedRoutine a;
    a.builder.psum(StepOp::kPsumMax, a.load(over(x)));
    reduce_rows(emitter, a, StepOp::kFoldMax, extents, maximum,
                [&](StreamedRoutine* row, auto largest, const auto& at) {
                  row->store(largest, at(maximum));
                });
    StreamedRoutine b;
    const auto e =
        emit_exp(&b.builder, b.builder.binary(StepOp::kSub, b.load(over(x)), b.load(maximum)));
    b.store(e, over(y));
    b.builder.psum(StepOp::kPsumAdd, e);
    reduce_rows(emitter, b, StepOp::kFoldAdd, extents, reciprocal,
                [&](StreamedRoutine* row, auto sum, const auto& at) {
                  const auto one = row->builder.constant(1.0f);
                  row->store(row->builder.binary(StepOp::kDiv, one, sum), at(reciprocal));
                });

    RoutineBuilder c;
    c.store(c.binary(StepOp::kMul, c.load(0), c.load(1)), 0);
    run(c, extents, {over(y), reciprocal});
    store_result(block, op.result());
  }
}

}  // namespace tally::codegen
