// SPDX-License-Identifier: Apache-2.0
// The scalar steps against binary64 rounded by the integer codec, which shares no code with the
// FPU.
#include "models/numeric/f32.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/numeric/float_codec.h"
#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

using Pair = std::pair<uint32_t, uint32_t>;

// All pairs of boundary values, and random ones.
std::vector<Pair> pairs() {
  std::vector<Pair> result;
  const std::vector<uint32_t> boundary = boundary_bits();
  for (uint32_t a : boundary) {
    for (uint32_t b : boundary) result.emplace_back(a, b);
  }
  const std::vector<uint32_t> x = random_bits(200000, 4), y = random_bits(200000, 5);
  for (std::size_t i = 0; i < x.size(); ++i) result.emplace_back(x[i], y[i]);
  for (std::size_t i = 0; i < 20000; ++i) result.emplace_back(x[i], x[i] + y[i] % 5 - 2);
  return result;
}

double value(uint32_t bits) { return static_cast<double>(as_float(bits)); }

// binary64 has more than twice the digits of binary32 plus 2: rounding to it first changes no
// result of
// + - x / sqrt.
uint32_t rounded(double exact) { return static_cast<uint32_t>(encode(kF32, exact)); }

template <class Step, class Reference>
void expect_step(Step step, Reference reference) {
  for (const auto& [a, b] : pairs()) {
    ASSERT_EQ(step(a, b), reference(a, b)) << std::hex << a << " " << b;
  }
}

using Binary = uint32_t (*)(uint32_t, uint32_t);

TEST(F32, Add) {
  expect_step(static_cast<Binary>(f32::add),
              [](uint32_t a, uint32_t b) { return rounded(value(a) + value(b)); });
}
TEST(F32, Sub) {
  expect_step(static_cast<Binary>(f32::sub),
              [](uint32_t a, uint32_t b) { return rounded(value(a) - value(b)); });
}
TEST(F32, Mul) {
  expect_step(static_cast<Binary>(f32::mul),
              [](uint32_t a, uint32_t b) { return rounded(value(a) * value(b)); });
}
TEST(F32, Div) {
  expect_step(static_cast<Binary>(f32::div),
              [](uint32_t a, uint32_t b) { return rounded(value(a) / value(b)); });
}
TEST(F32, Sqrt) {
  expect_step([](uint32_t a, uint32_t) { return f32::sqrt(a); },
              [](uint32_t a, uint32_t) { return rounded(std::sqrt(value(a))); });
}

// Slow and obvious: NaN first, then zeros by sign, then the order of the reals.
uint32_t reference_max(uint32_t a, uint32_t b) {
  if (std::isnan(as_float(a)) || std::isnan(as_float(b))) return 0x7fffffff;
  if (value(a) == 0 && value(b) == 0) return std::signbit(as_float(a)) ? b : a;
  return value(a) > value(b) ? a : b;
}
uint32_t reference_min(uint32_t a, uint32_t b) {
  if (std::isnan(as_float(a)) || std::isnan(as_float(b))) return 0x7fffffff;
  if (value(a) == 0 && value(b) == 0) return std::signbit(as_float(a)) ? a : b;
  return value(a) < value(b) ? a : b;
}
TEST(F32, MinAndMax) {
  expect_step(static_cast<Binary>(f32::max), reference_max);
  expect_step(static_cast<Binary>(f32::min), reference_min);
  EXPECT_EQ(f32::max(0x80000000u, 0u), 0u);
  EXPECT_EQ(f32::min(0u, 0x80000000u), 0x80000000u);
}

TEST(F32, AbsAndNegAreArithmetic) {
  expect_step([](uint32_t a, uint32_t) { return f32::abs(a); },
              [](uint32_t a, uint32_t) { return rounded(std::fabs(value(a))); });
  expect_step([](uint32_t a, uint32_t) { return f32::neg(a); },
              [](uint32_t a, uint32_t) { return rounded(-value(a)); });
  EXPECT_EQ(f32::abs(0xff800001u), 0x7fffffffu);
  EXPECT_EQ(f32::neg(0x7fffffffu), 0x7fffffffu);
}

TEST(F32, Compare) {
  const auto flag = [](bool holds) { return holds ? 0x3f800000u : 0u; };
  expect_step(f32::lt, [&](uint32_t a, uint32_t b) { return flag(value(a) < value(b)); });
  expect_step(f32::le, [&](uint32_t a, uint32_t b) { return flag(value(a) <= value(b)); });
  expect_step(f32::eq, [&](uint32_t a, uint32_t b) { return flag(value(a) == value(b)); });
  EXPECT_EQ(f32::eq(0u, 0x80000000u), 0x3f800000u);
  EXPECT_EQ(f32::le(0x7fffffffu, 0x7fffffffu), 0u);
}

TEST(F32, SelectMovesBitsByAnyBitSet) {
  EXPECT_EQ(f32::select(0, 0xff800001u, 7), 7u);
  EXPECT_EQ(f32::select(1, 0xff800001u, 7), 0xff800001u);
  EXPECT_EQ(f32::select(0x80000000u, 5, 7), 5u);  // -0, and the int32 of a mask's top bit
  EXPECT_EQ(f32::select(0x7fffffffu, 5, 7), 5u);
}

TEST(F32, EveryNanIsCanonical) {
  for (const auto& [a, b] : pairs()) {
    const uint32_t results[] = {f32::add(a, b), f32::sub(a, b),   f32::mul(a, b), f32::div(a, b),
                                f32::min(a, b), f32::max(a, b),   f32::sqrt(a),   f32::abs(a),
                                f32::neg(a),    f32::scale2(a, b)};
    for (uint32_t result : results) {
      if (is_nan(result)) {
        ASSERT_EQ(result, 0x7fffffffu) << std::hex << a << " " << b;
      }
    }
  }
}

// Slow and obvious: add n to the exponent of the unpacked number, pack once.
uint32_t reference_scale2(uint32_t a, int32_t n) {
  UnpackedFloat number = unpack(kF32, a);
  number.exponent += std::clamp(n, -2000, 2000);
  return static_cast<uint32_t>(pack(kF32, number, RoundMode::kHalfEven, Overflow::kInfinity));
}
TEST(F32, Scale2) {
  std::vector<int32_t> powers = {INT32_MIN, INT32_MIN + 1, -1000000, -301,
                                 -300,      300,           301,      INT32_MAX};
  for (int32_t n = -290; n <= 290; ++n) powers.push_back(n);
  std::vector<uint32_t> operands = boundary_bits();
  const std::vector<uint32_t> random = random_bits(2000, 6);
  operands.insert(operands.end(), random.begin(), random.end());
  for (int32_t n : powers) {
    for (uint32_t a : operands) {
      ASSERT_EQ(f32::scale2(a, static_cast<uint32_t>(n)), reference_scale2(a, n))
          << std::hex << a << " " << n;
    }
  }
  EXPECT_EQ(f32::scale2(0x1.000002p0f, -150), 0x1p-149f);  // just above the tie: one rounding
  EXPECT_EQ(f32::scale2(0x1p0f, -150), 0.0f);              // the tie itself, to even
}

TEST(F32, Int32ToFloat) {
  expect_step([](uint32_t a, uint32_t) { return f32::i32_to_f32(a); },
              [](uint32_t a, uint32_t) { return rounded(static_cast<int32_t>(a)); });
}

// Slow and obvious: the rounded value in 128 bits, where no fp32 that matters and no sum overflows.
int64_t reference_integer(uint32_t a, int32_t zero_point, int64_t low, int64_t high) {
  __int128 whole = 0;
  if (!std::isnan(as_float(a))) {
    const double clamped = std::clamp(value(a), -1e30, 1e30);
    whole = static_cast<__int128>(std::floor(clamped));
    const double fraction = clamped - std::floor(clamped);
    if (fraction > 0.5 || (fraction == 0.5 && whole % 2 != 0)) ++whole;
  }
  const __int128 sum = whole + zero_point;
  return static_cast<int64_t>(sum < low ? low : (sum > high ? high : sum));
}
TEST(F32, FloatToInteger) {
  for (const auto& [a, b] : pairs()) {
    for (int32_t zero_point :
         {0, 1, -1, 128, -128, INT32_MAX, INT32_MIN, static_cast<int32_t>(b)}) {
      const auto zp = static_cast<uint32_t>(zero_point);
      ASSERT_EQ(static_cast<int32_t>(f32::to_i32(a, zp)),
                reference_integer(a, zero_point, INT32_MIN, INT32_MAX))
          << std::hex << a << " " << zp;
      ASSERT_EQ(static_cast<int32_t>(f32::to_i8(a, zp)),
                reference_integer(a, zero_point, -128, 127));
      ASSERT_EQ(static_cast<int32_t>(f32::to_u8(a, zp)), reference_integer(a, zero_point, 0, 255));
    }
  }
}

TEST(F32, NanConvertsToTheZeroPoint) {
  EXPECT_EQ(f32::to_u8(0x7fffffffu, 100u), 100u);
  EXPECT_EQ(f32::to_i8(0xffc00000u, 0u), 0u);
  EXPECT_EQ(f32::to_i32(0x7fffffffu, 0x80000000u), 0x80000000u);
}

TEST(F32, ZeroPointIsAddedBeforeSaturation) {
  EXPECT_EQ(f32::to_i8(300.0f, -250), 50);
  EXPECT_EQ(f32::to_i32(2147483648.0f, -1), 2147483647);
  EXPECT_EQ(f32::to_i32(4294967040.0f, INT32_MIN), 2147483392);
  EXPECT_EQ(f32::to_i32(-4294967296.0f, INT32_MAX), INT32_MIN);
}

TEST(F32, AddI32Wraps) {
  EXPECT_EQ(f32::add_i32(0x7fffffffu, 1), 0x80000000u);
  EXPECT_EQ(f32::add_i32(0xffffffffu, 2), 1u);
}

}  // namespace
}  // namespace tally
