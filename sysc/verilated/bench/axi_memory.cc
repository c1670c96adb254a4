// SPDX-License-Identifier: Apache-2.0
#include "sysc/verilated/bench/axi_memory.h"

namespace tally::rtl {

void AxiMemory::reset(std::uint8_t* data, std::uint64_t stall_seed) {
  dram_.reset(stall_seed);
  data_ = data;
  bursts_.clear();
}

void AxiMemory::accept(std::uint64_t cycle, bool write, bool load, std::uint64_t address,
                       int beats) {
  bursts_.push_back(
      {write, load, address, dram_.accept(cycle, write, address, beats * int(port_bytes_))});
}

// A burst stays until its last beat, a write until its response. Responses may come while a later
// burst has beats.
AxiMemory::Drive AxiMemory::drive(std::uint64_t cycle) {
  Drive out;
  for (Burst& burst : bursts_) {
    const auto& beats = burst.service.beats;
    const bool now = burst.beat < beats.size() && beats[burst.beat] == cycle;
    if (now) {
      const std::uint64_t address = burst.address + burst.beat * port_bytes_;
      std::uint8_t* data = burst.service.error ? nullptr : data_ + address;
      ++burst.beat;
      if (burst.write) {
        out.write = true;
        out.write_data = data;
        out.write_address = address;
      } else {
        out.read = true;
        out.read_load = burst.load;
        out.read_error = burst.service.error;
        out.read_last = burst.beat == beats.size();
        out.read_data = data;
      }
    }
    if (burst.write && burst.service.response == cycle) {
      out.response = true;
      out.response_error = burst.service.error;
    }
    if (burst.beat < beats.size()) break;  // later bursts have no beat before this one's last
  }
  while (!bursts_.empty() && bursts_.front().beat == bursts_.front().service.beats.size() &&
         (!bursts_.front().write || bursts_.front().service.response <= cycle))
    bursts_.pop_front();
  return out;
}

}  // namespace tally::rtl
