// SPDX-License-Identifier: Apache-2.0
// Groups of ops that run together. In a group each row of the results depends on the same row of
// the operands alone (and on constants, and on whole values made by earlier groups), so a
// group runs block of rows by block of rows with everything between its ops on the chip.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"
#include "models/base/error.h"

namespace tally::codegen {

struct Group {
  std::int64_t rows = 0;
  std::vector<const ir::Op*> ops;
  bool row_wise = true;  // else: one op that moves data as a whole
};

// Ops that only name another view of their operand and need no instruction.
bool is_view(const ir::Op& op);
// Ops that stand in no group: inputs, constants, outputs, views.
bool is_boundary(const ir::Op& op);

Expected<std::vector<Group>> partition(const ir::Function& function);

}  // namespace tally::codegen
