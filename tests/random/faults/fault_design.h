// SPDX-License-Identifier: Apache-2.0
// The design that seeded faults are looked for on: small, so that its RTL is Verilated quickly, but
// with more than one of everything.
#pragma once

#include "tests/random/machine/random_designs.h"

namespace tally::test {

inline Design fault_design() {
  RandomDesign row = random_design_table()[3];
  row.name = "faults";
  row.rows = row.columns = row.lanes = 4;
  row.latency = 3;
  row.activations = row.weights = {4, 4096};
  row.accumulators = {4, 512};
  row.port_bytes = 8;
  row.load_outstanding = 3;
  row.fetch_burst_bytes = 128;
  row.load_queue = 3, row.store_queue = 2, row.matrix_queue = 3, row.vector_queue = 4;
  return random_design(row);
}

}  // namespace tally::test
