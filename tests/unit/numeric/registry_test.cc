// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/registry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "models/numeric/float_codec.h"
#include "models/numeric/int_codec.h"

namespace tally {
namespace {

TEST(Registry, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const FormatInfo& format : formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    ASSERT_TRUE(find_format(format.name).has_value());
    EXPECT_EQ(find_format(format.name)->bits, format.bits);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"f32", "f16", "bf16", "e4m3", "e5m2", "i32", "i8",
                                               "u8", "i4"}));
  EXPECT_FALSE(find_format("f7").has_value());
}

TEST(Registry, IntegersOfEveryCode) {
  for (const IntFormat& format : {kI4, kI8, kU8}) {
    const FormatInfo info = *find_format(format.name);
    for (uint32_t code = 0; code < 1u << format.bits; ++code) {
      const int half = 1 << (format.bits - 1);
      const int expected = format.is_signed && static_cast<int>(code) >= half
                               ? static_cast<int>(code) - 2 * half
                               : static_cast<int>(code);
      EXPECT_EQ(info.to_float(code), static_cast<float>(expected));
      EXPECT_EQ(info.from_float(static_cast<float>(expected)), code);
      EXPECT_EQ(decode(format, code), expected);
      EXPECT_EQ(encode(format, int64_t{expected} + 6 * half, Overflow::kWrap), code);
    }
  }
}

TEST(Registry, IntegersRoundHalfEvenAndSaturate) {
  const FormatInfo i8 = *find_format("i8"), u8 = *find_format("u8"), i4 = *find_format("i4");
  const FormatInfo i32 = *find_format("i32");
  EXPECT_EQ(i8.from_float(2.5f), 2u);
  EXPECT_EQ(i8.from_float(-1.5f), 0xfeu);
  EXPECT_EQ(i8.from_float(1000.0f), 0x7fu);
  EXPECT_EQ(i8.from_float(-INFINITY), 0x80u);
  EXPECT_EQ(u8.from_float(-3.0f), 0u);
  EXPECT_EQ(u8.from_float(255.5f), 255u);
  EXPECT_EQ(i4.from_float(9.0f), 7u);
  EXPECT_EQ(i4.from_float(-9.0f), 8u);
  EXPECT_EQ(i32.from_float(3e9f), 0x7fffffffu);
  EXPECT_EQ(i32.to_float(0xffffffffu), -1.0f);
  EXPECT_EQ(i32.to_float(16777217u), 16777216.0f);
  for (const FormatInfo& format : {i8, u8, i4, i32}) EXPECT_EQ(format.from_float(NAN), 0u);
}

// Arrays of every format and odd lengths: the codes survive, the size is as promised.
TEST(Registry, ArraysRoundTrip) {
  for (const FormatInfo& format : formats()) {
    for (std::size_t n : {0, 1, 2, 7, 33}) {
      std::vector<float> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 7);
      const std::vector<uint8_t> bytes = from_floats(format, values);
      EXPECT_EQ(bytes.size(), (n * static_cast<std::size_t>(format.bits) + 7) / 8) << format.name;
      EXPECT_EQ(bytes.size(), packed_bytes(format, n));
      EXPECT_EQ(to_floats(format, bytes, n), values) << format.name;
    }
  }
}

TEST(Registry, StorageIsLittleEndianLowNibbleFirst) {
  const std::vector<float> values = {1.0f, -2.0f, 3.0f};
  EXPECT_EQ(from_floats(*find_format("i4"), values), (std::vector<uint8_t>{0xe1, 0x03}));
  EXPECT_EQ(from_floats(*find_format("bf16"), values),
            (std::vector<uint8_t>{0x80, 0x3f, 0x00, 0xc0, 0x40, 0x40}));
  EXPECT_EQ(from_floats(*find_format("i32"), std::vector<float>{-2.0f}),
            (std::vector<uint8_t>{0xfe, 0xff, 0xff, 0xff}));
}

TEST(RegistryDeathTest, WrongSizeIsABrokenInvariant) {
  const std::vector<uint8_t> bytes(3);
  EXPECT_DEATH(to_floats(*find_format("i8"), bytes, 4), "3 bytes for 4 elements of i8");
}

}  // namespace
}  // namespace tally
