// SPDX-License-Identifier: Apache-2.0
// The memory behind the port, as both benches use it: the native SystemC model calls accept()
// directly, the Verilated RTL through an AXI4 adapter. Fixes at acceptance the cycle of every beat
// and of the write response; moves no values (docs/dram.md).
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/design/design.h"
#include "models/dram/dram_device.h"
#include "models/dram/dram_stalls.h"
#include "models/machine/machine.h"

namespace tally {

class Dram {
 public:
  // What acceptance fixes for one port burst.
  struct Service {
    std::vector<std::uint64_t> beats;  // cycle of each beat, ascending
    std::uint64_t response = 0;        // writes: cycle of the response, after the last beat
    bool error = false;                // out of capacity: no device burst is done
  };

  static constexpr int kErrorCycles = 8;  // from acceptance to the first beat of a refused burst

  // The design's dram.kind must be a row of kDramKinds.
  explicit Dram(const Design& design, std::uint64_t stall_seed = 0);

  // Accepts a port burst of `bytes` (a multiple of port_bytes, at most 256 beats, in one 4 KiB
  // page) in `cycle`; cycles must not decrease from call to call. Beats come at cycle + 2 or later,
  // at most one a cycle over all bursts, in order of acceptance; responses too.
  Service accept(std::uint64_t cycle, bool write, std::uint64_t address, int bytes);

  // The counters after `cycles` cycles (refreshes due by then included).
  DramCounters counters(std::uint64_t cycles);

  // As new, with another seed.
  void reset(std::uint64_t stall_seed);

 private:
  std::int64_t to_ps(std::uint64_t cycle) const;
  std::uint64_t to_cycle(std::int64_t ps) const;  // the first that starts at or after ps
  std::uint64_t next_beat(std::uint64_t earliest, int beat);
  void refuse(std::uint64_t cycle, int beats, Service* service);
  void read(std::uint64_t cycle, std::uint64_t address, int bytes, Service* service);
  void write(std::uint64_t cycle, std::uint64_t address, int bytes, Service* service);

  int clock_mhz_;
  int port_bytes_;
  std::uint64_t capacity_bytes_;
  DramDevice device_;
  DramStalls stalls_;
  std::uint64_t bursts_ = 0;      // accepted so far: the number of the next one
  std::uint64_t beat_ready_ = 0;  // first cycle in which a beat may come
  std::uint64_t response_ready_ = 0;
  DramCounters counters_;
};

// Data rate of the devices while they stream, bytes a second; infinity for a kind without time.
double peak_bytes_per_second(const DramKind& kind);

// Cycles below which no run that moves `bus_bytes` over the port and `dram_bytes` (whole device
// bursts) can end: the larger of bus_bytes / port rate and
// dram_bytes / (peak x (1 - tRFC / tREFI)), rounded down.
std::uint64_t dram_bound_cycles(const Design& design, std::uint64_t bus_bytes,
                                std::uint64_t dram_bytes);

}  // namespace tally
