// SPDX-License-Identifier: Apache-2.0
#include "sysc/write_hash.h"

namespace tally::sysc {

WriteHash::WriteHash(const Memories& memories) : memories_(memories) {
  for (std::size_t space = 0; space < seen_.size(); ++space)
    seen_[space].resize(std::size_t(memories.size(isa::Space(space))));
}

void WriteHash::begin() {
  ++epoch_;
  written_.clear();
  dram_sum_ = 0;
}

void WriteHash::wrote(isa::Space space, std::uint64_t address, std::size_t count) {
  auto& seen = seen_[std::size_t(space)];
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t place = (address + i) & (seen.size() - 1);
    if (seen[place] == epoch_) continue;
    seen[place] = epoch_;
    written_.push_back(std::uint64_t(space) << 32 | place);
  }
}

void WriteHash::wrote_dram(std::uint64_t address, const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    dram_sum_ += written_byte_hash(kHashSpaceDram, address + i, bytes[i]);
}

std::uint64_t WriteHash::take() {
  std::uint64_t sum = dram_sum_;
  for (const std::uint64_t key : written_) {
    const auto space = isa::Space(key >> 32);
    const std::uint64_t place = key & 0xffffffff;
    sum += written_byte_hash(key >> 32, place, memories_.data(space)[place]);
  }
  return sum;
}

}  // namespace tally::sysc
