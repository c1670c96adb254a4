// SPDX-License-Identifier: Apache-2.0
// The steps of f32.h over n elements, bit-equal to the scalar ones, as loops that vectorise.
// d[i] = op(a[i], b[i]), or op(a[i], b) with one value for all. d is a, is b, or overlaps neither.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally::f32 {

#define TALLY_F32_BINARY(op)                                                 \
  void op(const uint32_t* a, const uint32_t* b, uint32_t* d, std::size_t n); \
  void op(const uint32_t* a, uint32_t b, uint32_t* d, std::size_t n);
TALLY_F32_BINARY(add)
TALLY_F32_BINARY(sub)
TALLY_F32_BINARY(mul)
TALLY_F32_BINARY(div)
TALLY_F32_BINARY(min)
TALLY_F32_BINARY(max)
TALLY_F32_BINARY(lt)
TALLY_F32_BINARY(le)
TALLY_F32_BINARY(eq)
TALLY_F32_BINARY(select)  // d[i] keeps its value where a[i] is 0
TALLY_F32_BINARY(scale2)
TALLY_F32_BINARY(to_i32)  // b: zero points
TALLY_F32_BINARY(to_i8)
TALLY_F32_BINARY(to_u8)
TALLY_F32_BINARY(add_i32)
#undef TALLY_F32_BINARY

void sqrt(const uint32_t* a, uint32_t* d, std::size_t n);
void abs(const uint32_t* a, uint32_t* d, std::size_t n);
void neg(const uint32_t* a, uint32_t* d, std::size_t n);
void i32_to_f32(const uint32_t* a, uint32_t* d, std::size_t n);

}  // namespace tally::f32
