// SPDX-License-Identifier: Apache-2.0
// Appends ops to a function with inferred types. For code whose ops are right by construction: an
// op that breaks a type rule is a broken invariant, not an error value.
#pragma once

#include "compiler/ir/ir.h"

namespace tally::ir {

class Builder {
 public:
  // Appends at the end, or in front of `before`.
  explicit Builder(Function* function, const Op* before = nullptr)
      : function_(function), before_(before) {}

  // The node name that new ops get.
  void set_node(std::string node) { node_ = std::move(node); }
  const std::string& node() const { return node_; }

  Value* input(const std::string& name, Type type);
  // A constant that names a tensor of the store.
  Value* constant(const std::string& tensor, Type type);
  Value* constant(Tensor value);
  void output(Value* value, const std::string& name);
  // The op; `names` are hints for its results.
  Op* op(OpKind kind, std::vector<Value*> operands, Attributes attributes = {},
         std::vector<std::string> names = {});
  // The first result of such an op.
  Value* value(OpKind kind, std::vector<Value*> operands, Attributes attributes = {},
               std::string name = {}) {
    return op(kind, std::move(operands), std::move(attributes), {std::move(name)})->result();
  }

 private:
  Op* add(OpSpec spec);

  Function* function_;
  const Op* before_;
  std::string node_;
};

}  // namespace tally::ir
