// SPDX-License-Identifier: Apache-2.0
// Ranges from values, scales from ranges, and the sites that a recipe makes static.
#include "compiler/passes/calibration.h"

#include <cmath>
#include <limits>
#include <random>

#include "compiler/passes/range_finder.h"
#include "tests/unit/passes/helpers.h"

namespace tally::passes {
namespace {

using ::testing::ElementsAre;

Range found(const std::vector<float>& values, CalibrationMethod method, double percentile = 100,
            ActivationFormat format = ActivationFormat::kUint8) {
  RangeFinder finder;
  EXPECT_TRUE(finder.add_extremes(values));
  if (RangeFinder::needs_counts(method)) finder.add_counts(values);
  return finder.find(method, percentile, format);
}

double squared_error(const std::vector<float>& values, const Range& range) {
  const ActivationScale to = activation_scale(range, ActivationFormat::kUint8);
  const auto zero = static_cast<double>(to.zero_point);
  double error = 0;
  for (const float value : values) {
    const double code = std::clamp(std::nearbyint(value / to.scale) + zero, 0.0, 255.0);
    error += std::pow((code - zero) * to.scale - value, 2);
  }
  return error;
}

// 10,000 normal values and two far outliers.
std::vector<float> with_outliers() {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<float> values(10'000);
  for (float& value : values) value = normal(random);
  values.front() = 40;
  values.back() = -25;
  return values;
}

TEST(RangeFinder, MinMaxIsTheExtremesAndZero) {
  EXPECT_EQ(found({1, 5, 3}, CalibrationMethod::kMinMax), (Range{0, 5}));
  EXPECT_EQ(found({-1, -5}, CalibrationMethod::kMinMax), (Range{-5, 0}));
  EXPECT_EQ(found({}, CalibrationMethod::kMinMax), (Range{0, 0}));
}

TEST(RangeFinder, AllZerosGiveAnEmptyRangeByEveryMethod) {
  for (const auto method :
       {CalibrationMethod::kMinMax, CalibrationMethod::kPercentile, CalibrationMethod::kMse})
    EXPECT_EQ(found({0, 0, 0}, method, 99), (Range{0, 0}));
}

TEST(RangeFinder, PercentileKeepsThatShareAtEachEnd) {
  std::vector<float> values;
  for (int i = 0; i <= 1000; ++i) values.push_back(static_cast<float>(i - 500));
  const Range range = found(values, CalibrationMethod::kPercentile, 95);
  EXPECT_NEAR(range.low, -450, 1.5);
  EXPECT_NEAR(range.high, 450, 1.5);
}

TEST(RangeFinder, PercentileKeepsZeroInside) {
  std::vector<float> values(1000, 10);
  values.push_back(0);
  const Range range = found(values, CalibrationMethod::kPercentile, 90);
  EXPECT_EQ(range.low, 0);
  EXPECT_EQ(range.high, 10);
}

TEST(RangeFinder, LeastErrorIsBelowThatOfTheExtremesAndOfThePercentile) {
  const std::vector<float> values = with_outliers();
  const Range all = found(values, CalibrationMethod::kMinMax);
  const Range cut = found(values, CalibrationMethod::kPercentile, 99);
  const Range best = found(values, CalibrationMethod::kMse);
  EXPECT_EQ(all, (Range{-25, 40}));
  EXPECT_LT(squared_error(values, best), squared_error(values, all));
  EXPECT_LT(squared_error(values, best), squared_error(values, cut));
}

TEST(RangeFinder, AValueThatIsNotFiniteIsAnError) {
  RangeFinder finder;
  EXPECT_EQ(finder.add_extremes(std::vector<float>{1, -std::numeric_limits<float>::infinity()})
                .error()
                .message,
            "a value is 0xff800000");
  EXPECT_FALSE(finder.add_extremes(std::vector<float>{std::nanf("")}));
}

TEST(ActivationScale, Uint8HasAnExactZero) {
  const ActivationScale scale = activation_scale({-1, 3}, ActivationFormat::kUint8);
  EXPECT_EQ(scale.scale, 4.0F / 255);
  EXPECT_EQ(scale.zero_point, 64);  // 63.75
}

TEST(ActivationScale, ExtremesOfTheZeroPoint) {
  EXPECT_EQ(activation_scale({0, 255}, ActivationFormat::kUint8).zero_point, 0);
  EXPECT_EQ(activation_scale({-255, 0}, ActivationFormat::kUint8).zero_point, 255);
}

TEST(ActivationScale, Int8IsSymmetric) {
  const ActivationScale scale = activation_scale({-254, 3}, ActivationFormat::kInt8);
  EXPECT_EQ(scale.scale, 2);
  EXPECT_EQ(scale.zero_point, 0);
}

TEST(ActivationScale, AnEmptyRangeHasScaleOne) {
  for (const auto format : {ActivationFormat::kInt8, ActivationFormat::kUint8}) {
    EXPECT_EQ(activation_scale({0, 0}, format).scale, 1);
    EXPECT_EQ(activation_scale({0, 0}, format).zero_point, 0);
  }
}

std::vector<std::string> names(const std::vector<Site>& sites) {
  std::vector<std::string> names;
  for (const Site& site : sites) names.push_back(site.name + (site.symmetric ? " symmetric" : ""));
  return names;
}

TEST(StaticSites, FollowTheRecipe) {
  const ir::Module module = parse_body(
      "%x = input() {name = \"x\"} : f32[2,4]\n"
      "%w = constant() {tensor = \"w\"} : f32[4,4]\n"
      "%l = linear(%x, %w) : f32[2,4] at \"fc\"\n"
      "%m = linear(%l, %w) : f32[2,4]\n"
      "%y = attention(%m, %l, %x) {causal = false, heads = 2, kv_heads = 2, scale = 1.0} : "
      "f32[2,4] at \"attn\"\n");
  Recipe recipe;
  EXPECT_TRUE(static_sites(*module.main(), recipe).empty());
  recipe.activation_scales = ScaleSource::kTensor;
  EXPECT_THAT(names(static_sites(*module.main(), recipe)),
              ElementsAre("fc:x symmetric", "%m:x symmetric"));
  recipe.activation_format = ActivationFormat::kUint8;
  recipe.attention_scales = ScaleSource::kTensor;
  EXPECT_THAT(
      names(static_sites(*module.main(), recipe)),
      ElementsAre("fc:x", "%m:x", "attn:q symmetric", "attn:k symmetric", "attn:v symmetric"));
}

}  // namespace
}  // namespace tally::passes
