// SPDX-License-Identifier: Apache-2.0
// The SystemC side of the native model: one thin module for each block, elaborated once in a
// process, around whatever machine is run at the time.
//
// A cycle is kPhases units of kernel time, so a block's phase is a point in kernel time and the
// kernel orders phases. Runs follow each other in kernel time. Runs of several threads take turns.
#pragma once

#include <span>

#include "sysc/block.h"

namespace tally::sysc {

// Order in which the modules are declared, as indices of blocks; for tests, before the first run.
void set_module_order(std::span<const int> order);

// Advances the blocks until none wants a step. Every call brings the same number of blocks.
void run_blocks(std::span<Block* const> blocks);

}  // namespace tally::sysc
