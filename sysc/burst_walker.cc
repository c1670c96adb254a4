// SPDX-License-Identifier: Apache-2.0
#include "sysc/burst_walker.h"

#include <algorithm>

namespace tally::sysc {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr int kBeatsMax = 256;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

BurstWalker::BurstWalker(std::uint64_t address, std::uint64_t pitch, std::int64_t rows,
                         std::uint64_t row_bytes, int port_bytes)
    : address_(address),
      pitch_(pitch),
      rows_(rows),
      row_bytes_(row_bytes),
      port_bytes_(port_bytes) {}

BurstWalker::BurstWalker(std::uint64_t index_address, std::uint64_t index_bytes,
                         std::vector<std::uint64_t> rows, std::uint64_t row_bytes, int port_bytes)
    : address_(index_address),
      index_bytes_(index_bytes),
      gathered_(std::move(rows)),
      rows_(std::int64_t(gathered_.size())),
      row_bytes_(row_bytes),
      port_bytes_(port_bytes),
      row_(-1) {}

std::uint64_t BurstWalker::row_address() const {
  if (row_ < 0) return address_;
  if (!gathered_.empty()) return gathered_[std::size_t(row_)];
  return address_ + pitch_ * std::uint64_t(row_);
}

BurstPiece BurstWalker::next() {
  const std::uint64_t size = row_ < 0 ? index_bytes_ : row_bytes_;
  const std::uint64_t address = (row_address() + offset_) & kDramAddressMask;
  const std::uint64_t bytes = std::min(
      {size - offset_, kPageBytes - address % kPageBytes, std::uint64_t(kBeatsMax * port_bytes_)});
  const BurstPiece piece{address, row_, offset_, int(bytes)};
  offset_ += bytes;
  if (offset_ == size) {
    offset_ = 0;
    ++row_;
  }
  return piece;
}

BurstWalker bursts_of(const isa::Load& load, const MachineProgram& program, int port_bytes) {
  return {program.bases[load.base] + load.offset, load.pitch, load.rows, load.row_bytes,
          port_bytes};
}

BurstWalker bursts_of(const isa::Store& store, const MachineProgram& program, int port_bytes) {
  return {program.bases[store.base] + store.offset, store.pitch, store.rows, store.row_bytes,
          port_bytes};
}

BurstWalker bursts_of(const isa::Gather& gather, const MachineProgram& program,
                      const std::vector<std::uint32_t>& table_rows, int port_bytes) {
  const std::uint64_t table = program.bases[gather.base] + gather.offset;
  std::vector<std::uint64_t> rows;
  rows.reserve(table_rows.size());
  for (const std::uint32_t row : table_rows)
    rows.push_back(table + std::uint64_t(gather.pitch) * row);
  return {program.bases[gather.index_base] + gather.index_offset,
          round_up(4 * std::uint64_t(gather.rows), std::uint64_t(port_bytes)), std::move(rows),
          gather.row_bytes, port_bytes};
}

}  // namespace tally::sysc
