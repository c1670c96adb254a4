// SPDX-License-Identifier: Apache-2.0
// Exact integer products of 8-bit operands, for the interpreter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tally::ops {

// Bytes extended to 16 bits, in which products of pairs vectorise.
template <class T>
std::vector<std::int16_t> widened(std::span<const T> bytes) {
  return {bytes.begin(), bytes.end()};
}

// sum a[i] b[i] over n elements that come from bytes; n is at most 65,793, so that nothing
// overflows.
std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::int64_t n);

}  // namespace tally::ops
