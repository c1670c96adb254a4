// SPDX-License-Identifier: Apache-2.0
// bench DESIGN-KEYS...: serves runs of one design until the host closes the socket (protocol.h).
// Arguments: rows columns lanes port_bytes activation_bytes weight_bytes accumulator_bytes
// clock_mhz dram_kind dram_bytes.
#include <cstdio>
#include <cstdlib>

#include "sysc/verilated/bench/top.h"

int sc_main(int argc, char** argv) {
  if (argc != 11) {
    std::fprintf(stderr, "the bench is started by tally, not by hand\n");
    return 2;
  }
  tally::Design design{};
  design.rows = std::atoi(argv[1]);
  design.columns = std::atoi(argv[2]);
  design.lanes = std::atoi(argv[3]);
  design.port_bytes = std::atoi(argv[4]);
  design.activations = {1, std::atoll(argv[5])};
  design.weights = {1, std::atoll(argv[6])};
  design.accumulators = {1, std::atoll(argv[7])};
  design.clock_mhz = std::atoi(argv[8]);
  design.dram_kind = argv[9];
  design.dram_capacity_bytes = std::atoll(argv[10]);
  tally::rtl::Top top("top", design);
  sc_core::sc_start();
  return 0;
}
