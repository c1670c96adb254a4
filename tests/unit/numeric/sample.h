// SPDX-License-Identifier: Apache-2.0
// Operands for tests of 32-bit registers: every boundary value and seeded random bits.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tally {

// Zeros, subnormals, ends of binades, largest values, infinities, NaNs of every kind, in both
// signs.
inline std::vector<uint32_t> boundary_bits() {
  const std::vector<uint32_t> positive = {
      0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001,
      0x00ffffff, 0x01000000, 0x0b800000, 0x33800000, 0x33800001, 0x34000000, 0x3effffff,
      0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000,
      0x40200000, 0x40490fdb, 0x42fe0000, 0x42ff0000, 0x43000000, 0x437f0000, 0x437f8000,
      0x4a800000, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f000000,
      0x4f7fffff, 0x4f800000, 0x4f800001, 0x50000000, 0x7e800000, 0x7f000000, 0x7f7fffff,
      0x7f800000, 0x7f800001, 0x7fa00000, 0x7fc00000, 0x7fffffff};
  std::vector<uint32_t> all = positive;
  for (uint32_t bits : positive) all.push_back(bits | 0x80000000u);
  return all;
}

// n random patterns: half uniform bits, half with exponents near that of 1, where roundings are
// dense.
inline std::vector<uint32_t> random_bits(std::size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> bits(n);
  for (std::size_t i = 0; i < n; ++i) {
    const uint32_t word = random();
    const uint32_t near_one = (word & 0x807fffffu) | ((112u + random() % 32) << 23);
    bits[i] = i % 2 == 0 ? word : near_one;
  }
  return bits;
}

}  // namespace tally
