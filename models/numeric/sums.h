// SPDX-License-Identifier: Apache-2.0
// The sum rule: 64 partial results, element i into i mod 64 in ascending order, then halved 64 to 1
// by p[i] op p[i + h]. It does not depend on the number of lanes, so no design changes a bit.
#pragma once

#include <cstddef>

namespace tally {

inline constexpr int kPartials = 64;

// Sum of n values, every partial starting at +0; +0 for n = 0. NaN as everywhere (0x7fffffff).
float sum64(const float* values, std::size_t n);

// Largest of n values, every partial starting at -infinity; NaN if one is NaN; -infinity for n = 0.
float max64(const float* values, std::size_t n);

}  // namespace tally
