// SPDX-License-Identifier: Apache-2.0
// Which bytes an instruction reads and writes, as strided sets, read from its encoding alone.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "compiler/program/vector_state.h"

namespace tally {

// Half-open range of byte addresses.
struct ByteRange {
  std::int64_t begin, end;
};

// A memory: one of the on-chip spaces, or DRAM behind one base register (addresses are offsets).
struct MemoryName {
  bool dram = false;
  int index = 0;  // isa::Space, or the base register
  friend bool operator==(const MemoryName&, const MemoryName&) = default;
};

// count[0] x count[1] x count[2] pieces of `bytes` bytes at start + sum i[j] * stride[j]. A count
// of 0 is no access.
struct Access {
  MemoryName memory;
  bool write = false;
  std::int64_t start = 0;
  std::int64_t bytes = 0;
  std::int64_t count[3] = {1, 1, 1};
  std::int64_t stride[3] = {0, 0, 0};

  ByteRange bounds() const;
  // Disjoint ranges in ascending order.
  std::vector<ByteRange> ranges() const;
};

bool overlap(const Access& a, const Access& b);

// All accesses of an instruction; `run` for run instructions. A gather reads its whole table.
std::vector<Access> footprint(const isa::Instruction& instruction, const VectorRun* run,
                              const Design& design);

// The access of one load or store step: all elements of its stream, or in the tail the rows' first.
Access step_access(const VectorRun& run, const isa::Step& step, bool tail);

// The accumulators of one column tile's rows are one access, so that a last, narrower tile is
// exact.
std::vector<Access> matmul_outputs(const isa::Matmul& body, const Design& design);

std::int64_t memory_bytes(const Design& design, isa::Space space);
std::int64_t bank_bytes(const Design& design, isa::Space space);

}  // namespace tally
