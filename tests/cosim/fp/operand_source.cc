// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/fp/operand_source.h"

#include <algorithm>

namespace tally {

std::vector<std::uint32_t> corner_values() {
  const std::uint32_t magnitudes[] = {
      0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x00400000, 0x007fffff,  // zero, subnormal
      0x00800000, 0x00800001, 0x00ffffff, 0x01000000,                          // smallest normal
      0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff, 0x3f800000, 0x3f800001,  // around 1/2 and 1
      0x3fc00000, 0x40000000, 0x40200000, 0x40490fdb,                          // 1.5, 2, 2.5, pi
      0x4afffffe, 0x4affffff, 0x4b000000, 0x4b000001, 0x4b800000, 0x4effffff,  // 2^23, 2^24, 2^31
      0x4f000000, 0x4f7fffff, 0x4f800000, 0x5f000000,                          // 2^31, 2^32, 2^63
      0x7e800000, 0x7effffff, 0x7f000000, 0x7f7ffffe, 0x7f7fffff,              // largest
      0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff,              // infinity, NaN
      0x42fd0000, 0x42fe0000, 0x42ff0000, 0x437e8000, 0x437f8000,              // 126.5 .. 255.5
      127,        128,        255,        256,        300,        301,         // int32
  };
  std::vector<std::uint32_t> values;
  for (const std::uint32_t magnitude : magnitudes) {
    values.push_back(magnitude);
    values.push_back(magnitude | 0x80000000u);
  }
  for (const std::int32_t value : {-1, -126, -127, -128, -129, -149, -150, -300, -301}) {
    values.push_back(static_cast<std::uint32_t>(value));
  }
  return values;
}

std::uint32_t OperandSource::float_with_exponent(int biased) {
  const auto field = static_cast<std::uint32_t>(std::clamp(biased, 0, 255));
  std::uint32_t fraction = bits() & 0x7fffffu;
  if (bits() % 4 == 0) fraction &= 0x7fffffu << (bits() % 24);  // few significant bits: ties
  return (bits() & 0x80000000u) | field << 23 | fraction;
}

OperandSource::Pair OperandSource::close_exponents() {
  const int exponent = static_cast<int>(bits() % 256);
  const int distance = static_cast<int>(bits() % 57) - 28;
  Pair pair{float_with_exponent(exponent), float_with_exponent(exponent + distance)};
  if (bits() % 4 == 0) pair.b = pair.a ^ 0x80000000u ^ (bits() % 8);  // cancellation
  return pair;
}

// Exponents whose sum or difference lies where products and quotients become subnormal or infinite.
OperandSource::Pair OperandSource::near_range_ends() {
  const int a = static_cast<int>(bits() % 255);
  const int end = bits() % 2 == 0 ? 127 : 127 + 255;
  const int noise = static_cast<int>(bits() % 53) - 26;
  const int b = bits() % 2 == 0 ? end + noise - a : a - end + 254 + noise;
  return {float_with_exponent(a), float_with_exponent(b)};
}

// Small integers, and fp32 values that have or nearly have a fraction of one half.
OperandSource::Pair OperandSource::integers() {
  const int shift = static_cast<int>(bits() % 32);
  const auto integer = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits()) >> shift);
  const int exponent = 120 + static_cast<int>(bits() % 42);
  if (bits() % 2 == 0) return {integer, bits()};
  return {float_with_exponent(exponent), integer};
}

std::uint32_t OperandSource::corner() {
  static const std::vector<std::uint32_t> values = corner_values();
  return values[bits() % values.size()];
}

OperandSource::Pair OperandSource::next() {
  switch (bits() % 6) {
    case 0:
      return {bits(), bits()};
    case 1:
      return close_exponents();
    case 2:
      return near_range_ends();
    case 3:
      return {corner(), bits()};
    case 4:
      return {bits() % 4 == 0 ? corner() : float_with_exponent(static_cast<int>(bits() % 256)),
              corner()};
    default:
      return integers();
  }
}

}  // namespace tally
