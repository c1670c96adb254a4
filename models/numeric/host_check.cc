// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/host_check.h"

#include "models/numeric/bits.h"

namespace tally {
namespace {

// An fp32 operation at run time: volatile keeps the compiler from folding or fusing it.
struct Operand {
  explicit Operand(uint32_t bits) : value(as_float(bits)) {}
  volatile float value;
};

uint32_t sum_bits(uint32_t a, uint32_t b) {
  const Operand x(a), y(b);
  const float sum = x.value + y.value;
  return as_bits(sum);
}

uint32_t product_bits(uint32_t a, uint32_t b) {
  const Operand x(a), y(b);
  const float product = x.value * y.value;
  return as_bits(product);
}

uint32_t product_sum_bits(uint32_t a, uint32_t b, uint32_t c) {
  const Operand x(a), y(b), z(c);
  const float result = x.value * y.value + z.value;
  return as_bits(result);
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
