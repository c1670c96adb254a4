// SPDX-License-Identifier: Apache-2.0
#include "reports/result.h"

namespace tally {

double Timing::seconds() const { return static_cast<double>(cycles) / (clock_mhz * 1e6); }

std::optional<double> Result::utilization() const {
  if (!timing || !work || timing->cycles == 0) return std::nullopt;
  return static_cast<double>(work->macs) /
         (static_cast<double>(timing->cycles) * timing->macs_per_cycle);
}

std::string_view tally_version() { return TALLY_VERSION; }

}  // namespace tally
