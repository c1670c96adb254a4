// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/int_matmul.h"

#include <algorithm>
#include <vector>

namespace tally {
namespace {

// One row of c at a time, in unsigned arithmetic, which wraps where int32 would overflow.
template <class A>
void multiply(ProductShape shape, const A* a, const int8_t* b, int32_t* c) {
  std::vector<uint32_t> row(shape.n);
  for (std::size_t m = 0; m < shape.m; ++m) {
    std::fill(row.begin(), row.end(), 0u);
    for (std::size_t k = 0; k < shape.k; ++k) {
      const int32_t left = a[m * shape.k + k];
      const int8_t* right = b + k * shape.n;
      for (std::size_t n = 0; n < shape.n; ++n) row[n] += static_cast<uint32_t>(left * right[n]);
    }
    for (std::size_t n = 0; n < shape.n; ++n) c[m * shape.n + n] = static_cast<int32_t>(row[n]);
  }
}

}  // namespace

void matmul_i8(ProductShape shape, const int8_t* a, const int8_t* b, int32_t* c) {
  multiply(shape, a, b, c);
}

void matmul_u8i8(ProductShape shape, const uint8_t* a, const int8_t* b, int32_t* c) {
  multiply(shape, a, b, c);
}

}  // namespace tally
