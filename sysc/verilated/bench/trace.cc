// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/bench/trace.h"

namespace tally::rtl {

Trace::Trace(const std::array<std::int64_t, 3>& memory_bytes) {
  for (std::size_t space = 0; space < 3; ++space)
    chip_[space].resize(std::size_t(memory_bytes[space]));
}

void Trace::reset(std::uint32_t instructions, bool records, bool hashes) {
  records_ = records;
  hashes_ = hashes;
  ++run_;
  entries_.assign(instructions, {});
  dram_.clear();
}

void Trace::start(isa::Unit unit, std::uint32_t sequence, std::uint64_t cycle) {
  if (sequence >= entries_.size()) return;
  Record& record = entries_[sequence].record;
  record.unit = unit;
  record.sequence = sequence;
  record.start = cycle;
}

void Trace::end(std::uint32_t sequence, std::uint64_t cycle) {
  if (sequence >= entries_.size()) return;
  entries_[sequence].record.end = cycle;
  entries_[sequence].ended = true;
}

void Trace::write(std::uint64_t space, std::uint64_t address, std::uint8_t value,
                  std::uint32_t sequence) {
  if (sequence >= entries_.size()) return;
  std::uint64_t& hash = entries_[sequence].record.hash;
  Byte& byte = space == kHashSpaceDram ? dram_[address] : chip_[space].at(address);
  if (byte.run == run_ && byte.writer == sequence + 1)
    hash -= written_byte_hash(space, address, byte.value);
  hash += written_byte_hash(space, address, value);
  byte = {run_, sequence + 1, value};
}

std::vector<Record> Trace::records() const {
  std::vector<Record> out;
  if (!records_) return out;
  for (const Entry& entry : entries_)
    if (entry.ended) out.push_back(entry.record);
  return out;
}

}  // namespace tally::rtl
