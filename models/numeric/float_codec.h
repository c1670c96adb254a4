// SPDX-License-Identifier: Apache-2.0
// One unpack, round and pack for every FloatFormat. Every finite value of these formats is exact in
// binary64, so a conversion between two formats is decode then encode, with a single rounding.
// A CUDA kernel copies a row first: constexpr FloatFormat format = kF16;
#pragma once

#include <cstdint>

#include "models/numeric/format.h"
#include "models/numeric/round.h"

namespace tally {

enum class FloatClass { kZero, kFinite, kInfinity, kNan };

// value = (-1)^negative x significand x 2^exponent, significand in [2^52, 2^53) when finite.
struct UnpackedFloat {
  FloatClass kind;
  bool negative;
  int exponent;
  uint64_t significand;
};

TALLY_HD constexpr UnpackedFloat unpack(const FloatFormat& format, uint64_t code) {
  UnpackedFloat result{FloatClass::kZero, (code & format.sign_mask()) != 0, 0, 0};
  const uint64_t magnitude = code & format.nan_code();
  if (format.is_nan(code)) return {FloatClass::kNan, false, 0, 0};
  if (format.is_infinity(code)) return {FloatClass::kInfinity, result.negative, 0, 0};
  if (magnitude == 0) return result;
  const uint64_t hidden = uint64_t{1} << format.fraction_bits;
  const auto field = static_cast<int>(magnitude >> format.fraction_bits);
  result.kind = FloatClass::kFinite;
  result.significand = (magnitude & (hidden - 1)) | (field == 0 ? 0 : hidden);
  result.exponent = (field == 0 ? 1 : field) - format.bias - 52;
  result.significand <<= 52 - format.fraction_bits;
  while (result.significand < uint64_t{1} << 52) {  // subnormals only
    result.significand <<= 1;
    --result.exponent;
  }
  return result;
}

// Binary64 as a row, so that doubles go through the same codec.
TALLY_HD constexpr FloatFormat binary64() {
  return {"f64", 64, 11, 52, 1023, true, NanKind::kIeee, true};
}

// The code nearest to the value. Beyond the largest finite value after rounding: kSaturate gives
// that value (infinities too), kInfinity gives infinity, or NaN where the format has none;
// kTowardZero truncates finite values to the largest. An unsigned format turns negative values into
// 0.
TALLY_HD constexpr uint64_t pack(const FloatFormat& format, const UnpackedFloat& value,
                                 RoundMode mode, Overflow overflow) {
  if (value.kind == FloatClass::kNan) return format.nan_code();
  if (value.negative && !format.is_signed) return 0;
  const uint64_t sign = value.negative ? format.sign_mask() : 0;
  if (value.kind == FloatClass::kZero) return sign;
  const uint64_t beyond = format.has_infinity ? format.infinity_code() : format.nan_code();
  const uint64_t saturated = overflow == Overflow::kSaturate ? format.largest_code() : beyond;
  if (value.kind == FloatClass::kInfinity) return sign | saturated;

  const int smallest = 1 - format.bias;  // exponent of the smallest normal number
  const int leading = value.exponent + 52;
  const int exponent = leading > smallest ? leading : smallest;
  const int shift = exponent - format.fraction_bits - value.exponent;
  const uint64_t rounded = round_shift_magnitude(value.significand, shift, value.negative, mode);
  // The hidden bit adds 1 to the exponent field; a carry out of the fraction does the same.
  const auto field = static_cast<uint64_t>(exponent - smallest);
  const uint64_t code = (field << format.fraction_bits) + rounded;
  if (code <= format.largest_code()) return sign | code;
  return sign | (mode == RoundMode::kTowardZero ? format.largest_code() : saturated);
}

// The exact value of a code; NaN has no sign or payload.
TALLY_HD constexpr double decode(const FloatFormat& format, uint64_t code) {
  return as_double(
      pack(binary64(), unpack(format, code), RoundMode::kTowardZero, Overflow::kInfinity));
}

TALLY_HD constexpr uint64_t encode(const FloatFormat& format, double value,
                                   RoundMode mode = RoundMode::kHalfEven,
                                   Overflow overflow = Overflow::kInfinity) {
  return pack(format, unpack(binary64(), as_bits(value)), mode, overflow);
}

}  // namespace tally
