// SPDX-License-Identifier: Apache-2.0
#include "models/ops/interpreter.h"

#include "compiler/ir/verifier.h"
#include "models/ops/evaluate.h"

namespace tally::ops {

using ir::Op;
using ir::OpKind;
using ir::Tensor;
using ir::Value;

struct Interpreter::State {
  const Tensors& inputs;
  std::map<const Value*, Tensor> values = {};
  Tensors outputs = {};
};

Expected<Interpreter> Interpreter::create(const ir::Module& module, Semantics semantics) {
  if (module.main() == nullptr) return fail("module '{}' has no main function", module.name());
  TALLY_TRY(verify_level(module, semantics == Semantics::kExact ? ir::kQuantised : ir::kModel));
  return Interpreter(module, semantics);
}

Interpreter::Interpreter(const ir::Module& module, Semantics semantics)
    : module_(&module), function_(module.main()), semantics_(semantics) {
  std::map<const Value*, const Op*> last;
  for (const auto& op : function_->ops()) {
    for (const auto& result : op->results()) last[result.get()] = op.get();
    for (const Value* operand : op->operands())
      if (operand != nullptr) last[operand] = op.get();
  }
  for (const auto& [value, op] : last) last_uses_[op].push_back(value);
}

Status Interpreter::check_inputs(const Tensors& inputs) const {
  for (const auto& [name, tensor] : inputs)
    if (function_->input(name) == nullptr) return fail("there is no input '{}'", name);
  for (const Op* op : function_->inputs()) {
    auto found = inputs.find(op->get<std::string>("name"));
    if (found == inputs.end()) return fail("input '{}' is not given", op->get<std::string>("name"));
    if (!found->second.type().same_value(op->result()->type))
      return fail("input '{}' is {}, not {}", found->first, type_text(found->second.type()),
                  type_text(op->result()->type));
  }
  return {};
}

Expected<Tensor> Interpreter::constant(const Op& op) const {
  if (op.has("value")) return op.get<Tensor>("value");
  const auto& name = op.get<std::string>("tensor");
  auto lazy = module_->store().find(name);
  if (lazy == nullptr) return fail("tensor '{}' is not in the module's store", name);
  if (!lazy->type().same_value(op.result()->type))
    return fail("tensor '{}' is {}, not {}", name, type_text(lazy->type()),
                type_text(op.result()->type));
  return lazy->cached();
}

Expected<std::vector<Tensor>> Interpreter::results(const Op& op, State& state) const {
  if (op.kind() == OpKind::kInput) return std::vector{state.inputs.at(op.get<std::string>("name"))};
  if (op.kind() == OpKind::kConstant) {
    TALLY_ASSIGN(Tensor value, constant(op));
    return std::vector{value};
  }
  if (op.kind() == OpKind::kOutput) {
    state.outputs[op.get<std::string>("name")] = state.values.at(op.operand("x"));
    return std::vector<Tensor>{};
  }
  std::vector<const Tensor*> operands;
  for (const Value* operand : op.operands())
    operands.push_back(operand == nullptr ? nullptr : &state.values.at(operand));
  return evaluate(op, operands, semantics_);
}

Expected<Tensors> Interpreter::run(const Tensors& inputs, const Observer& observer) const {
  TALLY_TRY(check_inputs(inputs));
  State state{inputs};
  for (const auto& op : function_->ops()) {
    auto made = results(*op, state);
    if (!made) return fail("{}: {}", describe(*op), made.error().message);
    for (std::size_t i = 0; i < made->size(); ++i) {
      if (observer) observer(*op->result(i), (*made)[i]);
      state.values[op->result(i)] = std::move((*made)[i]);
    }
    if (auto found = last_uses_.find(op.get()); found != last_uses_.end())
      for (const Value* value : found->second) state.values.erase(value);
  }
  return std::move(state.outputs);
}

}  // namespace tally::ops
