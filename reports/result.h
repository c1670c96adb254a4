// SPDX-License-Identifier: Apache-2.0
// What one command measured: the result object of docs/results.md. Absent parts (a reference run
// has no program and no cycles) are null in its JSON form.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine.h"

namespace tally {

struct Accuracy {
  std::string metric;  // "top1" (fraction), "perplexity" or "spearman"
  double value = 0;
  std::optional<double> reference;  // the same model in fp32 on the same samples
  std::int64_t samples = 0;         // images, pairs or predicted tokens
};

struct Energy {
  double total_pj = 0;
  std::map<std::string, double> by_unit;  // picojoules
  std::map<std::string, double> by_node;
  std::string coefficients;  // id of the set
  std::string source;        // where its coefficients come from
};

struct CalibrationSource {
  std::string set;
  std::string indices_sha256;
  std::int64_t samples = 0;
};

struct Host {
  double wall_seconds = 0;
  std::int64_t peak_rss_bytes = 0;
  std::string isa;  // architecture and vector extensions in use
};

// Time and work of a machine, summed over Result::inferences.
struct Timing {
  std::uint64_t cycles = 0;
  int clock_mhz = 0;
  int macs_per_cycle = 0;  // of the array
  std::array<UnitCycles, isa::kUnits> units{};
  std::uint64_t bus_bytes = 0;

  double seconds() const;
};

struct Work {
  std::uint64_t macs = 0;  // useful products, padding not counted
  std::uint64_t instructions = 0;
  DramCounters dram;
};

// Greedy decoding: the ids with the prompt, and the inferences that made them.
struct Generation {
  struct Step {
    std::int64_t tokens;                  // that went in: the prompt, then one
    std::optional<std::uint64_t> cycles;  // backends with time
  };
  std::vector<std::int32_t> ids;
  std::vector<Step> steps;
};

struct Result {
  std::string program;  // SHA-256; empty: none (reference)
  std::string model;
  std::string design;  // empty: none (reference)
  std::string recipe;  // empty: none (reference)
  std::string backend;
  std::uint64_t seed = 0;
  std::int64_t inferences = 0;
  std::string set;  // evaluation data; empty: seeded random inputs
  std::optional<Accuracy> accuracy;
  std::optional<Timing> timing;
  std::optional<Work> work;
  std::optional<Energy> energy;
  std::optional<CalibrationSource> calibration;
  std::optional<Generation> generation;
  std::string output_sha256;
  std::string first_output_sha256;  // of the first inference alone
  Host host;
  std::vector<std::string> notes;  // what a reader must know: rules applied, parts left out

  // macs / (cycles x products per cycle); null without time.
  std::optional<double> utilization() const;
};

std::string_view tally_version();

}  // namespace tally
