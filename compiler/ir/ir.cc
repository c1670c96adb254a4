// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/ir.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace tally::ir {

std::string describe(const Op& op) {
  std::string text(op.info().name);
  if (!op.results().empty()) text += fmt::format(" %{}", op.result()->name());
  if (!op.node.empty()) text += fmt::format(" (node {})", op.node);
  return text;
}

Op* Function::insert_before(const Op* before, OpSpec spec) {
  auto place = std::ranges::find(ops_, before, [](const auto& op) { return op.get(); });
  TALLY_CHECK(place != ops_.end(), "op is in another function");
  return insert(place, std::move(spec));
}

Op* Function::insert(Ops::iterator place, OpSpec spec) {
  const OpInfo& info = op_info(spec.kind);
  TALLY_CHECK(spec.operands.size() <= info.operands.size(), "{} operands for {}",
              spec.operands.size(), info.name);
  std::unique_ptr<Op> op(new Op(spec.kind, this));
  op->operands_ = std::move(spec.operands);
  op->operands_.resize(info.operands.size(), nullptr);
  op->attributes = std::move(spec.attributes);
  op->node = std::move(spec.node);
  for (std::size_t i = 0; i < spec.types.size(); ++i) {
    std::string name = unique_name(i < spec.names.size() ? spec.names[i] : "");
    op->results_.push_back(
        std::make_unique<Value>(op.get(), i, std::move(name), std::move(spec.types[i])));
  }
  return ops_.insert(place, std::move(op))->get();
}

std::string Function::unique_name(std::string hint) {
  for (char& c : hint)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '_';
  std::string name = hint;
  while (name.empty() || value_names_.contains(name))
    name =
        hint.empty() ? fmt::format("{}", next_name_++) : fmt::format("{}.{}", hint, next_name_++);
  value_names_.insert(name);
  return name;
}

void Function::erase(Op* op) {
  for (const auto& result : op->results())
    TALLY_CHECK(!used(result.get()), "%{} is still used", result->name());
  auto place = std::ranges::find(ops_, op, [](const auto& other) { return other.get(); });
  TALLY_CHECK(place != ops_.end(), "op is in another function");
  for (const auto& result : op->results()) value_names_.erase(result->name());
  ops_.erase(place);
}

void Function::replace_uses(const Value* from, Value* to) {
  for (const auto& op : ops_)
    for (std::size_t i = 0; i < op->operands().size(); ++i)
      if (op->operand(i) == from) op->set_operand(i, to);
}

std::vector<Op*> Function::users(const Value* value) const {
  std::vector<Op*> found;
  for (const auto& op : ops_)
    if (std::ranges::find(op->operands(), value) != op->operands().end()) found.push_back(op.get());
  return found;
}

std::vector<Op*> Function::of_kind(OpKind kind) const {
  std::vector<Op*> found;
  for (const auto& op : ops_)
    if (op->kind() == kind) found.push_back(op.get());
  return found;
}

Op* Function::named(OpKind kind, std::string_view name) const {
  for (Op* op : of_kind(kind))
    if (op->get<std::string>("name") == name) return op;
  return nullptr;
}

Op* Function::input(std::string_view name) const { return named(OpKind::kInput, name); }
Op* Function::output(std::string_view name) const { return named(OpKind::kOutput, name); }

Function* Module::add_function(std::string name) {
  return functions_.emplace_back(std::make_unique<Function>(std::move(name))).get();
}

Function* Module::function(std::string_view name) const {
  for (const auto& function : functions_)
    if (function->name() == name) return function.get();
  return nullptr;
}

Function* Module::main() const {
  if (Function* main = function("main")) return main;
  return functions_.size() == 1 ? functions_.front().get() : nullptr;
}

namespace {

void clone_into(const Function& from, Function& to) {
  std::map<const Value*, Value*> values = {{nullptr, nullptr}};
  for (const auto& op : from.ops()) {
    OpSpec spec{op->kind(), {}, op->attributes, {}, {}, op->node};
    for (const Value* operand : op->operands()) spec.operands.push_back(values.at(operand));
    for (const auto& result : op->results()) {
      spec.types.push_back(result->type);
      spec.names.push_back(result->name());
    }
    Op* copy = to.append(std::move(spec));
    for (std::size_t i = 0; i < op->results().size(); ++i) values[op->result(i)] = copy->result(i);
  }
}

}  // namespace

Module Module::clone() const {
  Module copy(name_);
  copy.store_ = store_;
  for (const auto& function : functions_)
    clone_into(*function, *copy.add_function(function->name()));
  return copy;
}

}  // namespace tally::ir
