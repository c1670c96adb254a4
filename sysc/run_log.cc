// SPDX-License-Identifier: Apache-2.0
#include "sysc/run_log.h"

namespace tally::sysc {

std::vector<Record> RunLog::take_records() {
  std::sort(records_.begin(), records_.end(),
            [](const Record& a, const Record& b) { return a.sequence < b.sequence; });
  return std::move(records_);
}

void RunLog::fault(FaultCode code, isa::Unit unit, std::uint32_t sequence, Cycle cycle) {
  const Fault fault{code, unit, sequence, cycle};
  const auto order = [](const Fault& f) { return std::tuple(f.cycle, f.unit, f.sequence, f.code); };
  if (!fault_ || order(fault) < order(*fault_)) fault_ = fault;
}

}  // namespace tally::sysc
