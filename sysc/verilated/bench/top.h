// SPDX-License-Identifier: Apache-2.0
// SystemC top: takes programs from the host over a socket, one after another, clocks the Verilated
// machine (bench.h) to the end of each and returns the result.
#pragma once

#include <systemc>

#include "sysc/verilated/bench/bench.h"

namespace tally::rtl {

class Top : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Top);
  Top(sc_core::sc_module_name name, const Design& design);

 private:
  void serve();  // SC_THREAD: requests until the host closes the socket
  void run(const Request& request, int file);

  Bench bench_;
};

}  // namespace tally::rtl
