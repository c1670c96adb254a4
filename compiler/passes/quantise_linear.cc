// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/builder.h"
#include "compiler/passes/quantise.h"
#include "compiler/passes/static_scale.h"

namespace tally::passes {
namespace {

using ir::Op;
using ir::OpKind;
using ir::Value;

struct QuantisedInput {
  Value* values;
  Value* row_scales = nullptr;  // dynamic only
  ActivationScale scale = {};   // static only
};

Expected<QuantisedInput> quantise_input(ir::Builder& builder, const Op& op, const Recipe& recipe,
                                        const Calibration* calibration) {
  Value* x = op.operand("x");
  if (recipe.activation_scales == ScaleSource::kToken) {
    Op* rows = builder.op(OpKind::kQuantizeRows, {x}, {}, {x->name() + ".q", x->name() + ".s"});
    return QuantisedInput{rows->result(0), rows->result(1)};
  }
  TALLY_ASSIGN(const ActivationScale scale,
               static_scale(op, "x", recipe.activation_format, calibration));
  Value* q = quantize_static(builder, x, scale, recipe.activation_format);
  return QuantisedInput{q, nullptr, scale};
}

Status rewrite(ir::Module& module, Op& op, const Recipe& recipe, const Calibration* calibration) {
  ir::Builder builder(op.function(), &op);
  builder.set_node(op.node);
  TALLY_ASSIGN(const QuantisedInput x, quantise_input(builder, op, recipe, calibration));
  TALLY_ASSIGN(const QuantisedWeight weight, quantise_weight(module, op, *op.operand("weight"),
                                                             recipe.weight_granularity, x.scale));
  const std::string& name = op.result()->name();
  Value* acc = builder.value(OpKind::kMatmulI8, {x.values, weight.values}, {}, name + ".acc");
  Value* y = builder.value(OpKind::kDequantize,
                           {acc, x.row_scales, weight.scales, op.operand("bias"), weight.offset},
                           {}, name + ".f");
  op.function()->replace_uses(op.result(), y);
  op.function()->erase(&op);
  return {};
}

}  // namespace

Expected<bool> quantise_linear(ir::Module& module, const Recipe& recipe,
                               const Calibration* calibration) {
  bool changed = false;
  for (const auto& function : module.functions()) {
    for (Op* op : function->of_kind(OpKind::kLinear)) {
      const std::string name = ir::describe(*op);
      if (Status status = rewrite(module, *op, recipe, calibration); !status)
        return fail("{}: {}", name, status.error().message);
      changed = true;
    }
  }
  return changed;
}

}  // namespace tally::passes
