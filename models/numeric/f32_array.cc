// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/f32_array.h"

#include <algorithm>

#include "models/numeric/f32.h"

// The iterations are independent (d is an operand or apart from it): no run-time overlap check.
#if defined(__clang__)
#define TALLY_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define TALLY_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace tally::f32 {
namespace {

template <class Op>
void unary(const uint32_t* a, uint32_t* d, std::size_t n, Op op) {
  TALLY_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) d[i] = op(a[i]);
}

template <class Op>
void binary(const uint32_t* a, const uint32_t* b, uint32_t* d, std::size_t n, Op op) {
  TALLY_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) d[i] = op(a[i], b[i]);
}

template <class Op>
void binary(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n, Op op) {
  TALLY_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) d[i] = op(a[i], b);
}

// to_integer for 8-bit results and |zero point| < 2^21, without branches: magnitudes are cut at
// 2^22 (the result saturates there anyway), and adding 1.5 x 2^23 rounds half to even into the low
// bits.
inline uint32_t to_8_bits(uint32_t a, int32_t zero_point, int32_t low, int32_t high) {
  constexpr uint32_t kCut = as_bits(4194304.0f);
  constexpr float kMagic = 12582912.0f;
  const auto magnitude = static_cast<int32_t>(a & ~kSignBit);
  const int32_t cut = std::min(magnitude, static_cast<int32_t>(kCut));
  const uint32_t value = is_nan(a) ? 0 : static_cast<uint32_t>(cut) | (a & kSignBit);
  const auto rounded = static_cast<int32_t>(as_bits(as_float(value) + kMagic) - as_bits(kMagic));
  return static_cast<uint32_t>(std::min(std::max(rounded + zero_point, low), high));
}

// to_i32 for zero point 0, without branches: adding 1.5 x 2^52 in binary64 does the rounding.
inline uint32_t to_i32_plain(uint32_t a) {
  constexpr uint32_t kLimit = as_bits(2147483648.0f);
  const uint32_t magnitude = a & ~kSignBit;
  const bool in_range = magnitude < kLimit;
  const double value = as_float(in_range ? a : 0);
  const auto rounded = static_cast<uint32_t>(as_bits(value + 0x1.8p52));
  const uint32_t saturated = 0x7fffffffu + (a >> 31);
  return in_range ? rounded : (is_nan(a) ? 0 : saturated);
}

void to_8_bits(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n, bool is_signed) {
  constexpr int32_t kFast = 1 << 21;
  const auto zero_point = static_cast<int32_t>(b);
  const auto low = static_cast<int32_t>(integer_min(8, is_signed));
  const auto high = static_cast<int32_t>(integer_max(8, is_signed));
  if (zero_point > -kFast && zero_point < kFast) {
    unary(a, d, n, [=](uint32_t x) { return to_8_bits(x, zero_point, low, high); });
  } else {
    unary(a, d, n, [=](uint32_t x) { return to_integer(x, b, 8, is_signed); });
  }
}

}  // namespace

#define TALLY_F32_ARRAY(op)                                                   \
  void op(const uint32_t* a, const uint32_t* b, uint32_t* d, std::size_t n) { \
    binary(a, b, d, n, [](uint32_t x, uint32_t y) { return op(x, y); });      \
  }
#define TALLY_F32_IMMEDIATE(op)                                          \
  void op(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n) {   \
    binary(a, b, d, n, [](uint32_t x, uint32_t y) { return op(x, y); }); \
  }
#define TALLY_F32_BINARY(op) TALLY_F32_ARRAY(op) TALLY_F32_IMMEDIATE(op)
TALLY_F32_BINARY(add)
TALLY_F32_BINARY(sub)
TALLY_F32_BINARY(mul)
TALLY_F32_BINARY(div)
TALLY_F32_BINARY(min)
TALLY_F32_BINARY(max)
TALLY_F32_BINARY(lt)
TALLY_F32_BINARY(le)
TALLY_F32_BINARY(eq)
TALLY_F32_BINARY(scale2)
TALLY_F32_ARRAY(to_i32)
TALLY_F32_BINARY(add_i32)
TALLY_F32_ARRAY(to_i8)
TALLY_F32_ARRAY(to_u8)

void to_i32(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n) {
  if (b == 0) {
    unary(a, d, n, [](uint32_t x) { return to_i32_plain(x); });
  } else {
    unary(a, d, n, [=](uint32_t x) { return to_i32(x, b); });
  }
}
void to_i8(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n) {
  to_8_bits(a, b, d, n, true);
}
void to_u8(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n) {
  to_8_bits(a, b, d, n, false);
}

void select(const uint32_t* a, const uint32_t* b, uint32_t* d, std::size_t n) {
  TALLY_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) d[i] = select(a[i], b[i], d[i]);
}
void select(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n) {
  TALLY_INDEPENDENT
  for (std::size_t i = 0; i < n; ++i) d[i] = select(a[i], b, d[i]);
}

void sqrt(const uint32_t* a, uint32_t* d, std::size_t n) {
  unary(a, d, n, [](uint32_t x) { return sqrt(x); });
}
void abs(const uint32_t* a, uint32_t* d, std::size_t n) {
  unary(a, d, n, [](uint32_t x) { return abs(x); });
}
void neg(const uint32_t* a, uint32_t* d, std::size_t n) {
  unary(a, d, n, [](uint32_t x) { return neg(x); });
}
void i32_to_f32(const uint32_t* a, uint32_t* d, std::size_t n) {
  unary(a, d, n, [](uint32_t x) { return i32_to_f32(x); });
}

}  // namespace tally::f32
