// SPDX-License-Identifier: Apache-2.0
// Evaluates a module on given inputs: models in fp32 (the reference that accuracy is measured
// against), lowered modules bit for bit as the machines (docs/ir.md). Runs on one thread; one
// interpreter may run on several at once.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"

namespace tally::ops {

enum class Semantics {
  kReference,  // model level: host fp32
  kExact,      // quantised level: the steps of docs/numerics.md
};

// By the name of the input or output.
using Tensors = std::map<std::string, ir::Tensor>;
// Called with every value as it is made.
using Observer = std::function<void(const ir::Value&, const ir::Tensor&)>;

class Interpreter {
 public:
  // For the main function of a verified module, which outlives the interpreter. An error where an
  // op has no such semantics.
  static Expected<Interpreter> create(const ir::Module& module, Semantics semantics);

  // Errors: an input that is missing, unknown or of another type; a constant that cannot be loaded;
  // a value that an op refuses (an index out of range), with the op's name.
  Expected<Tensors> run(const Tensors& inputs, const Observer& observer = {}) const;

 private:
  struct State;
  Interpreter(const ir::Module& module, Semantics semantics);
  Status check_inputs(const Tensors& inputs) const;
  Expected<std::vector<ir::Tensor>> results(const ir::Op& op, State& state) const;
  Expected<ir::Tensor> constant(const ir::Op& op) const;

  const ir::Module* module_;
  const ir::Function* function_;
  Semantics semantics_;
  // The values that an op is the last to use.
  std::map<const ir::Op*, std::vector<const ir::Value*>> last_uses_;
};

}  // namespace tally::ops
