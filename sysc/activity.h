// SPDX-License-Identifier: Apache-2.0
// Counts the cycles in which a unit is busy, stalled or idle (docs/timing.md, "Unit states"), each
// by adding the lengths of its own stretches.
#pragma once

#include <deque>
#include <span>

#include "models/machine/machine.h"
#include "sysc/time.h"

namespace tally::sysc {

class Activity {
 public:
  // The unit moves something in cycles from..to - 1. In order of `from`; may overlap earlier calls.
  void busy(Cycle from, Cycle to);
  // The same for single cycles, ascending.
  void busy(std::span<const Cycle> cycles);
  // The unit has an instruction in cycles from..to - 1; all busy cycles before `to` have been told.
  // In order of `from` and of `to`; may overlap earlier calls.
  void present(Cycle from, Cycle to);
  // After the run, of `total` cycles.
  UnitCycles count(Cycle total);

 private:
  struct Stretch {
    Cycle from, to;
  };
  std::deque<Stretch> busy_;  // apart and ascending, not counted yet
  Cycle counted_ = 0;         // cycles before this are counted
  UnitCycles cycles_;
};

}  // namespace tally::sysc
