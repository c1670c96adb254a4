// SPDX-License-Identifier: Apache-2.0
// The Verilated machine with clock, reset and start, and the DRAM behind its AXI4 port, one clock
// cycle at a time. It drives inputs and reads output ports of tally_top, nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sysc/verilated/bench/axi_memory.h"
#include "sysc/verilated/bench/trace.h"
#include "sysc/verilated/protocol.h"

// Verilator's headers stay out of those that see SystemC's.
class Vtally_top;
class VerilatedContext;
class VerilatedFstC;

namespace tally::rtl {

class Bench {
 public:
  explicit Bench(const Design& design);
  ~Bench();

  // Loads a program: reset, start. `dram` holds request.dram_bytes.
  void begin(const Request& request, std::uint8_t* dram);
  // One cycle; false when the run has ended.
  bool step();
  // Of the run that has ended, ready to be sent.
  Reply* reply() { return &reply_; }
  const std::vector<Waiting>& waiting() const { return waiting_; }
  std::vector<Record> records() const { return trace_.records(); }

 private:
  void reset();
  void cycle(std::uint64_t now);
  void drive_inputs(const AxiMemory::Drive& drive);
  void take_requests(std::uint64_t now);
  void take_write(const AxiMemory::Drive& drive);
  void take_retirements(std::uint64_t now);
  void take_writes();
  void clock_edge();
  void collect();
  void find_waiting();
  std::uint64_t counter(int index) const;
  void open_waveform();
  void dump(std::uint64_t time);

  Design design_;
  std::size_t width_;  // of a scratchpad bank
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vtally_top> top_;
  AxiMemory memory_;
  Trace trace_;
  Request request_;
  const std::uint8_t* dram_ = nullptr;
  Reply reply_;
  std::vector<Waiting> waiting_;
  std::uint64_t now_ = 0;                    // cycle of the run
  std::unique_ptr<VerilatedFstC> waveform_;  // only in benches built for waveforms
};

}  // namespace tally::rtl
