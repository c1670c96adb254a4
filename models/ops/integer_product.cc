// SPDX-License-Identifier: Apache-2.0
#include "models/ops/integer_product.h"

namespace tally::ops {

std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::int64_t n) {
  std::int32_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
  return sum;
}

}  // namespace tally::ops
