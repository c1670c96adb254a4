// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/float_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr FloatFormat kSmall[] = {kF16, kBf16, kE4m3, kE5m2};

// Slow and obvious decoder: the definition with pow.
double reference_decode(const FloatFormat& f, uint32_t code) {
  const uint32_t fraction = code % (1u << f.fraction_bits);
  const uint32_t exponent = (code >> f.fraction_bits) % (1u << f.exponent_bits);
  const double sign = (code >> (f.bits - 1)) != 0 ? -1.0 : 1.0;
  const bool top = exponent == (1u << f.exponent_bits) - 1;
  const double steps = std::pow(2.0, f.fraction_bits);
  if (f.nan == NanKind::kAllOnes && top && fraction == steps - 1) return NAN;
  if (f.has_infinity && top) return fraction == 0 ? sign * kInf : NAN;
  if (exponent == 0) return sign * std::pow(2.0, 1 - f.bias) * (fraction / steps);
  return sign * std::pow(2.0, static_cast<int>(exponent) - f.bias) * (1 + fraction / steps);
}

// All positive finite values in ascending order; the index is the code.
std::vector<double> positive_values(const FloatFormat& f) {
  std::vector<double> values;
  for (uint32_t code = 0; code < 1u << (f.bits - 1); ++code) {
    const double value = reference_decode(f, code);
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

// Slow and obvious encoder: looks the two neighbours up in the list of all values.
class ReferenceEncoder {
 public:
  explicit ReferenceEncoder(const FloatFormat& f) : format_(f), values_(positive_values(f)) {}

  const std::vector<double>& values() const { return values_; }

  uint64_t encode(double value, RoundMode mode, Overflow overflow) const {
    if (std::isnan(value)) return (1u << (format_.bits - 1)) - 1;
    const uint64_t sign = std::signbit(value) ? 1u << (format_.bits - 1) : 0;
    return sign | magnitude(std::fabs(value), std::signbit(value), mode, overflow);
  }

 private:
  uint64_t magnitude(double value, bool negative, RoundMode mode, Overflow overflow) const {
    const uint64_t last = values_.size() - 1;
    const double step = values_[last] - values_[last - 1];
    // The code behind the last one, infinity or NaN, stands for an overflow.
    const uint64_t beyond = overflow == Overflow::kSaturate ? last : last + 1;
    if (std::isinf(value)) return beyond;
    if (value >= values_[last]) {
      const uint64_t code =
          last + nearest(value, values_[last], values_[last] + step, last, negative, mode);
      return code > last ? beyond : code;
    }
    const auto above = std::upper_bound(values_.begin(), values_.end(), value);
    const uint64_t low = static_cast<uint64_t>(above - values_.begin()) - 1;
    return low + nearest(value, values_[low], values_[low + 1], low, negative, mode);
  }

  // 0 for the lower neighbour, 1 for the upper.
  static int nearest(double value, double low, double high, uint64_t low_code, bool negative,
                     RoundMode mode) {
    if (value == low || mode == RoundMode::kTowardZero) return 0;
    if (value >= high) return 1;
    if (value - low != high - value) return value - low < high - value ? 0 : 1;
    if (mode == RoundMode::kHalfUp) return negative ? 0 : 1;
    return low_code % 2 == 0 ? 0 : 1;
  }

  FloatFormat format_;
  std::vector<double> values_;
};

constexpr RoundMode kModes[] = {RoundMode::kHalfEven, RoundMode::kHalfUp, RoundMode::kTowardZero};

void expect_encodes(const ReferenceEncoder& reference, const FloatFormat& f, double value) {
  for (RoundMode mode : kModes) {
    for (Overflow overflow : {Overflow::kSaturate, Overflow::kInfinity}) {
      for (double x : {value, -value}) {
        ASSERT_EQ(encode(f, x, mode, overflow), reference.encode(x, mode, overflow))
            << f.name << " of " << x << " mode " << static_cast<int>(mode);
      }
    }
  }
}

TEST(FloatCodec, DecodesEveryCode) {
  for (const FloatFormat& f : kSmall) {
    for (uint32_t code = 0; code < 1u << f.bits; ++code) {
      const double expected = reference_decode(f, code);
      const double actual = decode(f, code);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(actual)) << f.name << " " << code;
      } else {
        ASSERT_EQ(as_bits(actual), as_bits(expected)) << f.name << " " << code;
      }
    }
  }
}

TEST(FloatCodec, EveryCodeSurvivesDecodeAndEncode) {
  for (const FloatFormat& f : kSmall) {
    for (uint32_t code = 0; code < 1u << f.bits; ++code) {
      const uint64_t expected = f.is_nan(code) ? f.nan_code() : code;
      ASSERT_EQ(encode(f, decode(f, code)), expected) << f.name << " " << code;
    }
  }
}

// Every value, every midpoint between neighbours, and the doubles next to both, in both signs.
TEST(FloatCodec, EncodesAroundEveryTie) {
  for (const FloatFormat& f : kSmall) {
    const ReferenceEncoder reference(f);
    const std::vector<double>& values = reference.values();
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      const double middle = (values[i] + values[i + 1]) / 2;
      for (double x : {values[i], middle}) {
        expect_encodes(reference, f, x);
        expect_encodes(reference, f, std::nextafter(x, kInf));
        if (x > 0) expect_encodes(reference, f, std::nextafter(x, 0.0));
      }
    }
  }
}

TEST(FloatCodec, EncodesBeyondTheLargest) {
  for (const FloatFormat& f : kSmall) {
    const ReferenceEncoder reference(f);
    const double last = reference.values().back();
    const double step = last - reference.values()[reference.values().size() - 2];
    for (double x : {last, last + step / 2, last + step, 2 * last, 1e300, kInf, 5e-324, 0.0}) {
      expect_encodes(reference, f, x);
      expect_encodes(reference, f, std::nextafter(x, 0.0));
      expect_encodes(reference, f, std::nextafter(x, kInf));
    }
    for (Overflow overflow : {Overflow::kSaturate, Overflow::kInfinity}) {
      EXPECT_EQ(encode(f, NAN, RoundMode::kHalfEven, overflow), f.nan_code());
      EXPECT_EQ(encode(f, -NAN, RoundMode::kHalfEven, overflow), f.nan_code());
    }
  }
}

// All codes of one format converted to another: the pairs of 8-bit formats and 16 to 8 and 16 bits.
TEST(FloatCodec, ConvertsEveryCodeBetweenFormats) {
  for (const FloatFormat& to : kSmall) {
    const ReferenceEncoder reference(to);
    for (const FloatFormat& from : kSmall) {
      for (uint32_t code = 0; code < 1u << from.bits; ++code) {
        const double value = reference_decode(from, code);
        for (Overflow overflow : {Overflow::kSaturate, Overflow::kInfinity}) {
          ASSERT_EQ(encode(to, decode(from, code), RoundMode::kHalfEven, overflow),
                    reference.encode(value, RoundMode::kHalfEven, overflow))
              << from.name << " " << code << " to " << to.name;
        }
      }
    }
  }
}

// One rounding, not two: through fp16 this value would end one code lower.
TEST(FloatCodec, DoesNotRoundTwice) {
  const double value = 1.0 + 1.0 / 16 + 1.0 / 8192;  // just above the tie of E4M3
  EXPECT_EQ(decode(kE4m3, encode(kE4m3, value)), 1.125);
  EXPECT_EQ(decode(kE4m3, encode(kE4m3, decode(kF16, encode(kF16, value)))), 1.0);
}

// binary32 against the host's own conversions.
TEST(FloatCodec, Binary32EqualsTheHost) {
  std::mt19937_64 random(2);
  std::vector<double> values = {0.0,      -0.0,       kInf,           -kInf,
                                0x1p-150, 0x1.8p-149, 0x1.ffffffp127, 0x1p128};
  for (int i = 0; i < 300000; ++i) {
    const uint64_t bits = random();
    values.push_back(as_double(bits));
    const uint64_t exponent = 1023 - 155 + random() % 290;  // the range of binary32 and a bit more
    values.push_back(as_double((bits & 0x800fffffffffffffu) | (exponent << 52)));
    const double tie = as_double(as_bits(values.back()) & 0xfffffffff0000000u);
    values.push_back(tie);
  }
  for (double value : values) {
    if (std::isnan(value)) continue;
    ASSERT_EQ(encode(kF32, value), as_bits(static_cast<float>(value))) << value;
  }
  for (uint32_t bits : random_bits(300000, 3)) {
    if (is_nan(bits)) continue;
    ASSERT_EQ(as_bits(decode(kF32, bits)), as_bits(static_cast<double>(as_float(bits))));
  }
}

TEST(FloatCodec, ConstantExpressions) {
  static_assert(decode(kF16, 0x3c00) == 1.0);
  static_assert(decode(kE4m3, 0x7e) == 448.0);
  static_assert(decode(kE5m2, 0x7b) == 57344.0);
  static_assert(encode(kBf16, 1.0) == 0x3f80);
}

// Casts to E4M3 as users know them: saturating ends at 448, the other way overflows to NaN above
// 464.
TEST(FloatCodec, E4m3Overflow) {
  const double inputs[] = {256, 288, 448, 464, 465, 1000, -1000, kInf};
  const double saturated[] = {256, 288, 448, 448, 448, 448, -448, 448};
  for (int i = 0; i < 8; ++i) {
    const uint64_t code = encode(kE4m3, inputs[i], RoundMode::kHalfEven, Overflow::kSaturate);
    EXPECT_EQ(decode(kE4m3, code), saturated[i]);
    const double other = decode(kE4m3, encode(kE4m3, inputs[i]));
    if (i < 4) {
      EXPECT_EQ(other, saturated[i]);
    } else {
      EXPECT_TRUE(std::isnan(other));
    }
  }
}

TEST(FloatCodec, UnsignedFormatHasNoNegatives) {
  constexpr FloatFormat kUnsigned{"ue4m3", 7, 4, 3, 7, false, NanKind::kAllOnes, false};
  EXPECT_EQ(encode(kUnsigned, -3.0), 0u);
  EXPECT_EQ(decode(kUnsigned, encode(kUnsigned, 3.0)), 3.0);
  constexpr BlockFormat kBlock{"block", kE4m3, 32, kUnsigned};
  EXPECT_EQ(kBlock.bits(), 32 * 8 + 7);
}

}  // namespace
}  // namespace tally
