// SPDX-License-Identifier: Apache-2.0
// The hash of a retirement record: over every byte that an instruction wrote, each address once,
// with the value it has when the hash is taken.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/machine/machine.h"
#include "sysc/memories.h"

namespace tally::sysc {

class WriteHash {
 public:
  explicit WriteHash(const Memories& memories);

  // An instruction begins: nothing written yet.
  void begin();
  // It wrote these bytes of an on-chip memory (their value is read by take()).
  void wrote(isa::Space space, std::uint64_t address, std::size_t count);
  // It wrote these bytes of DRAM, no address twice.
  void wrote_dram(std::uint64_t address, const std::uint8_t* bytes, std::size_t count);
  std::uint64_t take();

 private:
  const Memories& memories_;
  std::uint32_t epoch_ = 0;
  std::array<std::vector<std::uint32_t>, 3> seen_;  // epoch in which a byte was last written
  std::vector<std::uint64_t> written_;              // space << 32 | address
  std::uint64_t dram_sum_ = 0;
};

}  // namespace tally::sysc
