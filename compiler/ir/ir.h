// SPDX-License-Identifier: Apache-2.0
// The graph: Module > Function > Op in order, each op defining SSA values. A structure only: what
// is allowed is said by the op table and held by verify() (verifier.h).
#pragma once

#include <list>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/attribute.h"
#include "compiler/ir/op_info.h"
#include "compiler/ir/tensor_store.h"
#include "compiler/ir/type.h"

namespace tally::ir {

class Op;
class Function;

// A result of an op. Its address is its identity; its name is unique in the function.
class Value {
 public:
  Value(Op* producer, std::size_t index, std::string name, Type type)
      : type(std::move(type)), producer_(producer), index_(index), name_(std::move(name)) {}

  Type type;

  Op* producer() const { return producer_; }
  // Place among the producer's results.
  std::size_t index() const { return index_; }
  const std::string& name() const { return name_; }

 private:
  Op* producer_;
  std::size_t index_;
  std::string name_;
};

class Op {
 public:
  OpKind kind() const { return kind_; }
  const OpInfo& info() const { return op_info(kind_); }
  Function* function() const { return function_; }

  // As many as the table lists; null where an optional operand is absent.
  std::span<Value* const> operands() const { return operands_; }
  Value* operand(std::size_t index) const { return operands_.at(index); }
  Value* operand(std::string_view name) const { return operands_.at(info().operand_index(name)); }
  void set_operand(std::size_t index, Value* value) { operands_.at(index) = value; }

  std::span<const std::unique_ptr<Value>> results() const { return results_; }
  Value* result(std::size_t index = 0) const { return results_.at(index).get(); }

  bool has(std::string_view attribute) const { return attributes.contains(attribute); }
  // The attribute of that name, which is present and of type T once the op is verified.
  template <class T>
  const T& get(std::string_view attribute) const {
    auto found = attributes.find(attribute);
    TALLY_CHECK(found != attributes.end(), "{} lacks attribute '{}'", info().name, attribute);
    return std::get<T>(found->second);
  }

  Attributes attributes;
  // The part of the model that the op came from ("h.0.mlp.c_fc"), for messages, reports and diffs.
  std::string node;

 private:
  friend class Function;
  Op(OpKind kind, Function* function) : kind_(kind), function_(function) {}

  OpKind kind_;
  Function* function_;
  std::vector<Value*> operands_;
  std::vector<std::unique_ptr<Value>> results_;
};

// "matmul_i8 %acc (node h.0.attn.q)": how messages name an op.
std::string describe(const Op& op);

// What an op is made from. `types` are those of the results; `names` (hints, made unique, of
// letters, digits, '_' and
// '.') may be shorter or empty.
struct OpSpec {
  OpKind kind;
  std::vector<Value*> operands;
  Attributes attributes = {};
  std::vector<Type> types = {};
  std::vector<std::string> names = {};
  std::string node = {};
};

class Function {
 public:
  using Ops = std::list<std::unique_ptr<Op>>;

  explicit Function(std::string name) : name_(std::move(name)) {}
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  const std::string& name() const { return name_; }
  const Ops& ops() const { return ops_; }

  // Adds an op at the end, or in front of `before`.
  Op* append(OpSpec spec) { return insert(ops_.end(), std::move(spec)); }
  Op* insert_before(const Op* before, OpSpec spec);
  // Removes an op whose results nothing uses.
  void erase(Op* op);
  // Every use of `from` becomes one of `to`.
  void replace_uses(const Value* from, Value* to);
  // Ops that use a value, in order.
  std::vector<Op*> users(const Value* value) const;
  bool used(const Value* value) const { return !users(value).empty(); }

  std::vector<Op*> inputs() const { return of_kind(OpKind::kInput); }
  std::vector<Op*> outputs() const { return of_kind(OpKind::kOutput); }
  std::vector<Op*> of_kind(OpKind kind) const;
  // The input or output of that name; null where there is none.
  Op* input(std::string_view name) const;
  Op* output(std::string_view name) const;

 private:
  Op* insert(Ops::iterator place, OpSpec spec);
  std::string unique_name(std::string hint);
  Op* named(OpKind kind, std::string_view name) const;

  std::string name_;
  Ops ops_;
  std::set<std::string, std::less<>> value_names_;
  std::size_t next_name_ = 0;
};

// A program before code generation: functions and the tensors that their constants name.
class Module {
 public:
  explicit Module(std::string name) : name_(std::move(name)) {}
  Module(Module&&) = default;
  Module& operator=(Module&&) = default;

  const std::string& name() const { return name_; }
  Function* add_function(std::string name);
  // Null where there is none.
  Function* function(std::string_view name) const;
  // The function that a run starts: "main" if there is one, else the only one.
  Function* main() const;
  std::span<const std::unique_ptr<Function>> functions() const { return functions_; }

  TensorStore& store() { return store_; }
  const TensorStore& store() const { return store_; }

  // A copy; tensors are shared.
  Module clone() const;

 private:
  std::string name_;
  std::vector<std::unique_ptr<Function>> functions_;
  TensorStore store_;
};

}  // namespace tally::ir
