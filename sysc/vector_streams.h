// SPDX-License-Identifier: Apache-2.0
// Elements of a stream, a piece of a row at a time: memory to register values and back.
#pragma once

#include "sysc/memories.h"
#include "sysc/vector_timing.h"
#include "sysc/write_hash.h"

namespace tally::sysc {

class StreamAccess {
 public:
  // For rows of the run's extents. `hash` may be null.
  StreamAccess(const isa::Stream& stream, const isa::Run& run, Memories* memories, WriteHash* hash);

  // Elements first..first + n - 1 of row (i0, i1).
  void load(std::uint32_t i0, std::uint32_t i1, std::uint32_t first, std::uint32_t* to,
            std::size_t n) const;
  void store(std::uint32_t i0, std::uint32_t i1, std::uint32_t first, const std::uint32_t* from,
             std::size_t n) const;

 private:
  std::int64_t element(std::uint32_t i0, std::uint32_t i1, std::uint32_t first) const;
  void load_fast(const std::uint8_t* from, std::uint32_t* to, std::size_t n) const;

  isa::Stream stream_;
  int bytes_;
  Memories* memories_;
  WriteHash* hash_;
  bool inside_;  // no element of the run leaves the memory
};

}  // namespace tally::sysc
