// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/eliminate.h"

#include <algorithm>
#include <map>

namespace tally::passes {
namespace {

using ir::Op;

bool removable(const Op& op) {
  return op.kind() != ir::OpKind::kInput && !op.info().has(ir::kEffect);
}

// Equal texts mean equal results: kind, operands by identity, attributes, result types.
std::string identity(const Op& op) {
  std::string text(op.info().name);
  for (const ir::Value* operand : op.operands())
    text += fmt::format(" {}", static_cast<const void*>(operand));
  for (const auto& [name, value] : op.attributes)
    text += fmt::format(" {}={}", name, ir::attribute_text(value));
  for (const auto& result : op.results()) text += fmt::format(" {}", ir::type_text(result->type));
  return text;
}

bool eliminate_common(ir::Function& function) {
  std::map<std::string, const Op*> first;
  std::vector<Op*> repeats;
  for (const auto& op : function.ops()) {
    if (!removable(*op)) continue;
    const auto [place, is_new] = first.emplace(identity(*op), op.get());
    if (is_new) continue;
    for (std::size_t i = 0; i < op->results().size(); ++i)
      function.replace_uses(op->result(i), place->second->result(i));
    repeats.push_back(op.get());
  }
  for (Op* op : repeats) function.erase(op);
  return !repeats.empty();
}

bool is_dead(const ir::Function& function, const Op& op) {
  return removable(op) && std::ranges::none_of(op.results(), [&](const auto& result) {
           return function.used(result.get());
         });
}

bool eliminate_dead(ir::Function& function) {
  std::vector<Op*> backwards;
  for (const auto& op : function.ops()) backwards.insert(backwards.begin(), op.get());
  bool changed = false;
  for (Op* op : backwards) {
    if (!is_dead(function, *op)) continue;
    function.erase(op);
    changed = true;
  }
  return changed;
}

}  // namespace

Expected<bool> eliminate_common(ir::Module& module) {
  bool changed = false;
  for (const auto& function : module.functions()) changed |= eliminate_common(*function);
  return changed;
}

Expected<bool> eliminate_dead(ir::Module& module) {
  bool changed = false;
  for (const auto& function : module.functions()) changed |= eliminate_dead(*function);
  return changed;
}

}  // namespace tally::passes
