// SPDX-License-Identifier: Apache-2.0
// The two designs of this test, the same numbers as in CMakeLists.txt: one with the smallest queues
// and a port narrower than an instruction, one with a port wider than it.
#pragma once

#include <string>

#include "compiler/design/design.h"

namespace tally {

inline Design core_design(const std::string& name) {
  Design design;
  design.name = name;
  design.clock_mhz = 1000;
  design.dram_kind = "DDR4-2400";
  design.dram_capacity_bytes = 1 << 20;
  design.vector_latency = 4;
  design.divide_bits = 2;
  design.store_outstanding = 2;
  design.fetch_buffers = 2;
  if (name == "narrow") {
    design.rows = 4, design.columns = 2, design.lanes = 1, design.port_bytes = 8;
    design.activations = {2, 1024}, design.weights = {2, 1024}, design.accumulators = {2, 256};
    design.load_outstanding = 1;
    design.fetch_burst_bytes = 64;
    design.load_queue = design.store_queue = design.matrix_queue = design.vector_queue = 1;
  } else {
    design.rows = 8, design.columns = 16, design.lanes = 2, design.port_bytes = 64;
    design.activations = {4, 2048}, design.weights = {2, 4096}, design.accumulators = {4, 1024};
    design.load_outstanding = 3;
    design.fetch_burst_bytes = 256;
    design.load_queue = 2, design.store_queue = 3, design.matrix_queue = 4, design.vector_queue = 5;
  }
  return design;
}

}  // namespace tally
