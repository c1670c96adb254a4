// SPDX-License-Identifier: Apache-2.0
// Compiled to PTX only: the numeric headers are usable in kernels, and no step is fused or flushed.
#include "models/numeric/f32.h"
#include "models/numeric/float_codec.h"
#include "models/numeric/int_codec.h"

namespace tally {

__global__ void steps(uint32_t* d, const uint32_t* a, const uint32_t* b) {
  const unsigned i = threadIdx.x;
  const uint32_t sum = f32::add(f32::mul(a[i], b[i]), f32::sub(a[i], b[i]));
  const uint32_t root = f32::sqrt(f32::div(sum, f32::max(a[i], f32::min(b[i], f32::neg(a[i])))));
  const uint32_t picked = f32::select(f32::lt(a[i], b[i]), root, f32::scale2(sum, b[i]));
  d[i] = f32::to_i8(picked, 3u) + f32::to_u8(f32::i32_to_f32(a[i]), 0u) + f32::to_i32(sum, b[i]);
}

__global__ void codecs(uint32_t* d, const uint32_t* a) {
  constexpr FloatFormat kFrom = kF16, kTo = kE4m3;
  constexpr IntFormat kInteger = kI4;
  const unsigned i = threadIdx.x;
  const double value = decode(kFrom, a[i]);
  d[i] = static_cast<uint32_t>(encode(kTo, value, RoundMode::kHalfEven, Overflow::kSaturate)) +
         encode(kInteger, static_cast<float>(value));
}

}  // namespace tally
