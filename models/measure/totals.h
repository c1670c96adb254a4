// SPDX-License-Identifier: Apache-2.0
// Sums over the inferences of a measurement.
#pragma once

#include "compiler/program/program.h"
#include "models/base/sha256.h"
#include "models/machine/machine.h"
#include "models/ops/interpreter.h"
#include "reports/result.h"

namespace tally::measure {

// Cycles, units, work and events of machine runs.
class Totals {
 public:
  void add(const RunResult& run, const Program& program);
  const Events& events() const { return events_; }
  const DramCounters& dram() const { return work_.dram; }
  double seconds(const Design& design) const {
    return static_cast<double>(timing_.cycles) / (design.clock_mhz * 1e6);
  }
  // Design, recipe, work and, where the machine has time, timing.
  void write(const Design& design, Result* result) const;

 private:
  Timing timing_;
  Work work_;
  Events events_;
  std::string recipe_;
};

// SHA-256 over the values of all outputs by name, inference after inference, and over those of the
// first.
class OutputHash {
 public:
  void add(const ops::Tensors& outputs);
  // Once, at the end.
  void write(Result* result);

 private:
  Sha256 all_;
  std::string first_;
};

}  // namespace tally::measure
