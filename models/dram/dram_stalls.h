// SPDX-License-Identifier: Apache-2.0
// Injected stalls: extra cycles at the start of a port burst and before each of its beats, a pure
// function of (seed, burst number, beat). Seed 0: none.
#pragma once

#include <cstdint>

namespace tally {

class DramStalls {
 public:
  explicit DramStalls(std::uint64_t seed = 0) : seed_(seed) {}

  // Cycles by which burst `number` comes later: 0 for half of the bursts, else 1..64.
  int start_cycles(std::uint64_t number) const;
  // Cycles between a beat and the one before it: for a quarter of the bursts 0..3, else 0.
  int beat_cycles(std::uint64_t number, int beat) const;

 private:
  std::uint64_t seed_;
};

}  // namespace tally
