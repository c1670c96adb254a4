// SPDX-License-Identifier: Apache-2.0
// Retirement records from the RTL's trace ports: when each instruction starts and ends, and the
// hash of what it writes, every address once with the last value.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "models/machine/machine.h"

namespace tally::rtl {

class Trace {
 public:
  // Sizes of the on-chip memories, by isa::Space.
  explicit Trace(const std::array<std::int64_t, 3>& memory_bytes);

  void reset(std::uint32_t instructions, bool records, bool hashes);
  void start(isa::Unit unit, std::uint32_t sequence, std::uint64_t cycle);
  void end(std::uint32_t sequence, std::uint64_t cycle);
  // A byte of an on-chip memory, or of DRAM (kHashSpaceDram), gets a value.
  void write(std::uint64_t space, std::uint64_t address, std::uint8_t value,
             std::uint32_t sequence);
  bool hashes() const { return hashes_; }
  // Those that ended, by sequence number.
  std::vector<Record> records() const;

 private:
  struct Byte {
    std::uint32_t run = 0;     // reset() count: what other runs left is not looked at
    std::uint32_t writer = 0;  // sequence + 1
    std::uint8_t value = 0;
  };
  struct Entry {
    Record record;
    bool ended = false;
  };

  bool records_ = false, hashes_ = false;
  std::uint32_t run_ = 0;
  std::vector<Entry> entries_;
  std::array<std::vector<Byte>, 3> chip_;
  std::unordered_map<std::uint64_t, Byte> dram_;
};

}  // namespace tally::rtl
