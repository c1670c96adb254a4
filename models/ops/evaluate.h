// SPDX-License-Identifier: Apache-2.0
// The semantics of one op on operand values: what docs/ir.md says of it.
#pragma once

#include <span>
#include <vector>

#include "compiler/ir/ir.h"
#include "models/ops/interpreter.h"

namespace tally::ops {

// Results of a verified op that is no input, constant or output; operands as in the table, null
// where absent. An error where a value is refused (an index out of range).
Expected<std::vector<ir::Tensor>> evaluate(const ir::Op& op,
                                           std::span<const ir::Tensor* const> operands,
                                           Semantics semantics);

}  // namespace tally::ops
