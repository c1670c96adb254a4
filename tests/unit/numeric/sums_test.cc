// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/sums.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "models/numeric/f32.h"
#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

std::vector<float> values(std::size_t n, uint32_t seed) {
  std::vector<float> result;
  for (uint32_t bits : random_bits(n, seed)) {
    result.push_back(as_float((bits & 0x807fffffu) | ((120u + bits % 16) << 23)));
  }
  return result;
}

// Slow and obvious: the sum as a tree of its own index arithmetic, element by element.
float reference_sum(const std::vector<float>& x, std::size_t lane, std::size_t width) {
  if (width == 64) {
    float partial = 0.0f;
    for (std::size_t i = lane; i < x.size(); i += 64) partial = partial + x[i];
    return partial;
  }
  return reference_sum(x, lane, 2 * width) + reference_sum(x, lane + width, 2 * width);
}

TEST(Sums, FollowTheRuleAtEveryLength) {
  for (std::size_t n :
       {0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 191, 1000, 4097}) {
    const std::vector<float> x = values(n, 9);
    const float expected = reference_sum(x, 0, 1);
    EXPECT_EQ(as_bits(sum64(x.data(), n)), as_bits(expected)) << n;
  }
}

// The rule differs from a plain loop, so a test above could fail.
TEST(Sums, OrderMatters) {
  const std::vector<float> x = values(4097, 9);
  float plain = 0.0f;
  for (float v : x) plain += v;
  EXPECT_NE(as_bits(sum64(x.data(), x.size())), as_bits(plain));
}

TEST(Sums, StartAtPositiveZero) {
  const std::vector<float> x(70, -0.0f);
  EXPECT_EQ(as_bits(sum64(x.data(), x.size())), 0u);
  EXPECT_EQ(as_bits(sum64(nullptr, 0)), 0u);
}

TEST(Sums, NanAndInfinity) {
  std::vector<float> x(100, 1.0f);
  x[70] = as_float(0xffc12345u);
  EXPECT_EQ(as_bits(sum64(x.data(), x.size())), 0x7fffffffu);
  x[70] = INFINITY;
  EXPECT_EQ(sum64(x.data(), x.size()), INFINITY);
  x[3] = -INFINITY;
  EXPECT_EQ(as_bits(sum64(x.data(), x.size())), 0x7fffffffu);
}

TEST(Sums, MaximumIsTheLargestWhereverItStands) {
  for (std::size_t n : {1, 2, 63, 64, 65, 200}) {
    for (std::size_t at = 0; at < n; ++at) {
      std::vector<float> x(n, -3.0f);
      x[at] = -0.5f;
      ASSERT_EQ(max64(x.data(), n), -0.5f) << n << " " << at;
      x[at] = as_float(0x7f800001u);
      ASSERT_EQ(as_bits(max64(x.data(), n)), 0x7fffffffu);
    }
  }
}

TEST(Sums, MaximumStartsAtMinusInfinity) {
  EXPECT_EQ(max64(nullptr, 0), -INFINITY);
  const std::vector<float> none(80, -INFINITY);
  EXPECT_EQ(max64(none.data(), none.size()), -INFINITY);
  const std::vector<float> zeros = {-0.0f, 0.0f, -0.0f};
  EXPECT_EQ(as_bits(max64(zeros.data(), 3)), 0u);
}

}  // namespace
}  // namespace tally
