// SPDX-License-Identifier: Apache-2.0
// The on-chip memories' contents: activations, weights, accumulators, as bytes; zero at the start.
//
// Addresses wrap at the size of a memory, as hardware that decodes only the low bits does; programs
// that the schedule checker accepts never get there. `inside` tells where direct pointers are safe.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"

namespace tally::sysc {

class Memories {
 public:
  explicit Memories(const Design& design);

  std::uint64_t size(isa::Space space) const { return bytes_[std::size_t(space)].size(); }
  std::uint8_t* data(isa::Space space) { return bytes_[std::size_t(space)].data(); }
  const std::uint8_t* data(isa::Space space) const { return bytes_[std::size_t(space)].data(); }
  bool inside(isa::Space space, std::int64_t first, std::int64_t end) const {
    return first >= 0 && end <= std::int64_t(size(space));
  }

  void write(isa::Space space, std::uint64_t address, const std::uint8_t* from, std::size_t count);
  void zero(isa::Space space, std::uint64_t address, std::size_t count);
  void read(isa::Space space, std::uint64_t address, std::uint8_t* to, std::size_t count) const;
  // Of `bytes` (1 or 4) at an address that is a multiple of it, zero-extended.
  std::uint32_t read_element(isa::Space space, std::int64_t address, int bytes) const;
  void write_element(isa::Space space, std::int64_t address, int bytes, std::uint32_t value);

 private:
  template <class Piece>
  void pieces(isa::Space space, std::uint64_t address, std::size_t count, Piece piece) const;

  std::array<std::vector<std::uint8_t>, 3> bytes_;
};

}  // namespace tally::sysc
