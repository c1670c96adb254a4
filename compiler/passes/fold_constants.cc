// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/fold_constants.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "models/ops/evaluate.h"

namespace tally::passes {
namespace {

using ir::Op;
using ir::OpKind;

// Tensors of at most this size are put into the text; larger ones stay lazy.
constexpr std::int64_t kInlineBytes = 64;

struct Source {
  std::string name;  // empty: inline
  std::shared_ptr<const ir::LazyTensor> tensor;
};

bool foldable(const Op& op) {
  const bool one_rounding = op.kind() == OpKind::kAdd || op.kind() == OpKind::kMul;
  if (!op.info().has(ir::kMoves) && !one_rounding) return false;
  if (op.kind() == OpKind::kCopy) return false;  // a place in memory, not a value
  return std::ranges::all_of(op.operands(), [](const ir::Value* operand) {
    return operand != nullptr && operand->producer()->kind() == OpKind::kConstant;
  });
}

// Null tensor where the store lacks it.
Source source_of(const ir::Module& module, const Op& constant) {
  if (constant.has("value")) {
    const auto value = constant.get<ir::Tensor>("value");
    return {"", std::make_shared<const ir::LazyTensor>(value.type(), [value] { return value; })};
  }
  const auto& name = constant.get<std::string>("tensor");
  return {name, module.store().find(name)};
}

std::string computation_text(const Op& op, const std::vector<Source>& sources) {
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Op& constant = *op.operand(i)->producer();
    operands.push_back(constant.has("value") ? ir::attribute_text(constant.attributes.at("value"))
                                             : sources[i].name);
  }
  std::vector<std::string> attributes;
  for (const auto& [name, value] : op.attributes)
    attributes.push_back(fmt::format(", {} = {}", name, ir::attribute_text(value)));
  return fmt::format("{}({}{})", op.info().name, fmt::join(operands, ", "),
                     fmt::join(attributes, ""));
}

// The op alone, on declared constants, so that it outlives the function that it came from.
std::shared_ptr<const ir::Function> isolated(const Op& op) {
  auto function = std::make_shared<ir::Function>("folded");
  std::vector<ir::Value*> operands;
  for (const ir::Value* operand : op.operands())
    operands.push_back(
        function->append({OpKind::kConstant, {}, {{"tensor", ""}}, {operand->type}})->result());
  function->append({op.kind(), operands, op.attributes, {op.result()->type}});
  return function;
}

ir::LazyTensor::Loader loader_of(const Op& op, std::vector<Source> sources) {
  return [function = isolated(op), sources = std::move(sources)]() -> Expected<ir::Tensor> {
    std::vector<ir::Tensor> values;
    for (const Source& source : sources) {
      TALLY_ASSIGN(values.emplace_back(), source.tensor->load());
    }
    std::vector<const ir::Tensor*> operands;
    for (const ir::Tensor& value : values) operands.push_back(&value);
    TALLY_ASSIGN(auto results,
                 ops::evaluate(*function->ops().back(), operands, ops::Semantics::kReference));
    return results.at(0);
  };
}

Expected<bool> fold(ir::Module& module, Op& op) {
  std::vector<Source> sources;
  for (const ir::Value* operand : op.operands())
    sources.push_back(source_of(module, *operand->producer()));
  if (std::ranges::any_of(sources, [](const Source& s) { return s.tensor == nullptr; }))
    return false;
  const ir::Type type = op.result()->type;
  const bool all_inline =
      std::ranges::all_of(sources, [](const Source& s) { return s.name.empty(); });
  ir::Attributes attributes;
  if (all_inline && type.bytes() <= kInlineBytes) {
    TALLY_ASSIGN(const ir::Tensor value, loader_of(op, sources)());
    attributes["value"] = value;
  } else {
    const std::string name = computation_text(op, sources);
    module.store().add(name, {type.format, type.shape}, loader_of(op, sources));
    attributes["tensor"] = name;
  }
  Op* constant = op.function()->insert_before(
      &op, {OpKind::kConstant, {}, std::move(attributes), {type}, {op.result()->name()}, op.node});
  op.function()->replace_uses(op.result(), constant->result());
  op.function()->erase(&op);
  return true;
}

}  // namespace

Expected<bool> fold_constants(ir::Module& module) {
  bool changed = false;
  for (const auto& function : module.functions()) {
    std::vector<Op*> ops;
    for (const auto& op : function->ops()) ops.push_back(op.get());
    for (Op* op : ops) {
      if (!foldable(*op)) continue;
      const std::string name = ir::describe(*op);
      auto folded = fold(module, *op);
      if (!folded) return fail("{}: {}", name, folded.error().message);
      changed |= *folded;
    }
  }
  return changed;
}

}  // namespace tally::passes
