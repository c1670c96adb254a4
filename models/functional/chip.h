// SPDX-License-Identifier: Apache-2.0
// The functional model's on-chip memories, and the hash of what one instruction writes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/program/vector_state.h"
#include "models/machine/machine.h"

namespace tally::functional {

// One on-chip memory as bytes; its size is a power of two and addresses wrap.
class ChipMemory {
 public:
  explicit ChipMemory(std::int64_t bytes) : bytes_(std::size_t(bytes)) {}

  std::size_t wrap(std::uint64_t address) const {
    return std::size_t(address & (bytes_.size() - 1));
  }
  std::size_t size() const { return bytes_.size(); }
  const std::uint8_t* data() const { return bytes_.data(); }
  std::uint8_t* data() { return bytes_.data(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

// Record::hash of one instruction after another. Costs nothing while it is off.
class WriteHash {
 public:
  explicit WriteHash(const Design& design);

  void begin(bool enabled, std::uint32_t sequence);
  // The instruction gives a byte a value; the last one counts.
  void on_chip(isa::Space space, std::size_t address, std::uint8_t old_value, std::uint8_t value) {
    if (enabled_) count(space, address, old_value, value);
  }
  // Each DRAM address at most once an instruction.
  void dram(std::uint64_t address, std::span<const std::uint8_t> bytes);
  bool enabled() const { return enabled_; }
  std::uint64_t value() const { return hash_; }

 private:
  void count(isa::Space space, std::size_t address, std::uint8_t old_value, std::uint8_t value);

  bool enabled_ = false;
  std::uint32_t stamp_ = 0;  // sequence + 1
  std::uint64_t hash_ = 0;
  std::array<std::vector<std::uint32_t>, 3> writers_;  // stamp of a byte's last writer
};

// All that a run changes but DRAM, and what is counted on the way.
struct Chip {
  explicit Chip(const Design& design);

  ChipMemory& memory(isa::Space space) { return memories[std::size_t(space)]; }
  // Counts accesses of banks.
  void reads(isa::Space space, std::uint64_t accesses);
  void writes(isa::Space space, std::uint64_t accesses);
  void write_byte(isa::Space space, std::uint64_t address, std::uint8_t value) {
    ChipMemory& target = memory(space);
    const std::size_t at = target.wrap(address);
    hash.on_chip(space, at, target.data()[at], value);
    target.data()[at] = value;
  }

  const Design& design;
  std::array<ChipMemory, 3> memories;
  VectorState vector;
  WriteHash hash;
  Events events;
};

}  // namespace tally::functional
