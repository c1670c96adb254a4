// SPDX-License-Identifier: Apache-2.0
// The port bursts of a load, gather or store, in order (docs/timing.md, "The port"): every row is a
// transfer, cut at 4 KiB boundaries and at 256 beats. Pure: the same walk gives values and time.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/isa/isa.h"
#include "models/machine/machine.h"

namespace tally::sysc {

// DRAM addresses are 40 bits.
inline constexpr std::uint64_t kDramAddressMask = (std::uint64_t{1} << 40) - 1;

struct BurstPiece {
  std::uint64_t address;     // in DRAM
  std::int64_t row;          // -1: the index transfer of a gather
  std::uint64_t row_offset;  // of its first byte in the row, or in the indices
  int bytes;
};

class BurstWalker {
 public:
  // `rows` rows of `row_bytes`, `pitch` apart.
  BurstWalker(std::uint64_t address, std::uint64_t pitch, std::int64_t rows,
              std::uint64_t row_bytes, int port_bytes);
  // First `index_bytes` at `index_address`, then rows of `row_bytes` at the given addresses.
  BurstWalker(std::uint64_t index_address, std::uint64_t index_bytes,
              std::vector<std::uint64_t> rows, std::uint64_t row_bytes, int port_bytes);

  bool done() const { return row_ == rows_; }
  // Whether the next burst reads indices.
  bool at_indices() const { return row_ < 0; }
  BurstPiece next();

 private:
  std::uint64_t row_address() const;

  std::uint64_t address_ = 0, pitch_ = 0;
  std::uint64_t index_bytes_ = 0;
  std::vector<std::uint64_t> gathered_;
  std::int64_t rows_;
  std::uint64_t row_bytes_;
  int port_bytes_;
  std::int64_t row_ = 0;
  std::uint64_t offset_ = 0;
};

BurstWalker bursts_of(const isa::Load& load, const MachineProgram& program, int port_bytes);
BurstWalker bursts_of(const isa::Store& store, const MachineProgram& program, int port_bytes);
// `table_rows`: the table row that each gathered row reads (docs/timing.md: row 0 for a bad index).
BurstWalker bursts_of(const isa::Gather& gather, const MachineProgram& program,
                      const std::vector<std::uint32_t>& table_rows, int port_bytes);

}  // namespace tally::sysc
