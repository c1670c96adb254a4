// SPDX-License-Identifier: Apache-2.0
// fp32 ops at both levels against plain binary64, and the bits that docs/ir.md fixes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "models/numeric/sums.h"
#include "tests/unit/ops/one_op.h"

namespace tally::ops {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0x7fc12345u);

// |a - b| <= tolerance x (1 + |b|), which fails on NaN.
void expect_close(const Tensor& got, const std::vector<double>& expected, double tolerance) {
  auto values = got.as<float>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(std::abs(values[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i])))
        << i << ": " << values[i] << " " << expected[i];
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

struct FunctionCase {
  std::string name;
  std::function<double(double)> formula;
};

TEST(Functions, BothLevelsFollowTheFormula) {
  const std::vector<FunctionCase> cases = {
      {"gelu_erf", [](double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }},
      {"gelu_tanh",
       [](double x) {
         return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
       }},
      {"silu", [](double x) { return x / (1 + std::exp(-x)); }},
      {"tanh", [](double x) { return std::tanh(x); }},
      {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"relu", [](double x) { return std::max(x, 0.0); }}};
  std::vector<float> x = Random(3).floats(999, -12, 12);
  x.push_back(-2.6989f);
  std::vector<double> expected;
  for (const FunctionCase& c : cases) {
    expected.clear();
    for (float value : x) expected.push_back(c.formula(value));
    std::string body =
        "%x = input() {name = \"x\"} : f32[1000]\n%y = " + c.name + "(%x) : f32[1000]\n";
    for (Semantics semantics : {Semantics::kReference, Semantics::kExact})
      expect_close(value_of(body, {{"x", Tensor::of<float>({1000}, x)}}, semantics), expected,
                   1e-6);
  }
}

TEST(Functions, TheFormsOfGeluDifferAsTheyShould) {
  Tensor x = Tensor::of<float>({1}, {-2.6989f});
  auto gelu = [&](const std::string& form, Semantics semantics) {
    return value_of("%x = input() {name = \"x\"} : f32[1]\n%y = " + form + "(%x) : f32[1]",
                    {{"x", x}}, semantics)
        .as<float>()[0];
  };
  for (Semantics semantics : {Semantics::kReference, Semantics::kExact}) {
    EXPECT_NEAR(gelu("gelu_erf", semantics), -0.009388, 1e-6);
    EXPECT_NEAR(gelu("gelu_tanh", semantics), -0.008915, 1e-6);
  }
}

TEST(Elementwise, RowsBroadcastAndNanIsCanonical) {
  Tensor a = Tensor::of<float>({2, 2}, {1, 2, 3, kNan});
  Tensor b = Tensor::of<float>({2}, {10, kInfinity});
  std::string inputs =
      "%a = input() {name = \"a\"} : f32[2,2]\n%b = input() {name = \"b\"} : f32[2]\n";
  Tensor sum = value_of(inputs + "%y = add(%a, %b) : f32[2,2]", {{"a", a}, {"b", b}});
  EXPECT_EQ(sum.as<float>()[0], 11);
  EXPECT_EQ(sum.as<float>()[1], kInfinity);
  EXPECT_EQ(sum.as<float>()[2], 13);
  EXPECT_EQ(bits(sum.as<float>()[3]), 0x7fffffffu);
  Tensor product = value_of(inputs + "%y = mul(%a, %b) : f32[2,2]", {{"a", a}, {"b", b}});
  EXPECT_EQ(product.as<float>()[2], 30);
  EXPECT_EQ(bits(product.as<float>()[3]), 0x7fffffffu);
  Tensor square = value_of(inputs + "%y = mul(%a, %a) : f32[2,2]", {{"a", a}, {"b", b}});
  EXPECT_EQ(square.as<float>()[2], 9);
}

TEST(Elementwise, ReluKeepsNanAndGivesPlusZero) {
  Tensor y = value_of("%x = input() {name = \"x\"} : f32[4]\n%y = relu(%x) : f32[4]",
                      {{"x", Tensor::of<float>({4}, {-0.0f, -1, 2, kNan})}});
  EXPECT_EQ(bits(y.as<float>()[0]), 0u);
  EXPECT_EQ(bits(y.as<float>()[1]), 0u);
  EXPECT_EQ(y.as<float>()[2], 2);
  EXPECT_EQ(bits(y.as<float>()[3]), 0x7fffffffu);
}

TEST(Elementwise, RopeRotatesHalvesOfEachHead) {
  // Two heads of width 4; a quarter turn for the first pair, none for the second.
  std::string body =
      "%x = input() {name = \"x\"} : f32[1,8]\n%c = input() {name = \"c\"} : f32[1,2]\n"
      "%s = input() {name = \"s\"} : f32[1,2]\n%y = rope(%x, %c, %s) {heads = 2} : f32[1,8]\n";
  Tensor y = value_of(body, {{"x", Tensor::of<float>({1, 8}, {1, 2, 3, 4, 5, 6, 7, 8})},
                             {"c", Tensor::of<float>({1, 2}, {0, 1})},
                             {"s", Tensor::of<float>({1, 2}, {1, 0})}});
  EXPECT_EQ(y, Tensor::of<float>({1, 8}, {-3, 2, 1, 4, -7, 6, 5, 8}));
}

TEST(Elementwise, PatchifyOrdersChannelRowColumn) {
  std::vector<std::uint8_t> image(2 * 2 * 4);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i);
  Tensor y = value_of(
      "%i = input() {name = \"i\"} : u8[2,2,4]\n"
      "%y = patchify(%i) {bias = [0.5, -1.0], patch = 2, scale = [2.0, 1.0]} : f32[2,8]",
      {{"i", Tensor::of<std::uint8_t>({2, 2, 4}, image)}});
  EXPECT_EQ(y, Tensor::of<float>({2, 8}, {0.5, 2.5, 8.5, 10.5, 7, 8, 11, 12,  //
                                          4.5, 6.5, 12.5, 14.5, 9, 10, 13, 14}));
}

// Rows of every width class: one, less than, equal to and more than the 64 partial sums.
class Rowwise : public ::testing::TestWithParam<int> {
 protected:
  std::int64_t width() const { return GetParam(); }
  std::string inputs() const {
    return fmt::format(
        "%x = input() {{name = \"x\"}} : f32[3,{0}]\n%g = input() {{name = \"g\"}} : f32[{0}]\n"
        "%b = input() {{name = \"b\"}} : f32[{0}]\n",
        width());
  }
  void check(const std::string& op,
             const std::function<double(const float*, std::int64_t)>& formula,
             double tolerance) const {
    Random random(static_cast<unsigned>(width()));
    std::size_t n = static_cast<std::size_t>(width());
    std::vector<float> x = random.floats(3 * n);
    Tensors in = {{"x", Tensor::of<float>({3, width()}, x)},
                  {"g", Tensor::of<float>({width()}, random.floats(n))},
                  {"b", Tensor::of<float>({width()}, random.floats(n))}};
    std::vector<double> expected;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < width(); ++j) {
        double g = op == "softmax" ? 1 : in.at("g").as<float>()[static_cast<std::size_t>(j)];
        double b = op == "layernorm" ? in.at("b").as<float>()[static_cast<std::size_t>(j)] : 0;
        expected.push_back(formula(&x[i * n], j) * g + b);
      }
    std::string operands = op == "softmax" ? "%x" : op == "rmsnorm" ? "%x, %g" : "%x, %g, %b";
    std::string attributes = op == "softmax" ? "" : " {eps = 1e-05}";
    std::string body =
        inputs() + fmt::format("%y = {}({}){} : f32[3,{}]", op, operands, attributes, width());
    for (Semantics semantics : {Semantics::kReference, Semantics::kExact})
      expect_close(value_of(body, in, semantics), expected, tolerance);
  }
};

TEST_P(Rowwise, Softmax) {
  check(
      "softmax",
      [&](const float* x, std::int64_t j) {
        double sum = 0;
        for (std::int64_t i = 0; i < width(); ++i) sum += std::exp(double{x[i]});
        return std::exp(double{x[j]}) / sum;
      },
      1e-6);
}

TEST_P(Rowwise, Layernorm) {
  check(
      "layernorm",
      [&](const float* x, std::int64_t j) {
        double mean = 0;
        double variance = 0;
        for (std::int64_t i = 0; i < width(); ++i) mean += x[i] / double(width());
        for (std::int64_t i = 0; i < width(); ++i)
          variance += (x[i] - mean) * (x[i] - mean) / double(width());
        return (x[j] - mean) / std::sqrt(variance + 1e-5);
      },
      1e-5);
}

TEST_P(Rowwise, Rmsnorm) {
  check(
      "rmsnorm",
      [&](const float* x, std::int64_t j) {
        double square = 0;
        for (std::int64_t i = 0; i < width(); ++i) square += double{x[i]} * x[i] / double(width());
        return x[j] / std::sqrt(square + 1e-5);
      },
      1e-6);
}

INSTANTIATE_TEST_SUITE_P(Widths, Rowwise, ::testing::Values(1, 2, 3, 17, 64, 65, 129, 172));

TEST(Rowwise, SumsFollowTheSumRule) {
  // Sums in ascending order would lose the ones beside 2^24.
  std::vector<float> x(65, 1.0f);
  x[0] = 0x1p24f;
  Tensor y = value_of(
      "%x = input() {name = \"x\"} : f32[1,65]\n%g = input() {name = \"g\"} : f32[65]\n"
      "%y = rmsnorm(%x, %g) {eps = 0.0} : f32[1,65]",
      {{"x", Tensor::of<float>({1, 65}, x)},
       {"g", Tensor::of<float>({65}, std::vector<float>(65, 1))}});
  std::vector<float> squares;
  for (float v : x) squares.push_back(v * v);
  float share = 1.0f / 65;
  float inverse = 1.0f / std::sqrt(sum64(squares.data(), 65) * share + 0.0f);
  EXPECT_EQ(y.as<float>()[0], x[0] * inverse);
  EXPECT_EQ(y.as<float>()[1], 1.0f * inverse);
}

TEST(Linear, IsTheProductWithTheTransposedWeight) {
  Random random(5);
  std::vector<float> x = random.floats(4 * 33);
  std::vector<float> w = random.floats(7 * 33);
  std::vector<float> b = random.floats(7);
  std::vector<double> expected;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 7; ++j) {
      double sum = b[j];
      for (std::size_t k = 0; k < 33; ++k) sum += double{x[i * 33 + k]} * w[j * 33 + k];
      expected.push_back(sum);
    }
  std::string body =
      "%x = input() {name = \"x\"} : f32[4,33]\n%w = input() {name = \"w\"} : f32[7,33]\n"
      "%b = input() {name = \"b\"} : f32[7]\n%y = linear(%x, %w, %b) : f32[4,7]\n"
      "%z = linear(%x, %w) : f32[4,7]\n";
  auto values = values_of(body,
                          {{"x", Tensor::of<float>({4, 33}, x)},
                           {"w", Tensor::of<float>({7, 33}, w)},
                           {"b", Tensor::of<float>({7}, b)}},
                          Semantics::kReference);
  ASSERT_TRUE(values);
  expect_close(values->at("y"), expected, 1e-5);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= b[i % 7];
  expect_close(values->at("z"), expected, 1e-5);
}

}  // namespace
}  // namespace tally::ops
