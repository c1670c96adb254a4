// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/host_check.h"

#include "models/numeric/bits.h"

namespace tally {
namespace {

// Operations at run time: volatile keeps the compiler from folding, but lets it fuse if so told.
uint32_t sum_bits(uint32_t a, uint32_t b) {
  volatile float x = as_float(a), y = as_float(b);
  return as_bits(x + y);
}

uint32_t product_bits(uint32_t a, uint32_t b) {
  volatile float x = as_float(a), y = as_float(b);
  return as_bits(x * y);
}

uint32_t product_sum_bits(uint32_t a, uint32_t b, uint32_t c) {
  volatile float x = as_float(a), y = as_float(b), z = as_float(c);
  return as_bits(x * y + z);
}

bool rounds_to_nearest_even() {
  const uint32_t one = 0x3f800000u, half_ulp = 0x33800000u, more = 0x33800001u;
  return sum_bits(one, half_ulp) == one && sum_bits(one, more) == one + 1 &&
         sum_bits(one | kSignBit, half_ulp | kSignBit) == (one | kSignBit) &&
         sum_bits(one | kSignBit, more | kSignBit) == ((one + 1) | kSignBit);
}

}  // namespace

Status check_host_arithmetic() {
  if (!rounds_to_nearest_even()) return fail("host floating point does not round to nearest even");
  if (product_bits(0x00800000u, 0x3f000000u) != 0x00400000u) {
    return fail("host floating point flushes subnormal results to zero");
  }
  if (product_bits(0x00400000u, 0x40000000u) != 0x00800000u) {
    return fail("host floating point reads subnormal operands as zero");
  }
  // (1 + 2^-12)^2 - (1 + 2^-11) is 0 with two roundings and 2^-24 with one.
  if (product_sum_bits(0x3f800800u, 0x3f800800u, 0xbf801000u) != 0) {
    return fail("host floating point fuses a multiply and an add");
  }
  return {};
}

}  // namespace tally
