// SPDX-License-Identifier: Apache-2.0
// Removes ops that add nothing: repeated computations and dead ones. Changes no bit of a result.
#pragma once

#include "compiler/ir/ir.h"

namespace tally::passes {

// Common-subexpression elimination: an op equal to an earlier one (kind, operands, attributes,
// types) is replaced by it; so the projections of one input share its quantisation. The node name
// of the first stays. Inputs and ops with an effect are kept.
Expected<bool> eliminate_common(ir::Module& module);

// Dead-code elimination: ops without effect whose results nothing uses. Inputs are the function's
// signature and stay.
Expected<bool> eliminate_dead(ir::Module& module);

}  // namespace tally::passes
