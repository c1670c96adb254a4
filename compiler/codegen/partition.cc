// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/partition.h"

#include <algorithm>

#include "compiler/ir/op_info.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;
using ir::Value;

bool is_row_wise(OpKind kind) {
  switch (kind) {
    case OpKind::kEmbedding:
    case OpKind::kAdd:
    case OpKind::kMul:
    case OpKind::kGeluErf:
    case OpKind::kGeluTanh:
    case OpKind::kSilu:
    case OpKind::kRelu:
    case OpKind::kTanh:
    case OpKind::kSigmoid:
    case OpKind::kSoftmax:
    case OpKind::kLayernorm:
    case OpKind::kRmsnorm:
    case OpKind::kRope:
    case OpKind::kQuantizeRows:
    case OpKind::kQuantizeStatic:
    case OpKind::kMatmulI8:
    case OpKind::kDequantize:
    case OpKind::kRequantize:
    case OpKind::kAttentionI8:
      return true;
    default:
      return false;
  }
}

bool is_whole(OpKind kind) {
  return kind == OpKind::kPatchify || kind == OpKind::kConcatRows || kind == OpKind::kCopy ||
         kind == OpKind::kCacheWrite;
}

// Operands that a row-wise op reads as a whole, not row by row.
std::vector<const Value*> whole_operands(const Op& op) {
  if (op.kind() != OpKind::kAttentionI8) return {};
  return {op.operand("k"), op.operand("k_scales"), op.operand("v"), op.operand("v_scales"),
          op.operand("mask")};
}

bool made_in(const Group& group, const Value* value) {
  return value != nullptr &&
         std::find(group.ops.begin(), group.ops.end(), value->producer()) != group.ops.end();
}

// A view's operand must be in DRAM as a whole before the view is read.
bool reads_view_of(const Group& group, const Op& op) {
  for (const Value* operand : op.operands()) {
    const Value* base = operand;
    while (base != nullptr && is_view(*base->producer())) base = base->producer()->operand(0);
    if (base != operand && made_in(group, base)) return true;
  }
  return false;
}

bool joins(const Group& group, const Op& op) {
  if (group.ops.empty()) return true;
  if (!group.row_wise || op.result()->type.shape[0] != group.rows || reads_view_of(group, op))
    return false;
  const auto whole = whole_operands(op);
  return std::none_of(whole.begin(), whole.end(),
                      [&](const Value* value) { return made_in(group, value); });
}

}  // namespace

bool is_view(const Op& op) {
  return op.kind() == OpKind::kSliceRows || op.kind() == OpKind::kReshape;
}

bool is_boundary(const Op& op) {
  return op.kind() == OpKind::kInput || op.kind() == OpKind::kConstant ||
         op.kind() == OpKind::kOutput || is_view(op);
}

Expected<std::vector<Group>> partition(const ir::Function& function) {
  std::vector<Group> groups;
  Group current;
  const auto close = [&] {
    if (!current.ops.empty()) groups.push_back(std::move(current));
    current = {};
  };
  for (const auto& op : function.ops()) {
    if (is_boundary(*op)) continue;
    if (is_whole(op->kind())) {
      close();
      groups.push_back({op->result()->type.shape[0], {op.get()}, false});
      continue;
    }
    if (!is_row_wise(op->kind()))
      return fail("{}: this operation cannot be lowered to the machine", ir::describe(*op));
    if (!joins(current, *op)) close();
    current.rows = op->result()->type.shape[0];
    current.ops.push_back(op.get());
  }
  close();
  return groups;
}

}  // namespace tally::codegen
