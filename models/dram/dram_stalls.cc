// SPDX-License-Identifier: Apache-2.0
#include "models/dram/dram_stalls.h"

namespace tally {
namespace {

// splitmix64's finaliser (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

}  // namespace

int DramStalls::start_cycles(std::uint64_t number) const {
  if (seed_ == 0) return 0;
  const std::uint64_t draw = mix(seed_ ^ mix(2 * number));
  return draw % 2 == 0 ? 0 : int(draw / 2 % 64) + 1;
}

int DramStalls::beat_cycles(std::uint64_t number, int beat) const {
  if (seed_ == 0) return 0;
  const std::uint64_t draw = mix(seed_ ^ mix(2 * number + 1));
  return draw % 4 != 0 ? 0 : int(mix(draw + std::uint64_t(beat)) % 4);
}

}  // namespace tally
