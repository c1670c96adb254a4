// SPDX-License-Identifier: Apache-2.0
// Integers of an IntFormat from and to values: one encode for every row.
#pragma once

#include <cstdint>

#include "models/numeric/format.h"
#include "models/numeric/round.h"

namespace tally {

// The bits of an integer in the low format.bits bits.
TALLY_HD constexpr uint32_t encode(const IntFormat& format, int64_t value,
                                   Overflow overflow = Overflow::kSaturate) {
  const auto narrowed =
      static_cast<uint64_t>(narrow(value, format.bits, format.is_signed, overflow));
  return static_cast<uint32_t>(narrowed & ((uint64_t{1} << format.bits) - 1));
}

// An fp32 value rounded, then as above; NaN gives 0.
TALLY_HD constexpr uint32_t encode(const IntFormat& format, float value,
                                   RoundMode mode = RoundMode::kHalfEven,
                                   Overflow overflow = Overflow::kSaturate) {
  return encode(format, round_f32(as_bits(value), mode), overflow);
}

// The integer in the low format.bits bits.
TALLY_HD constexpr int64_t decode(const IntFormat& format, uint32_t code) {
  return narrow(static_cast<int64_t>(code), format.bits, format.is_signed, Overflow::kWrap);
}

}  // namespace tally
