// SPDX-License-Identifier: Apache-2.0
#include "models/functional/chip.h"

namespace tally::functional {

WriteHash::WriteHash(const Design& design) {
  writers_[0].resize(std::size_t(design.activations.bytes()));
  writers_[1].resize(std::size_t(design.weights.bytes()));
  writers_[2].resize(std::size_t(design.accumulators.bytes()));
}

void WriteHash::begin(bool enabled, std::uint32_t sequence) {
  enabled_ = enabled;
  stamp_ = sequence + 1;
  hash_ = 0;
}

void WriteHash::count(isa::Space space, std::size_t address, std::uint8_t old_value,
                      std::uint8_t value) {
  std::uint32_t& writer = writers_[std::size_t(space)][address];
  if (writer == stamp_) hash_ -= written_byte_hash(std::uint64_t(space), address, old_value);
  hash_ += written_byte_hash(std::uint64_t(space), address, value);
  writer = stamp_;
}

void WriteHash::dram(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  if (!enabled_) return;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    hash_ += written_byte_hash(kHashSpaceDram, address + i, bytes[i]);
}

Chip::Chip(const Design& d)
    : design(d),
      memories{ChipMemory(d.activations.bytes()), ChipMemory(d.weights.bytes()),
               ChipMemory(d.accumulators.bytes())},
      hash(d) {}

void Chip::reads(isa::Space space, std::uint64_t accesses) {
  std::uint64_t* counters[] = {&events.activation_reads, &events.weight_reads,
                               &events.accumulator_reads};
  *counters[std::size_t(space)] += accesses;
}

void Chip::writes(isa::Space space, std::uint64_t accesses) {
  std::uint64_t* counters[] = {&events.activation_writes, &events.weight_writes,
                               &events.accumulator_writes};
  *counters[std::size_t(space)] += accesses;
}

}  // namespace tally::functional
