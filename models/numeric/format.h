// SPDX-License-Identifier: Apache-2.0
// The number formats, one row each. A format is a row; the algorithms (float_codec.h, int_codec.h)
// are written once for all rows. To add a format: a row here, an entry in registry.cc, its name in
// the tests.
#pragma once

#include <cstdint>

#include "models/numeric/bits.h"

namespace tally {

enum class NanKind {
  kIeee,     // largest exponent, any fraction but 0
  kAllOnes,  // only the code with all exponent and fraction bits set
};

// value = (-1)^sign x 2^(exponent - bias) x 1.fraction; exponent field 0: 2^(1 - bias) x
// 0.fraction.
struct FloatFormat {
  const char* name;
  int bits;
  int exponent_bits;
  int fraction_bits;
  int bias;
  bool has_infinity;  // largest exponent, fraction 0
  NanKind nan;
  bool is_signed;

  TALLY_HD constexpr uint64_t sign_mask() const {
    return is_signed ? uint64_t{1} << (bits - 1) : 0;
  }
  // All exponent and fraction bits: the NaN that results carry in every format.
  TALLY_HD constexpr uint64_t nan_code() const {
    return (uint64_t{1} << (exponent_bits + fraction_bits)) - 1;
  }
  TALLY_HD constexpr uint64_t infinity_code() const {
    return nan_code() - ((uint64_t{1} << fraction_bits) - 1);
  }
  TALLY_HD constexpr uint64_t largest_code() const {
    return nan == NanKind::kIeee ? infinity_code() - 1 : nan_code() - 1;
  }
  TALLY_HD constexpr bool is_nan(uint64_t code) const {
    const uint64_t magnitude = code & nan_code();
    return nan == NanKind::kIeee ? magnitude > infinity_code() : magnitude == nan_code();
  }
  TALLY_HD constexpr bool is_infinity(uint64_t code) const {
    return has_infinity && (code & nan_code()) == infinity_code();
  }
};

// Two's complement, or unsigned.
struct IntFormat {
  const char* name;
  int bits;
  bool is_signed;
};

// A block of `block_size` elements that share one scale (MX and its like; no row yet).
struct BlockFormat {
  const char* name;
  FloatFormat element;
  int block_size;
  FloatFormat scale;

  TALLY_HD constexpr int bits() const { return block_size * element.bits + scale.bits; }
};

//                               name   bits exp frac bias  inf    NaN                 signed
inline constexpr FloatFormat kF32{"f32", 32, 8, 23, 127, true, NanKind::kIeee, true};
inline constexpr FloatFormat kF16{"f16", 16, 5, 10, 15, true, NanKind::kIeee, true};
inline constexpr FloatFormat kBf16{"bf16", 16, 8, 7, 127, true, NanKind::kIeee, true};
// OCP 8-bit floating point specification 1.0, tables 1 and 2: E4M3 has no infinity and ends at 448.
inline constexpr FloatFormat kE4m3{"e4m3", 8, 4, 3, 7, false, NanKind::kAllOnes, true};
inline constexpr FloatFormat kE5m2{"e5m2", 8, 5, 2, 15, true, NanKind::kIeee, true};

inline constexpr IntFormat kI4{"i4", 4, true};
inline constexpr IntFormat kI8{"i8", 8, true};
inline constexpr IntFormat kU8{"u8", 8, false};
inline constexpr IntFormat kI32{"i32", 32, true};

}  // namespace tally
