// SPDX-License-Identifier: Apache-2.0
// Designs for random programs: small, so that banks and queues are contended, and between them at
// both ends of every parameter that changes behaviour.
#pragma once

#include <vector>

#include "compiler/design/design.h"

namespace tally::test {

struct RandomDesign {
  const char* name;
  int rows, columns, lanes, latency, divide_bits;
  Memory activations, weights, accumulators;
  int port_bytes, load_outstanding, store_outstanding, fetch_buffers, fetch_burst_bytes;
  int load_queue, store_queue, matrix_queue, vector_queue;
  const char* dram_kind;
  int clock_mhz;
};

inline const std::vector<RandomDesign>& random_design_table() {
  static const std::vector<RandomDesign> table = {
      // The least of everything.
      {"least", 2, 2, 1,  1, 1, {2, 4096}, {2, 4096}, {2, 512},    4,
       1,       2, 2, 64, 1, 1, 1,         1,         "DDR4-2400", 1000},
      // Wide port, few columns, long pipeline.
      {"wide", 4, 16, 8,    8,  4,  {8, 4096}, {8, 4096}, {8, 1024},     64,
       16,     4, 4,  4096, 16, 16, 8,         16,        "DDR4-2400x4", 2000},
      // More lanes than columns; few bytes a beat; memory without time.
      {"lanes", 8, 4, 16,  4, 2, {4, 8192}, {4, 8192}, {4, 1024}, 8,
       4,       2, 2, 128, 4, 2, 4,         8,         "ideal",   500},
      // Like the shipped ones.
      {"even", 8, 8, 8,   4, 2, {16, 2048}, {8, 4096}, {8, 1024},   16,
       8,      2, 2, 512, 8, 8, 8,          16,        "DDR4-2400", 1000},
      // Lanes beyond everything else.
      {"sixty-four", 4, 4,   64, 3, 2, {4, 8192}, {2, 16384},    {64, 256}, 16, 2,
       16,           2, 256, 3,  5, 2, 4,         "DDR4-2400x2", 1500},
      {"square", 16, 16, 4,    2, 1, {64, 1024}, {16, 2048}, {16, 2048},  32,
       3,        8,  16, 1024, 2, 3, 8,          5,          "DDR4-2400", 700}};
  return table;
}

inline Design random_design(const RandomDesign& row) {
  Design design;
  design.name = row.name;
  design.file = "random_designs.h";
  design.clock_mhz = row.clock_mhz;
  design.rows = row.rows, design.columns = row.columns, design.lanes = row.lanes;
  design.vector_latency = row.latency, design.divide_bits = row.divide_bits;
  design.activations = row.activations, design.weights = row.weights;
  design.accumulators = row.accumulators;
  design.port_bytes = row.port_bytes;
  design.load_outstanding = row.load_outstanding;
  design.store_outstanding = row.store_outstanding;
  design.fetch_buffers = row.fetch_buffers, design.fetch_burst_bytes = row.fetch_burst_bytes;
  design.load_queue = row.load_queue, design.store_queue = row.store_queue;
  design.matrix_queue = row.matrix_queue, design.vector_queue = row.vector_queue;
  design.dram_kind = row.dram_kind;
  design.dram_capacity_bytes = 1 << 20;
  design.energy = "45nm";
  return design;
}

}  // namespace tally::test
