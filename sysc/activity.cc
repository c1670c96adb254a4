// SPDX-License-Identifier: Apache-2.0
#include "sysc/activity.h"

#include <algorithm>

namespace tally::sysc {

void Activity::busy(Cycle from, Cycle to) {
  if (!busy_.empty() && from <= busy_.back().to) {
    busy_.back().to = std::max(busy_.back().to, to);
  } else {
    busy_.push_back({from, to});
  }
}

void Activity::busy(std::span<const Cycle> cycles) {
  if (cycles.back() - cycles.front() + 1 == cycles.size())
    return busy(cycles.front(), cycles.back() + 1);
  for (const Cycle cycle : cycles) busy(cycle, cycle + 1);
}

void Activity::present(Cycle from, Cycle to) {
  if (from > counted_) {
    cycles_.idle += from - counted_;
    counted_ = from;
  }
  while (counted_ < to) {
    const Stretch next = busy_.empty() ? Stretch{to, to} : busy_.front();
    TALLY_CHECK(next.to > counted_ || busy_.empty(), "busy in cycle {} without an instruction",
                next.from);
    const Cycle start = std::clamp(next.from, counted_, to);
    const Cycle stop = std::clamp(next.to, start, to);
    cycles_.stalled += start - counted_;
    cycles_.busy += stop - start;
    counted_ = stop;
    if (!busy_.empty() && stop == next.to) busy_.pop_front();
  }
}

UnitCycles Activity::count(Cycle total) {
  TALLY_CHECK(counted_ <= total && busy_.empty(), "{} of {} cycles counted", counted_, total);
  cycles_.idle += total - counted_;
  counted_ = total;
  return cycles_;
}

}  // namespace tally::sysc
