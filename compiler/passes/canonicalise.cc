// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/canonicalise.h"

namespace tally::passes {
namespace {

using ir::Op;
using ir::OpKind;
using ir::Value;

bool is_slice(OpKind kind) { return kind == OpKind::kSliceRows || kind == OpKind::kSliceColumns; }

// The value that the op repeats; null where it does something. A movement that keeps type and
// element order keeps every element, except a transposition.
Value* repeated(const Op& op) {
  const bool keeps_order =
      op.kind() == OpKind::kCopy || op.kind() == OpKind::kReshape || is_slice(op.kind());
  if (keeps_order && op.operand(0)->type == op.result()->type) return op.operand(0);
  if (op.kind() != OpKind::kTranspose) return nullptr;
  const Op& inner = *op.operand(0)->producer();
  const bool undone =
      inner.kind() == OpKind::kTranspose && inner.operand(0)->type == op.result()->type;
  return undone ? inner.operand(0) : nullptr;
}

// reshape of reshape, slice of slice: takes the inner op's operand directly.
bool merge_chain(Op& op) {
  if (op.kind() != OpKind::kReshape && !is_slice(op.kind())) return false;
  const Op& inner = *op.operand(0)->producer();
  if (inner.kind() != op.kind() || inner.result()->type.space != inner.operand(0)->type.space)
    return false;
  if (is_slice(op.kind())) {
    const auto start = inner.get<std::int64_t>("begin");
    for (const char* bound : {"begin", "end"})
      op.attributes[bound] = start + op.get<std::int64_t>(bound);
  }
  op.set_operand(0, inner.operand(0));
  return true;
}

// Sums and products commute bit for bit (a NaN result has one form).
bool constant_to_the_right(Op& op) {
  if (op.kind() != OpKind::kAdd && op.kind() != OpKind::kMul) return false;
  Value* a = op.operand(0);
  Value* b = op.operand(1);
  if (a->producer()->kind() != OpKind::kConstant || b->producer()->kind() == OpKind::kConstant ||
      !a->type.same_value(b->type))
    return false;
  op.set_operand(0, b);
  op.set_operand(1, a);
  return true;
}

bool canonicalise_function(ir::Function& function) {
  bool changed = false;
  std::vector<Op*> repeats;
  for (const auto& op : function.ops()) {
    while (merge_chain(*op)) changed = true;
    changed |= constant_to_the_right(*op);
    if (Value* value = repeated(*op)) {
      function.replace_uses(op->result(), value);
      repeats.push_back(op.get());
    }
  }
  for (Op* op : repeats) function.erase(op);
  return changed || !repeats.empty();
}

}  // namespace

Expected<bool> canonicalise(ir::Module& module) {
  bool changed = false;
  for (const auto& function : module.functions()) changed |= canonicalise_function(*function);
  return changed;
}

}  // namespace tally::passes
