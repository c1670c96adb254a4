// SPDX-License-Identifier: Apache-2.0
// Which instructions of a program can run at all, and one order in which they can: dispatch in
// program order into queues of the design's depths, starts when semaphores allow, no time.
//
// The machine is a deterministic dataflow network (every semaphore has one waiting unit, every
// queue one writer and one reader), so which instructions run does not depend on time; dynamic
// faults aside. Of the instructions that can start the first in program order is taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/machine/machine.h"

namespace tally {

struct ExecutionOrder {
  std::vector<std::uint32_t> sequences;  // in order of start
  std::uint32_t dispatched = 0;          // instructions that leave fetch
  std::vector<Waiting> waiting;          // heads that can never start, by unit; empty: all ran
};

ExecutionOrder execution_order(std::span<const isa::Instruction> instructions,
                               const Design& design);

// The order of the instructions in `executed` (one flag an instruction) alone, whatever the queue
// depths; what waits for ever is left out.
ExecutionOrder execution_order_of(std::span<const isa::Instruction> instructions,
                                  const std::vector<bool>& executed);

}  // namespace tally
