// SPDX-License-Identifier: Apache-2.0
// The only file that rounds: right shifts and fp32-to-integer rounding, and narrowing of integers,
// in integer code that no host rounding mode can change. (fp32 steps round in the FPU: see f32.h.)
#pragma once

#include <cstdint>

#include "models/numeric/bits.h"

namespace tally {

enum class RoundMode {
  kHalfEven,    // nearest, ties to the even neighbour
  kHalfUp,      // nearest, ties towards +infinity
  kTowardZero,  // truncate the magnitude
};

enum class Overflow {
  kSaturate,  // the nearest end of the range
  kWrap,      // integers: modulo 2^bits
  kInfinity,  // floats: infinity, or NaN in a format without infinities
};

// magnitude / 2^shift, rounded; `negative` is the sign of the whole value. magnitude < 2^63, shift
// >= 0.
TALLY_HD constexpr uint64_t round_shift_magnitude(uint64_t magnitude, int shift, bool negative,
                                                  RoundMode mode) {
  if (shift == 0) return magnitude;
  if (shift > 63) return 0;  // below one half
  const uint64_t kept = magnitude >> shift;
  const uint64_t rest = magnitude & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  if (mode == RoundMode::kTowardZero || rest < half) return kept;
  if (rest > half) return kept + 1;
  const bool up = mode == RoundMode::kHalfEven ? (kept & 1) != 0 : !negative;
  return kept + (up ? 1 : 0);
}

// value / 2^shift, rounded. |value| < 2^63, shift >= 0.
TALLY_HD constexpr int64_t round_shift(int64_t value, int shift, RoundMode mode) {
  const bool negative = value < 0;
  const uint64_t magnitude =
      negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const auto rounded =
      static_cast<int64_t>(round_shift_magnitude(magnitude, shift, negative, mode));
  return negative ? -rounded : rounded;
}

// An fp32 value (as bits) rounded to an integer and clamped to +-2^32; NaN gives 0. Outside +-2^32
// a sum with any int32 lies outside int32, so clamping here and saturating after the sum is exact.
TALLY_HD constexpr int64_t round_f32(uint32_t bits, RoundMode mode) {
  constexpr uint64_t kLimit = uint64_t{1} << 32;
  if (is_nan(bits)) return 0;
  const bool negative = (bits & kSignBit) != 0;
  const int biased = static_cast<int>((bits >> 23) & 0xff);
  const uint64_t fraction = bits & 0x7fffffu;
  const uint64_t significand = biased == 0 ? fraction : fraction | 0x800000u;
  const int shift = 150 - (biased == 0 ? 1 : biased);  // value = significand / 2^shift
  uint64_t magnitude = kLimit;
  if (shift >= 0) {
    magnitude = round_shift_magnitude(significand, shift, negative, mode);
  } else if (shift > -9) {
    magnitude = significand << -shift;
  }
  return negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
}

TALLY_HD constexpr int64_t integer_min(int bits, bool is_signed) {
  return is_signed ? -(int64_t{1} << (bits - 1)) : 0;
}
TALLY_HD constexpr int64_t integer_max(int bits, bool is_signed) {
  return (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
}

// value in the range of an integer of `bits` bits (1 to 32).
TALLY_HD constexpr int64_t narrow(int64_t value, int bits, bool is_signed, Overflow overflow) {
  const int64_t low = integer_min(bits, is_signed);
  const int64_t high = integer_max(bits, is_signed);
  if (overflow == Overflow::kWrap) {
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    const auto wrapped = static_cast<int64_t>(static_cast<uint64_t>(value) & mask);
    return wrapped > high ? wrapped - (int64_t{1} << bits) : wrapped;
  }
  return value < low ? low : (value > high ? high : value);
}

}  // namespace tally
