// SPDX-License-Identifier: Apache-2.0
// Layer and root-mean-square normalisation, softmax: rows reduced, then rewritten.
#include "compiler/codegen/functions.h"
#include "compiler/codegen/group_lowering.h"

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

    if (centred) {
      RoutineBuilder b;
      b.psum(StepOp::kPsumAdd, b.load(0));
      b.store(b.binary(StepOp::kMul, b.fold(StepOp::kFoldAdd), inverse_width), 1);
      run(b, extents, {over(x), mean});
    }
    RoutineBuilder b;
    auto value = b.load(0);
    if (centred) value = b.binary(StepOp::kSub, value, b.load(1));
    b.psum(StepOp::kPsumAdd, b.binary(StepOp::kMul, value, value));
    auto variance = b.binary(StepOp::kMul, b.fold(StepOp::kFoldAdd), inverse_width);
    variance = b.binary(StepOp::kAdd, variance, op.get<float>("eps"));
    const auto root = b.unary(StepOp::kSqrt, variance);
    b.store(b.binary(StepOp::kDiv, b.constant(1.0f), root), 2);
    run(b, extents, {over(x), mean, reciprocal});

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

    RoutineBuilder a;
    a.psum(StepOp::kPsumMax, a.load(0));
    a.store(a.fold(StepOp::kFoldMax), 1);
    run(a, extents, {over(x), maximum});

    RoutineBuilder b;
    const auto e = emit_exp(&b, b.binary(StepOp::kSub, b.load(0), b.load(1)));
    b.store(e, 2);
    b.psum(StepOp::kPsumAdd, e);
    const auto total = b.fold(StepOp::kFoldAdd);
    b.store(b.binary(StepOp::kDiv, b.constant(1.0f), total), 3);
    run(b, extents, {over(x), maximum, over(y), reciprocal});

    RoutineBuilder c;
    c.store(c.binary(StepOp::kMul, c.load(0), c.load(1)), 0);
    run(c, extents, {over(y), reciprocal});
    store_result(block, op.result());
  }
}

}  // namespace tally::codegen
