// SPDX-License-Identifier: Apache-2.0
// Brings movements and sums into one form: no op that only repeats its operand, chains of the same
// movement as one, a constant operand of a sum or product on the right. Changes no bit of a result.
#pragma once

#include "compiler/ir/ir.h"

namespace tally::passes {

Expected<bool> canonicalise(ir::Module& module);

}  // namespace tally::passes
