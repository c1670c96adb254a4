// SPDX-License-Identifier: Apache-2.0
// Operands for fp32 units: corner values, and random pairs of several kinds (any bits, close
// exponents, integers and halves, results near the ends of the range, a corner with any bits).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace tally {

// Encodings at every border of fp32 and of the int32 values that steps take.
std::vector<std::uint32_t> corner_values();

class OperandSource {
 public:
  explicit OperandSource(std::uint64_t seed) : random_(seed) {}

  struct Pair {
    std::uint32_t a, b;
  };
  Pair next();

 private:
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t float_with_exponent(int biased);
  Pair close_exponents();
  Pair near_range_ends();
  Pair integers();
  std::uint32_t corner();

  std::mt19937_64 random_;
};

}  // namespace tally
