// SPDX-License-Identifier: Apache-2.0
#include "models/ops/evaluate.h"

#include "models/ops/call.h"

namespace tally::ops {
namespace {

using ir::OpKind;
using ir::Tensor;
using Result = Expected<std::vector<Tensor>>;

Result one(Tensor value) { return std::vector{std::move(value)}; }

Result one(Expected<Tensor> value) {
  if (!value) return tl::unexpected(value.error());
  return one(std::move(*value));
}

Result evaluate_exact(const Call& call) {
  switch (call.op().kind()) {
    case OpKind::kGeluErf:
    case OpKind::kGeluTanh:
    case OpKind::kSilu:
    case OpKind::kTanh:
    case OpKind::kSigmoid:
      return one(exact::function(call));
    case OpKind::kSoftmax:
      return one(exact::softmax(call));
    case OpKind::kLayernorm:
      return one(exact::layernorm(call));
    case OpKind::kRmsnorm:
      return one(exact::rmsnorm(call));
    case OpKind::kQuantizeRows:
      return exact::quantize_rows(call);
    case OpKind::kQuantizeStatic:
      return one(exact::quantize_static(call));
    case OpKind::kMatmulI8:
      return one(exact::matmul_i8(call));
    case OpKind::kDequantize:
      return one(exact::dequantize(call));
    case OpKind::kRequantize:
      return one(exact::requantize(call));
    case OpKind::kAttentionI8:
      return one(exact::attention_i8(call));
    default:
      break;
  }
  TALLY_CHECK(false, "{} has no exact semantics", call.op().info().name);
  return {};
}

Result evaluate_reference(const Call& call) {
  switch (call.op().kind()) {
    case OpKind::kGeluErf:
    case OpKind::kGeluTanh:
    case OpKind::kSilu:
    case OpKind::kTanh:
    case OpKind::kSigmoid:
      return one(reference::function(call));
    case OpKind::kSoftmax:
      return one(reference::softmax(call));
    case OpKind::kLayernorm:
      return one(reference::layernorm(call));
    case OpKind::kRmsnorm:
      return one(reference::rmsnorm(call));
    case OpKind::kLinear:
      return one(reference::linear(call));
    case OpKind::kAttention:
      return one(reference::attention(call));
    default:
      break;
  }
  TALLY_CHECK(false, "{} has no reference semantics", call.op().info().name);
  return {};
}

}  // namespace

Result evaluate(const ir::Op& op, std::span<const Tensor* const> operands, Semantics semantics) {
  Call call(op, operands);
  switch (op.kind()) {
    case OpKind::kCopy:
      return one(call.operand("x"));
    case OpKind::kReshape:
      return one(reshape(call));
    case OpKind::kTranspose:
      return one(transpose(call));
    case OpKind::kConcatRows:
      return one(concat_rows(call));
    case OpKind::kSliceRows:
      return one(slice_rows(call));
    case OpKind::kSliceColumns:
      return one(slice_columns(call));
    case OpKind::kEmbedding:
      return one(embedding(call));
    case OpKind::kCacheWrite:
      return one(cache_write(call));
    case OpKind::kAdd:
      return one(add(call));
    case OpKind::kMul:
      return one(mul(call));
    case OpKind::kRelu:
      return one(relu(call));
    case OpKind::kRope:
      return one(rope(call));
    case OpKind::kPatchify:
      return one(patchify(call));
    default:
      break;
  }
  return semantics == Semantics::kExact ? evaluate_exact(call) : evaluate_reference(call);
}

}  // namespace tally::ops
