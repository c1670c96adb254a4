// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/printer.h"

#include <fmt/ranges.h>

namespace tally::ir {
namespace {

std::string results_text(const Op& op) {
  std::vector<std::string> names;
  for (const auto& result : op.results()) names.push_back("%" + result->name());
  return names.empty() ? "" : fmt::format("{} = ", fmt::join(names, ", "));
}

// Trailing absent operands are left out, others written `_`.
std::string operands_text(const Op& op) {
  std::vector<std::string> names;
  for (const Value* operand : op.operands()) names.push_back(operand ? "%" + operand->name() : "_");
  while (!names.empty() && names.back() == "_") names.pop_back();
  return fmt::format("({})", fmt::join(names, ", "));
}

std::string attributes_text(const Op& op) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : op.attributes)
    parts.push_back(fmt::format("{} = {}", name, attribute_text(value)));
  return parts.empty() ? "" : fmt::format(" {{{}}}", fmt::join(parts, ", "));
}

std::string types_text(const Op& op) {
  std::vector<std::string> types;
  for (const auto& result : op.results()) types.push_back(type_text(result->type));
  return types.empty() ? "" : fmt::format(" : {}", fmt::join(types, ", "));
}

}  // namespace

std::string print(const Op& op) {
  std::string text = results_text(op) + std::string(op.info().name) + operands_text(op) +
                     attributes_text(op) + types_text(op);
  if (!op.node.empty()) text += fmt::format(" at {}", quote(op.node));
  return text;
}

std::string print(const Module& module) {
  std::string text = fmt::format("module {} {{\n", quote(module.name()));
  for (const auto& function : module.functions()) {
    text += fmt::format("  func @{} {{\n", function->name());
    for (const auto& op : function->ops()) text += fmt::format("    {}\n", print(*op));
    text += "  }\n";
  }
  return text + "}\n";
}

}  // namespace tally::ir
