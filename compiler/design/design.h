// SPDX-License-Identifier: Apache-2.0
// A design: one accelerator, read from one TOML file in which every key is present.
//
// Compiler, SystemC model, RTL parameters and energy model all read this struct. Sizes in bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally {

struct Memory {
  int banks;
  std::int64_t bank_bytes;

  std::int64_t bytes() const { return banks * bank_bytes; }
  friend bool operator==(const Memory&, const Memory&) = default;
};

struct Design {
  std::string name;
  std::string description;
  std::string file;  // where it was read from, for messages

  int clock_mhz;
  int rows, columns;   // array: R, C
  int lanes;           // vector: L
  int vector_latency;  // A: cycles from issue to result of a lane's pipeline
  int divide_bits;     // quotient bits a cycle of the iterative divider
  Memory activations, weights, accumulators;
  int port_bytes;  // P
  int load_outstanding, store_outstanding, fetch_buffers;
  int fetch_burst_bytes;  // F
  int load_queue, store_queue, matrix_queue, vector_queue;
  std::string dram_kind;  // row of models/dram/dram_kinds
  std::int64_t dram_capacity_bytes;
  std::string energy;  // name of the coefficient set

  int scratchpad_width() const;  // W = max(4L, R, C, P)
  int divide_interval() const;   // I = ceil(26 / divide_bits) + 1
  std::int64_t accumulator_rows() const { return accumulators.bytes() / (4 * columns); }
  std::int64_t accumulator_bank_rows() const { return accumulators.bank_bytes / (4 * columns); }
  int macs_per_cycle() const { return rows * columns; }

  // Key and value of all that the machine's behaviour depends on (not name, description, energy),
  // in a fixed order.
  std::vector<std::pair<std::string, std::string>> hardware_keys() const;
  // First 64 bits of SHA-256 over "key=value\n" of hardware_keys().
  std::uint64_t hash() const;
};

// Reads and validates a design. Errors name file, key and allowed range.
Expected<Design> load_design(const std::string& path);
Expected<Design> parse_design(const std::string& toml, const std::string& file);
// A shipped name (designs/NAME.toml under the designs directory) or a path to a TOML file.
Expected<Design> find_design(const std::string& name_or_path, const std::string& designs_directory);

}  // namespace tally
