// SPDX-License-Identifier: Apache-2.0
// Load, gather and store.
#include <algorithm>
#include <cstring>

#include "models/functional/units.h"

namespace tally::functional {
namespace {

constexpr int kLoadPort = 1, kStorePort = 2;  // Events::bursts
constexpr std::uint64_t kBoundary = 4096, kBeats = 256;

void write_row(isa::Space space, std::uint64_t address, std::span<const std::uint8_t> row,
               Chip* chip) {
  for (std::size_t i = 0; i < row.size(); ++i) chip->write_byte(space, address + i, row[i]);
  chip->writes(space, row.size() / std::size_t(chip->design.port_bytes));
}

}  // namespace

// Cut at 4 KiB boundaries and at 256 beats.
template <class Burst>
void Port::split(int unit, std::uint64_t address, std::uint64_t bytes, Burst burst) {
  const auto width = std::uint64_t(chip_.design.port_bytes);
  std::uint64_t done = 0;
  while (done < bytes) {
    const std::uint64_t at = address + done;
    const std::uint64_t piece =
        std::min({bytes - done, kBoundary - at % kBoundary, kBeats * width});
    const bool good = at + piece <= std::uint64_t(dram_.capacity());
    refused_ = refused_ || !good;
    if (good) burst(at, done, piece);
    chip_.events.bursts[unit] += 1;
    chip_.events.beats[unit] += piece / width;
    done += piece;
  }
}

void Port::read(std::uint64_t address, std::span<std::uint8_t> bytes) {
  std::fill(bytes.begin(), bytes.end(), 0);
  split(kLoadPort, address, bytes.size(),
        [&](auto at, auto offset, auto piece) { dram_.read(at, bytes.subspan(offset, piece)); });
}

void Port::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  split(kStorePort, address, bytes.size(), [&](auto at, auto offset, auto piece) {
    dram_.write(at, bytes.subspan(offset, piece));
    chip_.hash.dram(at, bytes.subspan(offset, piece));
  });
}

FaultCodes execute(const isa::Load& body, Port* port, Chip* chip) {
  const std::uint64_t source = port->address(body.base, body.offset);
  std::vector<std::uint8_t> row(body.row_bytes);
  for (std::uint64_t i = 0; i < body.rows; ++i) {
    port->read(source + i * body.pitch, row);
    write_row(body.space, body.address + i * body.address_pitch, row, chip);
  }
  if (port->refused()) return {FaultCode::kBusError};
  return {};
}

FaultCodes execute(const isa::Gather& body, Port* port, Chip* chip) {
  FaultCodes faults;
  const auto width = std::size_t(chip->design.port_bytes);
  std::vector<std::uint8_t> index_bytes((4 * body.rows + width - 1) / width * width);
  port->read(port->address(body.index_base, body.index_offset), index_bytes);
  if (port->refused()) faults.push_back(FaultCode::kBusError);
  port->clear_refused();

  std::vector<std::int32_t> indices(body.rows);
  std::memcpy(indices.data(), index_bytes.data(), 4 * body.rows);
  const auto outside = [&](std::int32_t index) {
    return index < 0 || std::uint32_t(index) >= body.limit;
  };
  if (std::any_of(indices.begin(), indices.end(), outside))
    faults.push_back(FaultCode::kGatherIndex);

  const std::uint64_t table = port->address(body.base, body.offset);
  std::vector<std::uint8_t> row(body.row_bytes);
  for (std::uint64_t i = 0; i < body.rows; ++i) {
    // A row whose index is outside is read from row 0 and written as zero.
    const bool zero = outside(indices[i]);
    port->read(table + (zero ? 0 : std::uint64_t(indices[i])) * body.pitch, row);
    if (zero) std::fill(row.begin(), row.end(), 0);
    write_row(body.space, body.address + i * body.address_pitch, row, chip);
  }
  if (port->refused()) faults.push_back(FaultCode::kBusError);
  return faults;
}

FaultCodes execute(const isa::Store& body, Port* port, Chip* chip) {
  const std::uint64_t target = port->address(body.base, body.offset);
  const ChipMemory& source = chip->memory(body.space);
  std::vector<std::uint8_t> row(body.row_bytes);
  for (std::uint64_t i = 0; i < body.rows; ++i) {
    const std::uint64_t from = body.address + i * body.address_pitch;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = source.data()[source.wrap(from + j)];
    chip->reads(body.space, row.size() / std::size_t(chip->design.port_bytes));
    port->write(target + i * body.pitch, row);
  }
  if (port->refused()) return {FaultCode::kBusError};
  return {};
}

}  // namespace tally::functional
