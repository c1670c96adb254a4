// SPDX-License-Identifier: Apache-2.0
// What a well-formed module is: arity, attributes, SSA order, types by the rules of infer_types.h,
// memory spaces.
#pragma once

#include "compiler/ir/ir.h"

namespace tally::ir {

// Errors name function and op. Memory spaces, where assigned: results of products are accumulators,
// their x comes from activations or weights and not from DRAM; only ops of kReadsDram, copies and
// the boundary touch DRAM.
Status verify(const Module& module);
Status verify(const Function& function);

// Every op has the property (kModel or kQuantised): the module is of that level.
Status verify_level(const Module& module, Property level);

}  // namespace tally::ir
