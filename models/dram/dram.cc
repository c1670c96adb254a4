// SPDX-License-Identifier: Apache-2.0
#include "models/dram/dram.h"

#include <algorithm>
#include <limits>

namespace tally {
namespace {

constexpr std::uint64_t kPsPerMicrosecond = 1'000'000;

const DramKind& kind_of(const Design& design) {
  const DramKind* kind = find_dram_kind(design.dram_kind);
  TALLY_CHECK(kind != nullptr, "no DRAM kind '{}'", design.dram_kind);
  return *kind;
}

}  // namespace

Dram::Dram(const Design& design, std::uint64_t stall_seed)
    : clock_mhz_(design.clock_mhz),
      port_bytes_(design.port_bytes),
      capacity_bytes_(std::uint64_t(design.dram_capacity_bytes)),
      device_(kind_of(design)),
      stalls_(stall_seed) {}

void Dram::reset(std::uint64_t stall_seed) {
  device_.reset();
  stalls_ = DramStalls(stall_seed);
  bursts_ = beat_ready_ = response_ready_ = 0;
  counters_ = {};
}

std::int64_t Dram::to_ps(std::uint64_t cycle) const {
  return std::int64_t(cycle * kPsPerMicrosecond / std::uint64_t(clock_mhz_));
}

std::uint64_t Dram::to_cycle(std::int64_t ps) const {
  return (std::uint64_t(ps) * std::uint64_t(clock_mhz_) + kPsPerMicrosecond - 1) /
         kPsPerMicrosecond;
}

std::uint64_t Dram::next_beat(std::uint64_t earliest, int beat) {
  const int gap = stalls_.beat_cycles(bursts_, beat);
  const std::uint64_t cycle = std::max(earliest, beat_ready_) + std::uint64_t(gap);
  beat_ready_ = cycle + 1;
  return cycle;
}

Dram::Service Dram::accept(std::uint64_t cycle, bool write, std::uint64_t address, int bytes) {
  TALLY_CHECK(bytes > 0 && bytes % port_bytes_ == 0 && bytes / port_bytes_ <= 256);
  TALLY_CHECK(address % 4096 + std::uint64_t(bytes) <= 4096, "burst crosses a page");
  Service service;
  service.beats.reserve(std::size_t(bytes / port_bytes_));
  (write ? counters_.requested_write_bytes : counters_.requested_read_bytes) +=
      std::uint64_t(bytes);
  const std::uint64_t from = cycle + std::uint64_t(stalls_.start_cycles(bursts_));
  if (address + std::uint64_t(bytes) > capacity_bytes_) {
    refuse(from, bytes / port_bytes_, &service);
  } else if (write) {
    this->write(from, address, bytes, &service);
  } else {
    read(from, address, bytes, &service);
  }
  if (write) {
    service.response = std::max(service.response, response_ready_);
    response_ready_ = service.response + 1;
  }
  ++bursts_;
  return service;
}

void Dram::refuse(std::uint64_t cycle, int beats, Service* service) {
  service->error = true;
  for (int beat = 0; beat < beats; ++beat)
    service->beats.push_back(next_beat(cycle + kErrorCycles, beat));
  service->response = service->beats.back() + 1;
}

// A beat comes when the device burst that holds its last byte has come whole.
void Dram::read(std::uint64_t cycle, std::uint64_t address, int bytes, Service* service) {
  const std::uint64_t end = address + std::uint64_t(bytes);
  const auto burst_bytes = std::uint64_t(device_.kind().burst_bytes);
  std::uint64_t byte = address;
  while (byte < end) {
    const std::int64_t arrival = to_ps(cycle + 1);
    const std::int64_t data_ps = device_.access(false, byte, arrival, arrival);
    const std::uint64_t ready = std::max(to_cycle(data_ps), cycle + 2);
    const std::uint64_t stop = std::min(end, (byte / burst_bytes + 1) * burst_bytes);
    for (; byte < stop; byte += std::uint64_t(port_bytes_))
      service->beats.push_back(next_beat(ready, int(service->beats.size())));
    counters_.read_bytes += burst_bytes;
    ++counters_.read_bursts;
  }
}

// Beats are taken one a cycle into the controller's write queue; a device burst is written when all
// of its beats have come.
void Dram::write(std::uint64_t cycle, std::uint64_t address, int bytes, Service* service) {
  const std::uint64_t end = address + std::uint64_t(bytes);
  const auto burst_bytes = std::uint64_t(device_.kind().burst_bytes);
  std::uint64_t byte = address;
  while (byte < end) {
    const std::uint64_t stop = std::min(end, (byte / burst_bytes + 1) * burst_bytes);
    const std::uint64_t first = byte;
    for (; byte < stop; byte += std::uint64_t(port_bytes_))
      service->beats.push_back(next_beat(cycle + 2, int(service->beats.size())));
    const std::int64_t data_ps = to_ps(service->beats.back() + 1);
    const std::int64_t written_ps =
        device_.access(true, first, to_ps(cycle + 1), data_ps - device_.kind().cwl_ps);
    service->response = std::max(to_cycle(written_ps), service->beats.back() + 1);
    counters_.write_bytes += burst_bytes;
    ++counters_.write_bursts;
  }
}

DramCounters Dram::counters(std::uint64_t cycles) {
  device_.refresh_until(to_ps(cycles));
  counters_.activations = device_.activations();
  counters_.refreshes = device_.refreshes();
  return counters_;
}

double peak_bytes_per_second(const DramKind& kind) {
  if (kind.burst_ps == 0) return std::numeric_limits<double>::infinity();
  return double(kind.burst_bytes) / double(kind.burst_ps) * 1e12;
}

std::uint64_t dram_bound_cycles(const Design& design, std::uint64_t bus_bytes,
                                std::uint64_t dram_bytes) {
  const DramKind& kind = kind_of(design);
  const std::uint64_t port = bus_bytes / std::uint64_t(design.port_bytes);
  if (kind.burst_ps == 0) return port;
  const double rate = peak_bytes_per_second(kind) *
                      (1 - (kind.refi_ps == 0 ? 0 : double(kind.rfc_ps) / double(kind.refi_ps)));
  const double cycles = double(dram_bytes) / rate * design.clock_mhz * 1e6;
  return std::max(port, std::uint64_t(cycles));
}

}  // namespace tally
