// SPDX-License-Identifier: Apache-2.0
// What all blocks of a run report to: events, faults, retirement records, the last active cycle.
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "models/machine/machine.h"
#include "sysc/time.h"

namespace tally::sysc {

class RunLog {
 public:
  explicit RunLog(bool keep_records) : keep_records_(keep_records) {}

  Events events;

  // Something is in flight in `cycle`, so the run ends later.
  void active(Cycle cycle) { end_ = std::max(end_, cycle + 1); }
  Cycle end() const { return end_; }

  void record(const Record& record) {
    if (keep_records_) records_.push_back(record);
  }
  // By sequence number.
  std::vector<Record> take_records();

  // A fault in `cycle`, which may lie ahead. The first in (cycle, unit, sequence, code) counts.
  void fault(FaultCode code, isa::Unit unit, std::uint32_t sequence, Cycle cycle);
  bool faulted(Cycle by) const { return fault_ && fault_->cycle <= by; }
  const std::optional<Fault>& first_fault() const { return fault_; }

 private:
  bool keep_records_;
  Cycle end_ = 0;
  std::optional<Fault> fault_;
  std::vector<Record> records_;
};

}  // namespace tally::sysc
