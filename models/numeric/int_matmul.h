// SPDX-License-Identifier: Apache-2.0
// Integer matrix products, exact into int32, plain loops that vectorise: the reference for every
// kernel. Sums are modulo 2^32 and exact for K <= 65,793 (uint8 x int8) or 131,072 (int8 x int8).
#pragma once

#include <cstddef>
#include <cstdint>

namespace tally {

struct ProductShape {
  std::size_t m, k, n;
};

// c (M, N) = a (M, K) x b (K, N), all row-major.
void matmul_i8(ProductShape shape, const int8_t* a, const int8_t* b, int32_t* c);
void matmul_u8i8(ProductShape shape, const uint8_t* a, const int8_t* b, int32_t* c);

}  // namespace tally
