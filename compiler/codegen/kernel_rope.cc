// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding: the halves (x1, x2) of each head become
// (x1 cos - x2 sin, x2 cos + x1 sin).
#include "compiler/codegen/group_lowering.h"

namespace tally::codegen {

using isa::StepOp;

void GroupLowering::lower_rope(const ir::Op& op) {
  const std::int64_t heads = op.get<std::int64_t>("heads");
  const std::int64_t width = op.operand("x")->type.shape[1] / heads, half = width / 2;
  for (Block& block : *blocks_) {
    const OnChip x = need(&block, op.operand("x"));
    const OnChip cos = need(&block, op.operand("cos"));
    const OnChip sin = need(&block, op.operand("sin"));
    const OnChip y = make_result(&block, op.result(), &op);
    const auto halves = [&](const OnChip& value, std::int64_t first) {
      Stream stream = stream_over(value.layout, value.space, value.address);
      stream.start += first;
      stream.stride[0] = width;
      return stream;
    };
    RoutineBuilder b;
    const auto x1 = b.load(0), x2 = b.load(1), c = b.load(2), s = b.load(3);
    b.store(b.binary(StepOp::kSub, b.binary(StepOp::kMul, x1, c), b.binary(StepOp::kMul, x2, s)),
            4);
    b.store(b.binary(StepOp::kAdd, b.binary(StepOp::kMul, x2, c), b.binary(StepOp::kMul, x1, s)),
            5);
    run(b, {heads, block.rows, half},
        {halves(x, 0), halves(x, half), stream_over(cos.layout, cos.space, cos.address),
         stream_over(sin.layout, sin.space, sin.address), halves(y, 0), halves(y, half)});
    store_result(block, op.result());
  }
}

}  // namespace tally::codegen
