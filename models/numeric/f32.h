// SPDX-License-Identifier: Apache-2.0
// The vector unit's steps on 32-bit register values: IEEE binary32 with subnormals, nearest even,
// one rounding a step (docs/numerics.md). Every arithmetic result that is NaN is 0x7fffffff.
// Registers hold raw bits, fp32 or int32; the float overloads are for code that works on fp32
// values. Needs a host with default rounding and no flush to zero (host_check.h) and
// -ffp-contract=off. Array forms: f32_array.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "models/numeric/bits.h"
#include "models/numeric/round.h"

namespace tally::f32 {

inline constexpr uint32_t kOne = 0x3f800000u;  // 1.0f: what a comparison that holds returns

// The bits of an arithmetic result: NaN becomes 0x7fffffff, the rest stays.
TALLY_HD constexpr uint32_t canonical(uint32_t bits) { return is_nan(bits) ? kNanBits : bits; }
TALLY_HD constexpr uint32_t canonical(float value) { return canonical(as_bits(value)); }

TALLY_HD inline uint32_t add(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
  return canonical(__fadd_rn(as_float(a), as_float(b)));
#else
  return canonical(as_float(a) + as_float(b));
#endif
}

TALLY_HD inline uint32_t sub(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
  return canonical(__fsub_rn(as_float(a), as_float(b)));
#else
  return canonical(as_float(a) - as_float(b));
#endif
}

TALLY_HD inline uint32_t mul(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
  return canonical(__fmul_rn(as_float(a), as_float(b)));
#else
  return canonical(as_float(a) * as_float(b));
#endif
}

TALLY_HD inline uint32_t div(uint32_t a, uint32_t b) {
#if defined(__CUDA_ARCH__)
  return canonical(__fdiv_rn(as_float(a), as_float(b)));
#else
  return canonical(as_float(a) / as_float(b));
#endif
}

TALLY_HD inline uint32_t sqrt(uint32_t a) {
#if defined(__CUDA_ARCH__)
  return canonical(__fsqrt_rn(as_float(a)));
#else
  return canonical(__builtin_sqrtf(as_float(a)));
#endif
}

// Sign and magnitude as a two's complement number: the order of fp32 without NaN, -0 just below +0.
TALLY_HD constexpr int32_t order_key(uint32_t a) {
  const auto flip = static_cast<uint32_t>(static_cast<int32_t>(a) >> 31) >> 1;
  return static_cast<int32_t>(a ^ flip);
}

// NaN if an operand is NaN; +0 > -0.
TALLY_HD constexpr uint32_t min(uint32_t a, uint32_t b) {
  const uint32_t smaller = order_key(a) < order_key(b) ? a : b;
  return (is_nan(a) | is_nan(b)) ? kNanBits : smaller;
}
TALLY_HD constexpr uint32_t max(uint32_t a, uint32_t b) {
  const uint32_t larger = order_key(a) > order_key(b) ? a : b;
  return (is_nan(a) | is_nan(b)) ? kNanBits : larger;
}

// Sign cleared or inverted; arithmetic, so a NaN becomes 0x7fffffff.
TALLY_HD constexpr uint32_t abs(uint32_t a) { return canonical(a & ~kSignBit); }
TALLY_HD constexpr uint32_t neg(uint32_t a) { return canonical(a ^ kSignBit); }

// 1.0f where the comparison holds, else +0; -0 equals +0, and nothing holds with NaN.
TALLY_HD constexpr uint32_t lt(uint32_t a, uint32_t b) {
  return as_float(a) < as_float(b) ? kOne : 0;
}
TALLY_HD constexpr uint32_t le(uint32_t a, uint32_t b) {
  return as_float(a) <= as_float(b) ? kOne : 0;
}
TALLY_HD constexpr uint32_t eq(uint32_t a, uint32_t b) {
  return as_float(a) == as_float(b) ? kOne : 0;
}

// b where any of a's 32 bits is set, else d (the destination's old value). Bits move unchanged.
TALLY_HD constexpr uint32_t select(uint32_t a, uint32_t b, uint32_t d) { return a != 0 ? b : d; }

// a x 2^n for any int32 n, one rounding: exact in binary64 (|n| cut at 300 changes nothing), then
// rounded to binary32 once, subnormals included.
TALLY_HD inline uint32_t scale2(uint32_t a, uint32_t n) {
  int32_t power = static_cast<int32_t>(n);
  power = power < -300 ? -300 : (power > 300 ? 300 : power);
  const double factor = as_double(static_cast<uint64_t>(power + 1023) << 52);
  const double scaled = static_cast<double>(as_float(a)) * factor;
  return canonical(static_cast<float>(scaled));
}

TALLY_HD inline uint32_t i32_to_f32(uint32_t a) {
  return as_bits(static_cast<float>(static_cast<int32_t>(a)));
}

// a rounded half to even (NaN gives 0), plus the int32 zero point exactly, saturated.
TALLY_HD constexpr uint32_t to_integer(uint32_t a, uint32_t zero_point, int bits, bool is_signed) {
  const int64_t sum = round_f32(a, RoundMode::kHalfEven) + static_cast<int32_t>(zero_point);
  return static_cast<uint32_t>(narrow(sum, bits, is_signed, Overflow::kSaturate));
}
TALLY_HD constexpr uint32_t to_i32(uint32_t a, uint32_t zero_point) {
  return to_integer(a, zero_point, 32, true);
}
// The 8-bit results are extended to 32 bits: -128 to 127, 0 to 255.
TALLY_HD constexpr uint32_t to_i8(uint32_t a, uint32_t zero_point) {
  return to_integer(a, zero_point, 8, true);
}
TALLY_HD constexpr uint32_t to_u8(uint32_t a, uint32_t zero_point) {
  return to_integer(a, zero_point, 8, false);
}

// int32 addition modulo 2^32.
TALLY_HD constexpr uint32_t add_i32(uint32_t a, uint32_t b) { return a + b; }

// The same steps on fp32 values.
TALLY_HD inline float add(float a, float b) { return as_float(add(as_bits(a), as_bits(b))); }
TALLY_HD inline float sub(float a, float b) { return as_float(sub(as_bits(a), as_bits(b))); }
TALLY_HD inline float mul(float a, float b) { return as_float(mul(as_bits(a), as_bits(b))); }
TALLY_HD inline float div(float a, float b) { return as_float(div(as_bits(a), as_bits(b))); }
TALLY_HD inline float sqrt(float a) { return as_float(sqrt(as_bits(a))); }
TALLY_HD constexpr float min(float a, float b) { return as_float(min(as_bits(a), as_bits(b))); }
TALLY_HD constexpr float max(float a, float b) { return as_float(max(as_bits(a), as_bits(b))); }
TALLY_HD constexpr float abs(float a) { return as_float(abs(as_bits(a))); }
TALLY_HD constexpr float neg(float a) { return as_float(neg(as_bits(a))); }
TALLY_HD inline float scale2(float a, int32_t n) {
  return as_float(scale2(as_bits(a), static_cast<uint32_t>(n)));
}
TALLY_HD inline float from_i32(int32_t a) { return as_float(i32_to_f32(static_cast<uint32_t>(a))); }
TALLY_HD constexpr int32_t to_i32(float a, int32_t zero_point) {
  return static_cast<int32_t>(to_i32(as_bits(a), static_cast<uint32_t>(zero_point)));
}
TALLY_HD constexpr int8_t to_i8(float a, int32_t zero_point) {
  return static_cast<int8_t>(to_i8(as_bits(a), static_cast<uint32_t>(zero_point)));
}
TALLY_HD constexpr uint8_t to_u8(float a, int32_t zero_point) {
  return static_cast<uint8_t>(to_u8(as_bits(a), static_cast<uint32_t>(zero_point)));
}

}  // namespace tally::f32
