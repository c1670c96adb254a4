// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/sums.h"

#include <array>

#include "models/numeric/f32.h"

namespace tally {
namespace {

template <class Op>
float reduce64(const float* values, std::size_t n, float start, Op op) {
  std::array<float, kPartials> partial;
  partial.fill(start);
  const std::size_t whole = n - n % kPartials;
  for (std::size_t base = 0; base < whole; base += kPartials) {
    for (std::size_t i = 0; i < kPartials; ++i) partial[i] = op(partial[i], values[base + i]);
  }
  for (std::size_t i = whole; i < n; ++i) partial[i - whole] = op(partial[i - whole], values[i]);
  for (std::size_t h = kPartials / 2; h > 0; h /= 2) {
    for (std::size_t i = 0; i < h; ++i) partial[i] = op(partial[i], partial[i + h]);
  }
  return partial[0];
}

}  // namespace

float sum64(const float* values, std::size_t n) {
  return reduce64(values, n, 0.0f, [](float a, float b) { return f32::add(a, b); });
}

float max64(const float* values, std::size_t n) {
  return reduce64(values, n, as_float(kInfinityBits | kSignBit),
                  [](float a, float b) { return f32::max(a, b); });
}

}  // namespace tally
