// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/builder.h"
#include "compiler/passes/quantise.h"
#include "compiler/passes/static_scale.h"

namespace tally::passes {
namespace {

using ir::Op;
using ir::OpKind;
using ir::Value;

// Quantises q, k or v: adds values and scales to the operands, or the static scale to the
// attributes of the new op.
Status quantise_operand(ir::Builder& builder, const Op& op, const std::string& name,
                        const Recipe& recipe, const Calibration* calibration,
                        std::vector<Value*>* operands, ir::Attributes* attributes) {
  Value* x = op.operand(name);
  if (recipe.attention_scales == ScaleSource::kToken) {
    const auto groups = op.get<std::int64_t>(name == "q" ? "heads" : "kv_heads");
    Op* rows = builder.op(OpKind::kQuantizeRows, {x}, {{"groups", groups}},
                          {x->name() + ".q", x->name() + ".s"});
    operands->insert(operands->end(), {rows->result(0), rows->result(1)});
    return {};
  }
  TALLY_ASSIGN(const ActivationScale scale,
               static_scale(op, name, ActivationFormat::kInt8, calibration));
  operands->push_back(quantize_static(builder, x, scale, ActivationFormat::kInt8));
  operands->push_back(nullptr);
  attributes->emplace(name + "_scale", scale.scale);
  return {};
}

Status rewrite(Op& op, const Recipe& recipe, const Calibration* calibration) {
  ir::Builder builder(op.function(), &op);
  builder.set_node(op.node);
  std::vector<Value*> operands;
  ir::Attributes attributes = op.attributes;
  if (recipe.attention_block != 0) attributes["block"] = recipe.attention_block;
  for (const char* name : {"q", "k", "v"})
    TALLY_TRY(quantise_operand(builder, op, name, recipe, calibration, &operands, &attributes));
  operands.push_back(op.operand("mask"));
  Value* y = builder.value(OpKind::kAttentionI8, std::move(operands), std::move(attributes),
                           op.result()->name() + ".f");
  op.function()->replace_uses(op.result(), y);
  op.function()->erase(&op);
  return {};
}

}  // namespace

Expected<bool> quantise_attention(ir::Module& module, const Recipe& recipe,
                                  const Calibration* calibration) {
  bool changed = false;
  for (const auto& function : module.functions()) {
    for (Op* op : function->of_kind(OpKind::kAttention)) {
      const std::string name = ir::describe(*op);
      if (Status status = rewrite(*op, recipe, calibration); !status)
        return fail("{}: {}", name, status.error().message);
      changed = true;
    }
  }
  return changed;
}

}  // namespace tally::passes
