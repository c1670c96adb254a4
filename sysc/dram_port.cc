// SPDX-License-Identifier: Apache-2.0
#include "sysc/dram_port.h"

#include <cstring>

namespace tally::sysc {

bool refused(const BurstPiece& piece, const Design& design) {
  return piece.address + std::uint64_t(piece.bytes) > std::uint64_t(design.dram_capacity_bytes);
}

void read_burst(const BurstPiece& piece, isa::Space space, std::uint64_t address,
                const Context& context) {
  const auto count = std::size_t(piece.bytes);
  if (refused(piece, context.design)) {
    context.memories.zero(space, address, count);
  } else {
    context.memories.write(space, address, context.dram.data() + piece.address, count);
  }
}

void write_burst(const BurstPiece& piece, isa::Space space, std::uint64_t address,
                 const Context& context) {
  if (refused(piece, context.design)) return;
  std::uint8_t* to = context.dram.data() + piece.address;
  context.memories.read(space, address, to, std::size_t(piece.bytes));
  if (context.hash != nullptr)
    context.hash->wrote_dram(piece.address, to, std::size_t(piece.bytes));
}

std::vector<std::int32_t> read_indices(const isa::Gather& gather, const Context& context) {
  const std::uint64_t bytes = 4 * std::uint64_t(gather.rows);
  std::vector<std::int32_t> indices(gather.rows, 0);
  BurstWalker walker = bursts_of(gather, context.program, {}, context.design.port_bytes);
  while (walker.at_indices()) {
    const BurstPiece piece = walker.next();
    if (refused(piece, context.design) || piece.row_offset >= bytes) continue;
    const std::uint64_t wanted =
        std::min<std::uint64_t>(bytes - piece.row_offset, std::uint64_t(piece.bytes));
    std::memcpy(reinterpret_cast<std::uint8_t*>(indices.data()) + piece.row_offset,
                context.dram.data() + piece.address, wanted);
  }
  return indices;
}

}  // namespace tally::sysc
