// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/ops/one_op.h"

namespace tally::ops {
namespace {

const std::string kInput = "%x = input() {name = \"x\"} : i8[2,3]\n";
const Tensor kX = Tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});

Tensor moved(const std::string& line) { return value_of(kInput + line, {{"x", kX}}); }

TEST(Movement, CopyAndReshapeKeepElements) {
  EXPECT_EQ(moved("%y = copy(%x) : i8[2,3]@dram"), kX);
  EXPECT_EQ(moved("%y = reshape(%x) {shape = [6]} : i8[6]"),
            Tensor::of<std::int8_t>({6}, {1, 2, 3, 4, 5, 6}));
}

TEST(Movement, Transpose) {
  EXPECT_EQ(moved("%y = transpose(%x) : i8[3,2]"),
            Tensor::of<std::int8_t>({3, 2}, {1, 4, 2, 5, 3, 6}));
}

TEST(Movement, ConcatAndSlices) {
  EXPECT_EQ(moved("%y = concat_rows(%x, %x) : i8[4,3]"),
            Tensor::of<std::int8_t>({4, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(moved("%y = slice_rows(%x) {begin = 1, end = 2} : i8[1,3]"),
            Tensor::of<std::int8_t>({1, 3}, {4, 5, 6}));
  EXPECT_EQ(moved("%y = slice_columns(%x) {begin = 1, end = 3} : i8[2,2]"),
            Tensor::of<std::int8_t>({2, 2}, {2, 3, 5, 6}));
}

TEST(Movement, EmbeddingTakesRowsOfAnyFormat) {
  EXPECT_EQ(value_of(kInput + "%i = input() {name = \"i\"} : i32[3]\n"
                              "%y = embedding(%i, %x) : i8[3,3]",
                     {{"x", kX}, {"i", Tensor::of<std::int32_t>({3}, {1, 0, 1})}}),
            Tensor::of<std::int8_t>({3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6}));
}

TEST(Movement, CacheWriteReplacesRows) {
  EXPECT_EQ(value_of(kInput + "%c = input() {name = \"c\"} : i8[4,3]\n"
                              "%p = input() {name = \"p\"} : i32[1]\n"
                              "%y = cache_write(%c, %x, %p) : i8[4,3]",
                     {{"x", kX},
                      {"c", Tensor::of<std::int8_t>({4, 3}, std::vector<std::int8_t>(12, 9))},
                      {"p", Tensor::of<std::int32_t>({1}, {1})}}),
            Tensor::of<std::int8_t>({4, 3}, {9, 9, 9, 1, 2, 3, 4, 5, 6, 9, 9, 9}));
}

}  // namespace
}  // namespace tally::ops
