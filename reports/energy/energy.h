// SPDX-License-Identifier: Apache-2.0
// Energy from counted events: every event times its coefficient, every memory's standby power times
// the simulated time. Nothing else: no fitted constant, no default.
//
// Reported by unit and by graph node; both sum to the total. A node gets what its own instructions
// caused; DRAM bursts are divided by bus beats. What no node causes alone has lines of its own:
// "(instruction fetch)", "(DRAM rows and refresh)", "(standby)".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/design/design.h"
#include "models/machine/machine.h"
#include "reports/energy/coefficients.h"

namespace tally {

struct EnergyReport {
  double total_pj = 0;
  std::map<std::string, double> by_unit;
  std::map<std::string, double> by_node;
  std::vector<std::string> sources;  // one line a coefficient used
};

// What one or more runs counted. `seconds` is simulated time.
struct EnergyInput {
  Events events;
  DramCounters dram;
  double seconds = 0;
  std::vector<std::string> node_names;  // may repeat; same length as node_events
  std::vector<Events> node_events;      // sum to `events` but for fetch
};

// Fails where the set has no figures for one of the design's memories.
Expected<EnergyReport> compute_energy(const EnergyInput& input, const Design& design,
                                      const Coefficients& coefficients);

}  // namespace tally
