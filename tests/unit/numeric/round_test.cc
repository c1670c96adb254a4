// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/round.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/numeric/bits.h"
#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

// Slow and obvious: floor and the fraction in binary64 (exact for the sizes used here).
double reference_round(double value, RoundMode mode) {
  const double below = std::floor(value);
  const double fraction = value - below;
  if (mode == RoundMode::kTowardZero) return std::trunc(value);
  if (fraction != 0.5) return fraction < 0.5 ? below : below + 1;
  if (mode == RoundMode::kHalfUp) return below + 1;
  return std::fmod(below, 2) == 0 ? below : below + 1;
}

constexpr RoundMode kModes[] = {RoundMode::kHalfEven, RoundMode::kHalfUp, RoundMode::kTowardZero};

TEST(Round, ShiftOfEverySmallValue) {
  for (RoundMode mode : kModes) {
    for (int shift = 0; shift <= 8; ++shift) {
      for (int64_t value = -1100; value <= 1100; ++value) {
        const double expected =
            reference_round(std::ldexp(static_cast<double>(value), -shift), mode);
        ASSERT_EQ(static_cast<double>(round_shift(value, shift, mode)), expected)
            << value << " >> " << shift;
      }
    }
  }
}

TEST(Round, ShiftByManyBits) {
  const int64_t large = int64_t{1} << 62;
  EXPECT_EQ(round_shift(large, 62, RoundMode::kHalfEven), 1);
  EXPECT_EQ(round_shift(large, 63, RoundMode::kHalfEven), 0);
  EXPECT_EQ(round_shift(large, 63, RoundMode::kHalfUp), 1);
  EXPECT_EQ(round_shift(-large, 63, RoundMode::kHalfUp), 0);
  EXPECT_EQ(round_shift(large + 1, 63, RoundMode::kHalfEven), 1);
  EXPECT_EQ(round_shift(large + 1, 64, RoundMode::kHalfUp), 0);
  EXPECT_EQ(round_shift(large, 1000, RoundMode::kHalfUp), 0);
}

TEST(Round, Fp32ToInteger) {
  std::vector<uint32_t> operands = boundary_bits();
  const std::vector<uint32_t> random = random_bits(200000, 1);
  operands.insert(operands.end(), random.begin(), random.end());
  for (RoundMode mode : kModes) {
    for (uint32_t bits : operands) {
      double expected = 0;
      if (!std::isnan(as_float(bits))) {
        const double limit = 4294967296.0;
        expected = std::clamp(reference_round(as_float(bits), mode), -limit, limit);
        if (std::isinf(as_float(bits))) expected = as_float(bits) < 0 ? -limit : limit;
      }
      ASSERT_EQ(static_cast<double>(round_f32(bits, mode)), expected) << std::hex << bits;
    }
  }
}

TEST(Round, NarrowSaturatesOrWraps) {
  EXPECT_EQ(narrow(128, 8, true, Overflow::kSaturate), 127);
  EXPECT_EQ(narrow(-129, 8, true, Overflow::kSaturate), -128);
  EXPECT_EQ(narrow(-1, 8, false, Overflow::kSaturate), 0);
  EXPECT_EQ(narrow(256, 8, false, Overflow::kSaturate), 255);
  EXPECT_EQ(narrow(int64_t{1} << 40, 32, true, Overflow::kSaturate), 2147483647);
  for (int64_t value = -1000; value <= 1000; ++value) {
    EXPECT_EQ(narrow(value, 8, true, Overflow::kWrap), static_cast<int8_t>(value));
    EXPECT_EQ(narrow(value, 8, false, Overflow::kWrap), static_cast<uint8_t>(value));
    const int64_t far = value * 4294967291;
    EXPECT_EQ(narrow(far, 32, true, Overflow::kWrap), static_cast<int32_t>(far));
  }
}

}  // namespace
}  // namespace tally
