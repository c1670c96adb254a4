// SPDX-License-Identifier: Apache-2.0
// AXI4 slave in front of the DRAM model: accepts an address in every cycle, lets each beat and
// response happen in the cycle that the model fixed at acceptance, moves the data.
//
// Per cycle: drive() says what the slave's outputs are, take_* consume what the master did.
#pragma once

#include <cstdint>
#include <deque>

#include "models/dram/dram.h"

namespace tally::rtl {

class AxiMemory {
 public:
  // Outputs of one cycle; data pointers are to `port_bytes` bytes of DRAM, null for zeros or
  // nothing.
  struct Drive {
    bool read = false, read_load = false, read_error = false, read_last = false;
    const std::uint8_t* read_data = nullptr;
    bool write = false;  // W is taken in this cycle
    std::uint8_t* write_data = nullptr;
    std::uint64_t write_address = 0;
    bool response = false, response_error = false;
  };

  explicit AxiMemory(const Design& design)
      : dram_(design), port_bytes_(std::uint64_t(design.port_bytes)) {}

  void reset(std::uint8_t* data, std::uint64_t stall_seed);
  Drive drive(std::uint64_t cycle);
  // AR (`write` false; `load`: the load unit asks) or AW. At most one a cycle.
  void accept(std::uint64_t cycle, bool write, bool load, std::uint64_t address, int beats);
  bool idle() const { return bursts_.empty(); }
  DramCounters counters(std::uint64_t cycles) { return dram_.counters(cycles); }

 private:
  struct Burst {
    bool write, load;
    std::uint64_t address;
    Dram::Service service;
    std::size_t beat = 0;  // next
  };

  Dram dram_;
  std::uint64_t port_bytes_;
  std::uint8_t* data_ = nullptr;
  std::deque<Burst> bursts_;
};

}  // namespace tally::rtl
