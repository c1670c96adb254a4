// SPDX-License-Identifier: Apache-2.0
// The transcendental sequences: bounds on a dense sample and on the worst operands that
// tally-full-range found, special values, and equality of scalar and array forms.
#include "models/numeric/functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "models/numeric/bits.h"
#include "models/numeric/error_meter.h"
#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();

float evaluate(const char* name, float x) { return find_function(name)->scalar(x); }

// About 4.3 million of the 2^32 operands, every exponent among them.
std::vector<float> dense_sample() {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 997) {
    x.push_back(as_float(static_cast<uint32_t>(bits)));
  }
  for (uint32_t bits : boundary_bits()) x.push_back(as_float(bits));
  return x;
}

void expect_bounds(const FunctionInfo& function, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  function.array(x.data(), y.data(), x.size());
  ErrorMeter meter(function);
  meter.add(x.data(), y.data(), x.size());
  for (const RangeError& range : meter.ranges()) {
    EXPECT_EQ(range.violations, 0u) << function.name << " at " << range.violation_at;
  }
}

TEST(Functions, BoundsHoldOnADenseSample) {
  const std::vector<float> x = dense_sample();
  for (const FunctionInfo& function : functions()) expect_bounds(function, x);
}

// The worst operands of all 2^32, by ulps or by absolute error, as the document lists them.
struct Worst {
  const char* name;
  float operand;
  double ulps, absolute;
};
constexpr Worst kWorst[] = {
    {"exp", -0x1.337ad4p+5f, 1.1671, 0},          {"sigmoid", -0x1.0a658cp+0f, 0, 5.651e-08},
    {"sigmoid", -0x1.06fd86p-3f, 2.5515, 0},      {"sigmoid", 0x1.b1aed2p+0f, 1.7737, 0},
    {"silu", -0x1.bbcb6cp+0f, 0, 7.037e-08},      {"silu", -0x1.9f6f1p-1f, 2.7553, 0},
    {"silu", 0x1.a8b23ep-2f, 2.1153, 0},          {"tanh", 0x1.eca3c8p-5f, 3.3612, 0},
    {"erf", 0x1.d431dep-2f, 6.0877, 0},           {"gelu_erf", -0x1.192afap+2f, 0, 3.22e-07},
    {"gelu_erf", -0x1.df445cp-1f, 8.4136, 0},     {"gelu_erf", 0x1.f2384ep-7f, 5.7556, 0},
    {"gelu_tanh", -0x1.d82f64p+1f, 0, 4.983e-07}, {"gelu_tanh", -0x1.ad95bcp-1f, 13.2253, 0},
    {"gelu_tanh", 0x1.f3bab6p-6f, 10.3988, 0},    {"reciprocal", 0x1.f8646ep-126f, 0.5000, 0},
    {"rsqrt", 0x1.019566p-126f, 1.4903, 0},
};

TEST(Functions, WorstOperandsAreAsDocumented) {
  for (const Worst& worst : kWorst) {
    const FunctionInfo function = *find_function(worst.name);
    const float y = function.scalar(worst.operand);
    const double exact = function.reference(worst.operand);
    if (worst.ulps > 0) {
      EXPECT_NEAR(error_in_ulps(y, exact), worst.ulps, 1e-4) << worst.name;
    } else {
      EXPECT_NEAR(std::fabs(y - exact), worst.absolute, worst.absolute * 1e-3) << worst.name;
    }
    expect_bounds(function, {worst.operand});
  }
}

TEST(Functions, BoundsCoverTheNumberLine) {
  for (const FunctionInfo& function : functions()) {
    ASSERT_FALSE(function.bounds.empty());
    EXPECT_EQ(function.bounds.front().low, -kInf) << function.name;
    EXPECT_EQ(function.bounds.back().high, kInf) << function.name;
    for (std::size_t i = 1; i < function.bounds.size(); ++i) {
      EXPECT_EQ(function.bounds[i].low, function.bounds[i - 1].high) << function.name;
    }
  }
}

// A meter that finds nothing would make every bound hold.
TEST(Functions, MeterSeesBrokenBounds) {
  const FunctionInfo exp = *find_function("exp");
  ErrorMeter meter(exp);
  const float x[] = {1.0f, 0.0f, NAN, 100.0f};
  const float y[] = {2.7182820f, 1.0f, as_float(0x7fc00000u), 3.4e38f};
  meter.add(x, y, 4);
  EXPECT_EQ(meter.ranges()[0].violations, 1u);  // 3.4e38 for infinity; 1.2 ulp at 1 is within
  EXPECT_EQ(meter.ranges()[0].violation_at, 100.0f);
  EXPECT_EQ(meter.ranges()[1].violations, 1u);  // a NaN that is not 0x7fffffff
  ErrorMeter total(exp);
  total.merge(meter);
  EXPECT_EQ(total.ranges()[0].violations, 1u);
  EXPECT_EQ(total.ranges()[0].values, 3u);
  EXPECT_NEAR(error_in_ulps(1.0f, 1.0 + 0x1p-24), 0.5, 1e-9);
  EXPECT_NEAR(error_in_ulps(0.0f, 0x1p-149), 1.0, 1e-9);
}

TEST(Functions, ArrayEqualsScalar) {
  std::vector<float> x;
  for (uint32_t bits : boundary_bits()) x.push_back(as_float(bits));
  for (uint32_t bits : random_bits(5001, 16)) x.push_back(as_float(bits));
  for (const FunctionInfo& function : functions()) {
    std::vector<float> y(x.size()), in_place = x;
    function.array(x.data(), y.data(), x.size());
    function.array(in_place.data(), in_place.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(as_bits(y[i]), as_bits(function.scalar(x[i]))) << function.name << " of " << x[i];
      ASSERT_EQ(as_bits(in_place[i]), as_bits(y[i])) << function.name;
    }
  }
}

TEST(Functions, NanGivesTheOneNan) {
  for (const FunctionInfo& function : functions()) {
    for (uint32_t bits : {0x7f800001u, 0x7fc00000u, 0xffffffffu, 0x7fffffffu}) {
      EXPECT_EQ(as_bits(function.scalar(as_float(bits))), 0x7fffffffu) << function.name;
    }
  }
}

TEST(Functions, ExpSpecialValues) {
  EXPECT_EQ(as_bits(evaluate("exp", 0.0f)), as_bits(1.0f));
  EXPECT_EQ(as_bits(evaluate("exp", -0.0f)), as_bits(1.0f));
  EXPECT_EQ(as_bits(evaluate("exp", -kInf)), 0u);
  EXPECT_EQ(evaluate("exp", kInf), kInf);
  EXPECT_EQ(evaluate("exp", 88.8f), kInf);
  EXPECT_EQ(evaluate("exp", -103.0f), 0x1p-149f);
  EXPECT_EQ(as_bits(evaluate("exp", -104.0f)), 0u);
}

TEST(Functions, LimitsAtInfinity) {
  EXPECT_EQ(evaluate("sigmoid", -kInf), 0.0f);
  EXPECT_EQ(evaluate("sigmoid", kInf), 1.0f);
  EXPECT_EQ(evaluate("sigmoid", 0.0f), 0.5f);
  EXPECT_EQ(as_bits(evaluate("silu", -kInf)), 0x80000000u);
  EXPECT_EQ(evaluate("silu", kInf), kInf);
  EXPECT_EQ(evaluate("tanh", kInf), 1.0f);
  EXPECT_EQ(evaluate("tanh", -kInf), -1.0f);
  EXPECT_EQ(as_bits(evaluate("tanh", -0.0f)), 0u);
  EXPECT_EQ(evaluate("erf", kInf), 1.0f);
  EXPECT_EQ(evaluate("erf", -kInf), -1.0f);
  for (const char* gelu : {"gelu_erf", "gelu_tanh"}) {
    EXPECT_EQ(evaluate(gelu, kInf), kInf);
    EXPECT_LE(std::fabs(evaluate(gelu, -kInf)), 1e-26f);
    EXPECT_EQ(evaluate(gelu, 0.0f), 0.0f);
    EXPECT_EQ(evaluate(gelu, 100.0f), 100.0f);
  }
}

TEST(Functions, SaturateForLargeOperands) {
  for (float x = 4.0f; x < 1e38f; x *= 1.37f) {
    EXPECT_EQ(evaluate("erf", x), 1.0f) << x;
    EXPECT_EQ(evaluate("erf", -x), -1.0f) << x;
    if (x < 10) continue;
    EXPECT_EQ(evaluate("tanh", x), 1.0f) << x;
    EXPECT_EQ(evaluate("tanh", -x), -1.0f) << x;
  }
}

TEST(Functions, StayInTheirRange) {
  const std::vector<float> x = dense_sample();
  std::vector<float> y(x.size());
  const auto expect_range = [&](const char* name, float low, float high) {
    find_function(name)->array(x.data(), y.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(x[i])) continue;
      ASSERT_TRUE(y[i] >= low && y[i] <= high) << name << " of " << x[i] << " is " << y[i];
    }
  };
  expect_range("exp", 0.0f, kInf);
  expect_range("sigmoid", 0.0f, 1.0f);
  expect_range("tanh", -1.0f, 1.0f);
  expect_range("erf", -1.0f - 0x1p-23f, 1.0f + 0x1p-23f);
}

// The two forms of GELU must not be mixed up: the largest gap between them is 4.7e-4, here.
TEST(Functions, GeluForms) {
  EXPECT_NEAR(evaluate("gelu_erf", -2.6989f), -0.009388, 1e-6);
  EXPECT_NEAR(evaluate("gelu_tanh", -2.6989f), -0.008915, 1e-6);
}

TEST(Functions, ReciprocalAndRsqrt) {
  EXPECT_EQ(evaluate("reciprocal", 3.0f), 1.0f / 3.0f);
  EXPECT_EQ(evaluate("reciprocal", -0.0f), -kInf);
  EXPECT_EQ(evaluate("rsqrt", 4.0f), 0.5f);
  EXPECT_EQ(evaluate("rsqrt", 0.0f), kInf);
  EXPECT_EQ(evaluate("rsqrt", -0.0f), -kInf);  // IEEE: sqrt(-0) is -0
  EXPECT_EQ(as_bits(evaluate("rsqrt", -1.0f)), 0x7fffffffu);
  EXPECT_EQ(evaluate("rsqrt", 2.0f), 1.0f / std::sqrt(2.0f));
}

TEST(Functions, UnknownName) { EXPECT_FALSE(find_function("softplus").has_value()); }

}  // namespace
}  // namespace tally
