// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/int_matmul.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace tally {
namespace {

// Slow and obvious: one element at a time in 64 bits.
template <class A>
std::vector<int32_t> reference(ProductShape s, const std::vector<A>& a,
                               const std::vector<int8_t>& b) {
  std::vector<int32_t> c;
  for (std::size_t m = 0; m < s.m; ++m) {
    for (std::size_t n = 0; n < s.n; ++n) {
      int64_t sum = 0;
      for (std::size_t k = 0; k < s.k; ++k) sum += int64_t{a[m * s.k + k]} * b[k * s.n + n];
      c.push_back(static_cast<int32_t>(sum));
    }
  }
  return c;
}

// No 16-bit saturation on the way: 2,072,640 and 1,048,576 whatever the host.
TEST(IntMatmul, ExtremeOperands) {
  constexpr ProductShape kShape{3, 64, 5};
  const std::vector<uint8_t> all_255(3 * 64, 255);
  const std::vector<int8_t> all_127(64 * 5, 127);
  std::vector<int32_t> c(15);
  matmul_u8i8(kShape, all_255.data(), all_127.data(), c.data());
  EXPECT_EQ(c, std::vector<int32_t>(15, 2072640));
  const std::vector<int8_t> left(3 * 64, -128), right(64 * 5, -128);
  matmul_i8(kShape, left.data(), right.data(), c.data());
  EXPECT_EQ(c, std::vector<int32_t>(15, 1048576));
}

TEST(IntMatmul, OddShapes) {
  std::mt19937 random(15);
  for (std::size_t m : {1, 7, 33}) {
    for (std::size_t k : {1, 7, 65}) {
      for (std::size_t n : {1, 33, 65}) {
        const ProductShape shape{m, k, n};
        std::vector<uint8_t> u(m * k);
        std::vector<int8_t> s(m * k), b(k * n);
        for (auto& v : u) v = static_cast<uint8_t>(random());
        for (auto& v : s) v = static_cast<int8_t>(random());
        for (auto& v : b) v = static_cast<int8_t>(random());
        std::vector<int32_t> c(m * n);
        matmul_u8i8(shape, u.data(), b.data(), c.data());
        EXPECT_EQ(c, reference(shape, u, b));
        matmul_i8(shape, s.data(), b.data(), c.data());
        EXPECT_EQ(c, reference(shape, s, b));
      }
    }
  }
}

TEST(IntMatmul, LargestExactDepthAndWrapBehindIt) {
  for (std::size_t k : {65793u, 66000u}) {
    const std::vector<uint8_t> a(k, 255);
    const std::vector<int8_t> b(k, -128);
    int32_t c = 0;
    matmul_u8i8({1, k, 1}, a.data(), b.data(), &c);
    const int64_t exact = int64_t{255} * -128 * static_cast<int64_t>(k);
    EXPECT_EQ(c, static_cast<int32_t>(exact));
    EXPECT_EQ(c == exact, k == 65793u);
  }
}

}  // namespace
}  // namespace tally
