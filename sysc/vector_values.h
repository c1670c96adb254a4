// SPDX-License-Identifier: Apache-2.0
// What a run does to registers and memories. A step works on many elements at once: whole rows, or
// the part of a long row that fits the cache. Programs that the checker accepts load nothing that
// another batch of the same run stores, so this gives the values of batch after batch.
#pragma once

#include <span>

#include "sysc/memories.h"
#include "sysc/vector_timing.h"
#include "sysc/write_hash.h"

namespace tally::sysc {

void run_steps(const isa::Run& run, std::span<const isa::Step> steps,
               const StreamRegisters& streams, Memories* memories, WriteHash* hash);

}  // namespace tally::sysc
