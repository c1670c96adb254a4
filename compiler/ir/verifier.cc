// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/verifier.h"

#include <set>

#include "compiler/ir/infer_types.h"

namespace tally::ir {
namespace {

Status check_result_types(const Op& op) {
  TALLY_ASSIGN(std::vector<Type> types, infer_types(op));
  if (types.size() != op.results().size())
    return fail("has {} results, not {}", op.results().size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!types[i].same_value(op.result(i)->type))
      return fail("result %{} is {}, not {}", op.result(i)->name(), type_text(op.result(i)->type),
                  type_text(types[i]));
  return {};
}

bool may_touch_dram(const OpInfo& info) {
  return info.has(kReadsDram) || info.has(kBoundary) || info.kind == OpKind::kCopy;
}

Status check_spaces(const Op& op) {
  const OpInfo& info = op.info();
  auto in_dram = [](const Value* value) {
    return value != nullptr && value->type.space == Space::kDram;
  };
  if (!may_touch_dram(info)) {
    for (const Value* operand : op.operands())
      if (in_dram(operand)) return fail("operand %{} is in DRAM", operand->name());
    for (const auto& result : op.results())
      if (in_dram(result.get())) return fail("result %{} is in DRAM", result->name());
  }
  if (op.kind() == OpKind::kMatmulI8) {
    for (const Value* operand : op.operands())
      if (operand->type.space == Space::kAccumulators)
        return fail("operand %{} is in accumulators", operand->name());
    Space space = op.result()->type.space;
    if (space != Space::kNone && space != Space::kAccumulators)
      return fail("result %{} is in {}, not in accumulators", op.result()->name(),
                  space_name(space));
  }
  return {};
}

Status check_op(const Op& op, const std::set<const Value*>& defined) {
  TALLY_TRY(check_form(op));
  for (const Value* operand : op.operands())
    if (operand != nullptr && !defined.contains(operand))
      return fail("operand %{} is not defined before", operand->name());
  TALLY_TRY(check_result_types(op));
  return check_spaces(op);
}

Status check_boundary_names(const Function& function, OpKind kind) {
  std::set<std::string> names;
  for (const Op* op : function.of_kind(kind))
    if (!names.insert(op->get<std::string>("name")).second)
      return fail("function @{}: two {}s are named '{}'", function.name(), op->info().name,
                  op->get<std::string>("name"));
  return {};
}

}  // namespace

Status verify(const Function& function) {
  std::set<const Value*> defined;
  for (const auto& op : function.ops()) {
    if (Status status = check_op(*op, defined); !status)
      return fail("function @{}: {}: {}", function.name(), describe(*op), status.error().message);
    for (const auto& result : op->results()) defined.insert(result.get());
  }
  TALLY_TRY(check_boundary_names(function, OpKind::kInput));
  return check_boundary_names(function, OpKind::kOutput);
}

Status verify(const Module& module) {
  std::set<std::string> names;
  for (const auto& function : module.functions()) {
    if (!names.insert(function->name()).second)
      return fail("two functions are named @{}", function->name());
    TALLY_TRY(verify(*function));
  }
  return {};
}

Status verify_level(const Module& module, Property level) {
  for (const auto& function : module.functions())
    for (const auto& op : function->ops())
      if (!op->info().has(level))
        return fail("function @{}: {} is not an op of the {} level", function->name(),
                    describe(*op), level == kModel ? "model" : "quantised");
  return {};
}

}  // namespace tally::ir
