// SPDX-License-Identifier: Apache-2.0
// From a lowered module (quantised level) to a program for a design.
#pragma once

#include <string>

#include "compiler/design/design.h"
#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

namespace tally::codegen {

struct CompileOptions {
  std::string model, recipe;  // names written into the program
  // Row blocks worked on side by side; 0: the compiler's choice.
  int side_by_side = 0;
};

// Groups, row blocks, buffers, instructions, order, semaphores. Fails, naming the node, for what
// the machine has no operation for and for layers that do not fit into the design's memories.
Expected<Program> compile(const ir::Module& module, const Design& design,
                          const CompileOptions& options);

}  // namespace tally::codegen
