// SPDX-License-Identifier: Apache-2.0
// Values that bursts move between DRAM and the chip; a burst that the memory refuses reads zeros
// and writes nothing (docs/timing.md, "The port").
#pragma once

#include "sysc/burst_walker.h"
#include "sysc/unit.h"

namespace tally::sysc {

bool refused(const BurstPiece& piece, const Design& design);
// DRAM to on-chip memory at `address`.
void read_burst(const BurstPiece& piece, isa::Space space, std::uint64_t address,
                const Context& context);
// On-chip memory at `address` to DRAM.
void write_burst(const BurstPiece& piece, isa::Space space, std::uint64_t address,
                 const Context& context);
// The int32 indices of a gather.
std::vector<std::int32_t> read_indices(const isa::Gather& gather, const Context& context);
// Row of the table that index `index` reads; 0 for one outside 0..limit-1.
inline bool bad_index(std::int32_t index, std::uint32_t limit) {
  return index < 0 || std::uint32_t(index) >= limit;
}

}  // namespace tally::sysc
