// SPDX-License-Identifier: Apache-2.0
// Constant folding: a movement, sum or product of constants becomes a constant, of which the value
// is made when it is loaded. Changes no bit of a result.
#pragma once

#include "compiler/ir/ir.h"

namespace tally::passes {

// The new tensor is named after its computation, as "transpose(h.0.attn.c_attn.weight)". A constant
// whose tensor the store lacks is left as it is.
Expected<bool> fold_constants(ir::Module& module);

}  // namespace tally::passes
