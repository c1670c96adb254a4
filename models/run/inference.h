// SPDX-License-Identifier: Apache-2.0
// Runs a program on a machine with given inputs: tensors into DRAM, run, tensors out of DRAM.
#pragma once

#include "compiler/program/program.h"
#include "models/machine/machine.h"
#include "models/ops/interpreter.h"

namespace tally {

// Inputs and outputs are row-major tensors by name, padding left out; a vector is one row.
class Inference {
 public:
  // `program` outlives the object. Fails if DRAM is too small or the program is for another design.
  static Expected<Inference> create(const Program& program, const Design& design);

  struct Result {
    RunResult run;
    ops::Tensors outputs;  // empty unless the run finished
  };
  // Errors: an input that is missing, unknown or of another size or format; a failing machine.
  Expected<Result> run(const ops::Tensors& inputs, const RunOptions& options, Machine* machine);

  const DramImage& dram() const { return dram_; }

 private:
  Inference(const Program& program, DramImage dram) : program_(&program), dram_(std::move(dram)) {}

  Status write(const Binding& binding, const ir::Tensor& tensor);
  ir::Tensor read(const Binding& binding) const;
  std::uint64_t address(const Binding& binding) const;

  const Program* program_;
  DramImage dram_;
};

}  // namespace tally
