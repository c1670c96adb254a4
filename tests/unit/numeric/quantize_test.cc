// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/numeric/f32.h"
#include "models/numeric/float_codec.h"
#include "models/numeric/onnx_quantize.h"
#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

std::vector<float> finite_values(std::size_t n, uint32_t seed) {
  std::vector<float> values;
  for (uint32_t bits : random_bits(n, seed)) {
    values.push_back(as_float((bits & 0x807fffffu) | ((115u + bits % 16) << 23)));
  }
  return values;
}

// Round half to even and saturate, in binary64.
int reference_round(double value, int low, int high) {
  const double down = std::floor(value), rest = value - down;
  const double whole = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2) != 0) ? down + 1 : down;
  return static_cast<int>(std::min<double>(std::max<double>(whole, low), high));
}

float rounded(double value) { return static_cast<float>(decode(kF32, encode(kF32, value))); }

// Slow and obvious: each step in binary64, rounded to binary32 at once.
TEST(Quantize, RowEqualsTheStepsOfTheMachine) {
  for (std::size_t n : {1, 2, 63, 64, 65, 300, 1000}) {
    const std::vector<float> x = finite_values(n, static_cast<uint32_t>(n));
    double largest = 0;
    for (float v : x) largest = std::max(largest, std::fabs(double{v}));
    const float scale = rounded(largest / 127.0);
    const float inverse = rounded(1.0 / double{scale});
    std::vector<int8_t> q(n);
    EXPECT_EQ(quantize_row_i8(x.data(), n, q.data()), scale);
    for (std::size_t i = 0; i < n; ++i) {
      const float product = rounded(double{x[i]} * double{inverse});
      ASSERT_EQ(q[i], reference_round(product, -128, 127)) << x[i];
    }
  }
}

TEST(Quantize, LargestValueBecomes127InBothSigns) {
  for (float m : finite_values(2000, 11)) {
    const float row[] = {std::fabs(m), -std::fabs(m), 0.0f};
    int8_t q[3];
    const float scale = quantize_row_i8(row, 3, q);
    ASSERT_EQ(q[0], 127) << m;
    ASSERT_EQ(q[1], -127) << m;
    ASSERT_EQ(q[2], 0);
    ASSERT_NEAR(scale * 127, std::fabs(m), std::fabs(m) * 0x1p-22);
  }
}

TEST(Quantize, RowOfZeros) {
  const std::vector<float> zeros = {0.0f, -0.0f, 0.0f};
  std::vector<int8_t> q(3, 99);
  EXPECT_EQ(as_bits(quantize_row_i8(zeros.data(), 3, q.data())), 0u);
  EXPECT_EQ(q, std::vector<int8_t>(3, 0));
  EXPECT_EQ(inverse_scale(0.0f), INFINITY);
}

TEST(Quantize, TinyRowsStayFinite) {
  for (float m : {1e-45f, 1e-42f, 1e-39f, 1e-38f, 3e-37f}) {
    const float row[] = {m, -m / 2, 0.0f};
    int8_t q[3];
    const float scale = quantize_row_i8(row, 3, q);
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(std::isfinite(q[i] * scale));
      EXPECT_LT(std::fabs(q[i] * scale - row[i]), 1e-36f) << m;
    }
    EXPECT_EQ(q[2], 0);
  }
}

TEST(Quantize, RowsThatAreNotFiniteDequantiseToNan) {
  for (float bad : {INFINITY, -INFINITY, NAN}) {
    const float row[] = {1.0f, bad, -2.0f};
    int8_t q[3];
    const float scale = quantize_row_i8(row, 3, q);
    EXPECT_FALSE(std::isfinite(scale));
    for (int8_t value : q) EXPECT_EQ(value, 0);
    EXPECT_TRUE(std::isnan(dequantize(0, 1.0f, scale)));
  }
}

TEST(Quantize, Uint8RowEqualsTheStepsOfTheMachine) {
  std::vector<float> x = finite_values(500, 17);
  for (float& v : x) v = std::fabs(v);
  const float largest = *std::max_element(x.begin(), x.end());
  const float scale = rounded(double{largest} / 255.0);
  const float inverse = rounded(1.0 / double{scale});
  std::vector<uint8_t> q(x.size());
  EXPECT_EQ(quantize_row_u8(x.data(), x.size(), q.data()), scale);
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(q[i], reference_round(rounded(double{x[i]} * double{inverse}), 0, 255)) << x[i];
  }
  EXPECT_EQ(*std::max_element(q.begin(), q.end()), 255);
}

TEST(Quantize, AffineCoversItsRangeAndZero) {
  for (float low : {-3.0f, -1.0f, 0.0f, 2.0f}) {
    for (float high : {-0.5f, 0.0f, 1.0f, 7.0f}) {
      const Quantization p = affine_u8(low, high);
      EXPECT_GT(p.scale, 0.0f);
      const float bottom = std::min(low, 0.0f), top = std::max(high, 0.0f);
      const float x[] = {bottom, 0.0f, top};
      uint8_t q[3];
      quantize_u8(x, 3, p, q);
      EXPECT_EQ(q[1], p.zero_point);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR((q[i] - p.zero_point) * p.scale, x[i], p.scale) << low << " " << high;
      }
    }
  }
  EXPECT_EQ(affine_u8(0.0f, 0.0f).scale, 1.0f);
  EXPECT_EQ(affine_u8(0.0f, 0.0f).zero_point, 0);
}

TEST(Quantize, StaticMultipliesByTheReciprocal) {
  const Quantization p{5.0f / 255.0f, 3};
  const std::vector<float> x = finite_values(1000, 12);
  std::vector<int8_t> i8(x.size());
  std::vector<uint8_t> u8(x.size());
  quantize_i8(x.data(), x.size(), p, i8.data());
  quantize_u8(x.data(), x.size(), p, u8.data());
  const float inverse = rounded(1.0 / double{p.scale});
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double product = rounded(double{x[i]} * double{inverse});
    ASSERT_EQ(i8[i], std::min(std::max(reference_round(product, -1000, 1000) + 3, -128), 127));
    ASSERT_EQ(u8[i], std::min(std::max(reference_round(product, -1000, 1000) + 3, 0), 255));
  }
}

TEST(Quantize, RequantiseRoundsTwiceAndSaturates) {
  for (uint32_t bits : random_bits(20000, 13)) {
    const auto accumulator = static_cast<int32_t>(bits) >> (bits % 20);
    const Quantization p{0.00317f, static_cast<int32_t>(bits % 256)};
    const double product = rounded(double{rounded(accumulator)} * double{p.scale});
    const int whole = reference_round(product, -100000000, 100000000);
    ASSERT_EQ(requantize_u8(accumulator, p), std::min(std::max(whole + p.zero_point, 0), 255));
    const Quantization s{p.scale, p.zero_point - 128};
    ASSERT_EQ(requantize_i8(accumulator, s), std::min(std::max(whole + s.zero_point, -128), 127));
  }
}

// The row's scale first: the other order gives other bits here.
TEST(Quantize, DequantiseOrder) {
  int differences = 0;
  const std::vector<float> scales = finite_values(2000, 14);
  for (std::size_t i = 0; i + 1 < scales.size(); i += 2) {
    const float row = scales[i], column = scales[i + 1];
    const float expected = rounded(double{rounded(12345.0 * double{row})} * double{column});
    ASSERT_EQ(dequantize(12345, row, column), expected);
    differences += dequantize(12345, column, row) != expected ? 1 : 0;
  }
  EXPECT_GT(differences, 100);
  EXPECT_EQ(dequantize(-16777217, 0.5f), -8388608.0f);  // the conversion rounds
}

TEST(OnnxQuantize, LinearInt8RoundsHalfToEvenAndUsesMinus128) {
  const float x[] = {-129, -128, -127.5f, -0.5f, 0.5f, 1.5f, 2.5f, 126.5f, 127.5f, 128};
  const int8_t expected[] = {-128, -128, -128, 0, 0, 2, 2, 126, 127, 127};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(onnx::quantize_linear_i8(x[i], {1.0f, 0}), expected[i]);
}

TEST(OnnxQuantize, LinearOfFp16Input) {
  const auto x = static_cast<float>(decode(kF16, encode(kF16, 0.050018310546875)));
  const auto scale = static_cast<float>(decode(kF16, encode(kF16, 0.0999755859375)));
  EXPECT_EQ(x, 0.050018310546875f);
  EXPECT_EQ(onnx::quantize_linear_i8(x, {scale, 0}), 1);
}

// The quotient is -127.4999924; the product with the reciprocal is -127.5 and rounds to -128.
TEST(OnnxQuantize, DividesWhereARecipeMultiplies) {
  const Quantization p{5.0f / 255.0f, 0};
  const float x = -2.5f;
  int8_t q;
  quantize_i8(&x, 1, p, &q);
  EXPECT_EQ(onnx::quantize_linear_i8(x, p), -127);
  EXPECT_EQ(q,
            static_cast<int8_t>(reference_round(f32::mul(x, inverse_scale(p.scale)), -128, 127)));
}

TEST(OnnxQuantize, Dynamic) {
  const float first[] = {-127, 128, 0.5f};
  uint8_t q[3];
  const Quantization p = onnx::dynamic_quantize_linear(first, 3, q);
  EXPECT_EQ(p.scale, 1.0f);
  EXPECT_EQ(p.zero_point, 127);
  EXPECT_EQ(q[0], 0);
  EXPECT_EQ(q[1], 255);
  EXPECT_EQ(q[2], 127);
  const float second[] = {-253, 257};
  const Quantization s = onnx::dynamic_quantize_linear(second, 2, q);
  EXPECT_EQ(s.scale, 2.0f);
  EXPECT_EQ(s.zero_point, 126);
  EXPECT_EQ(q[0], 0);
  EXPECT_EQ(q[1], 254);
}

TEST(OnnxQuantize, DynamicOfZeros) {
  const float zeros[] = {0.0f, -0.0f};
  uint8_t q[2] = {9, 9};
  const Quantization p = onnx::dynamic_quantize_linear(zeros, 2, q);
  EXPECT_EQ(p.scale, 1.0f);
  EXPECT_EQ(p.zero_point, 0);
  EXPECT_EQ(q[0], 0);
  EXPECT_EQ(q[1], 0);
}

}  // namespace
}  // namespace tally
