// SPDX-License-Identifier: Apache-2.0
// Quantisation, integer products and accumulators, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "tests/unit/ops/one_op.h"

namespace tally::ops {
namespace {

TEST(QuantizeRows, ScalesOfRowsAndGroups) {
  std::string body =
      "%x = input() {name = \"x\"} : f32[2,4]\n"
      "%q, %s = quantize_rows(%x) : i8[2,4], f32[2]\n"
      "%g, %t = quantize_rows(%x) {groups = 2} : i8[2,4], f32[2,2]\n";
  auto values = values_of(body, {{"x", Tensor::of<float>({2, 4}, {127, -63.5, 1, 0.25,  //
                                                                  0, 0, 254, -508})}});
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->at("s"), Tensor::of<float>({2}, {1, 4}));
  EXPECT_EQ(values->at("q"), Tensor::of<std::int8_t>({2, 4}, {127, -64, 1, 0, 0, 0, 64, -127}));
  EXPECT_EQ(values->at("t"), Tensor::of<float>({2, 2}, {1, 1.0f / 127, 0, 4}));
  EXPECT_EQ(values->at("g"), Tensor::of<std::int8_t>({2, 4}, {127, -64, 127, 32, 0, 0, 64, -127}));
}

TEST(QuantizeStatic, ZeroPointAndSaturation) {
  std::string body =
      "%x = input() {name = \"x\"} : f32[7]\n"
      "%y = quantize_static(%x) {format = u8, scale = 0.5, zero_point = 100} : u8[7]\n"
      "%z = quantize_static(%x) {format = i8, scale = 0.5, zero_point = -3} : i8[7]\n";
  float nan = std::nanf("");
  auto values =
      values_of(body, {{"x", Tensor::of<float>({7}, {0, 0.25, 0.75, -50, -51, 500, nan})}});
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->at("y"), Tensor::of<std::uint8_t>({7}, {100, 100, 102, 0, 0, 255, 100}));
  EXPECT_EQ(values->at("z"), Tensor::of<std::int8_t>({7}, {-3, -3, -1, -103, -105, 127, -3}));
}

TEST(MatmulI8, IsExactForBothFormats) {
  std::string body =
      "%x = input() {name = \"x\"} : u8[1,64]\n%w = input() {name = \"w\"} : i8[2,64]\n"
      "%s = input() {name = \"s\"} : i8[1,64]\n%y = matmul_i8(%x, %w) : i32[1,2]\n"
      "%z = matmul_i8(%s, %w) : i32[1,2]\n";
  std::vector<std::int8_t> w(128, 127);
  std::fill(w.begin() + 64, w.end(), std::int8_t{-128});
  auto values = values_of(
      body, {{"x", Tensor::of<std::uint8_t>({1, 64}, std::vector<std::uint8_t>(64, 255))},
             {"w", Tensor::of<std::int8_t>({2, 64}, w)},
             {"s", Tensor::of<std::int8_t>({1, 64}, std::vector<std::int8_t>(64, -128))}});
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->at("y"), Tensor::of<std::int32_t>({1, 2}, {2072640, -2088960}));
  EXPECT_EQ(values->at("z"), Tensor::of<std::int32_t>({1, 2}, {-1040384, 1048576}));
}

TEST(MatmulI8, OddShapesAgainstPlainSums) {
  for (auto [m, k, n] : {std::array{1, 1, 1}, std::array{7, 33, 65}, std::array{3, 65, 1}}) {
    Random random(static_cast<unsigned>(m + k + n));
    auto x = random.integers<std::uint8_t>(static_cast<std::size_t>(m * k), 0, 255);
    auto w = random.integers<std::int8_t>(static_cast<std::size_t>(n * k), -128, 127);
    std::vector<std::int32_t> expected;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        std::int32_t sum = 0;
        for (int d = 0; d < k; ++d)
          sum += x[static_cast<std::size_t>(i * k + d)] * w[static_cast<std::size_t>(j * k + d)];
        expected.push_back(sum);
      }
    std::string body = fmt::format(
        "%x = input() {{name = \"x\"}} : u8[{0},{1}]\n%w = input() {{name = \"w\"}} : i8[{2},{1}]\n"
        "%y = matmul_i8(%x, %w) : i32[{0},{2}]\n",
        m, k, n);
    EXPECT_EQ(value_of(body, {{"x", Tensor::of<std::uint8_t>({m, k}, x)},
                              {"w", Tensor::of<std::int8_t>({n, k}, w)}}),
              Tensor::of<std::int32_t>({m, n}, expected));
  }
}

const char* const kAccumulators = R"(
%a = input() {name = "a"} : i32[2,2]
%r = input() {name = "r"} : f32[2]
%c = input() {name = "c"} : f32[2]
%b = input() {name = "b"} : f32[2]
%o = input() {name = "o"} : i32[2]
)";

Tensors accumulator_inputs() {
  return {{"a", Tensor::of<std::int32_t>({2, 2}, {16777217, -3, 100, 7})},
          {"r", Tensor::of<float>({2}, {0.1f, 3})},
          {"c", Tensor::of<float>({2}, {0.7f, 0.3f})},
          {"b", Tensor::of<float>({2}, {0.001f, -1})},
          {"o", Tensor::of<std::int32_t>({2}, {2, -10})}};
}

TEST(Dequantize, OrderOfScalesBiasAndOffset) {
  Tensor y = value_of(std::string(kAccumulators) + "%y = dequantize(%a, %r, %c, %b, %o) : f32[2,2]",
                      accumulator_inputs());
  // float(acc + offset), row scale, column scale, bias, each rounded; volatile keeps the steps
  // apart.
  auto expected = [](std::int32_t acc, float r, float c, float b) {
    volatile float value = static_cast<float>(acc);
    value = value * r;
    value = value * c;
    return value + b;
  };
  EXPECT_EQ(y, Tensor::of<float>(
                   {2, 2}, {expected(16777219, 0.1f, 0.7f, 0.001f), expected(-13, 0.1f, 0.3f, -1),
                            expected(102, 3, 0.7f, 0.001f), expected(-3, 3, 0.3f, -1)}));
}

TEST(Dequantize, AbsentOperandsAreLeftOut) {
  Tensor y = value_of(std::string(kAccumulators) + "%y = dequantize(%a, _, %c) : f32[2,2]",
                      accumulator_inputs());
  EXPECT_EQ(
      y, Tensor::of<float>({2, 2}, {16777216.0f * 0.7f, -3.0f * 0.3f, 100.0f * 0.7f, 7.0f * 0.3f}));
}

TEST(Requantize, FollowsTheOnnxRule) {
  std::string text = std::string(kAccumulators) +
                     "%y = requantize(%a, %c, %o) {format = i8, zero_point = -3} : i8[2,2]\n"
                     "%z = requantize(%a, %c) {format = u8, zero_point = 3} : u8[2,2]\n";
  auto values = values_of(text, accumulator_inputs());
  ASSERT_TRUE(values) << values.error().message;
  // (102 x 0.7f = 71.4, -13 x 0.3f = -3.9, -3 x 0.3f = -0.9) - 3; without offset 70, -0.9, 2.1
  // plus 3.
  EXPECT_EQ(values->at("y"), Tensor::of<std::int8_t>({2, 2}, {127, -7, 68, -4}));
  EXPECT_EQ(values->at("z"), Tensor::of<std::uint8_t>({2, 2}, {255, 2, 73, 5}));
}

}  // namespace
}  // namespace tally::ops
