// SPDX-License-Identifier: Apache-2.0
// The accounts that every result must balance: parts sum to totals, and no figure is better than
// its bound. A violated one is a defect of a machine or of the accounting, never a figure to print.
#pragma once

#include "compiler/design/design.h"
#include "reports/result.h"

namespace tally {

// busy + stalled + idle = cycles for every unit; cycles not below macs / products per cycle nor
// below the DRAM bound (models/dram); requested <= DRAM and bus bytes; energy by unit and by node
// each sum to the total within a relative 1e-9; utilisation at most 1; the DRAM kind's peak not
// exceeded. The error names the account and both figures.
Status check_accounts(const Result& result, const Design& design);

}  // namespace tally
