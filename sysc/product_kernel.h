// SPDX-License-Identifier: Apache-2.0
// The exact product of 16-bit operands into 32-bit sums (modulo 2^32), fast: the widest kernel of
// this host that gives the plain one's bits on extreme values of both signs.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tally::sysc {

inline constexpr int kPanelColumns = 16;

// out[i][j] = sum over p < pairs, e < 2 of a[i][2 p + e] x w[p][j][e], for i < rows, j < 16.
// a: rows of 2 x pairs values; w: pairs x 16 x 2; out: rows x 16. Operands are 8-bit values, signed
// or not.
using ProductKernel = void (*)(const std::int16_t* a, const std::int16_t* w, int rows, int pairs,
                               std::int32_t* out);

struct NamedKernel {
  std::string_view name;
  ProductKernel run;
};

// Those that this host can run, the plain one first.
std::span<const NamedKernel> product_kernels();
// Whether a kernel equals the plain one on extreme and mixed values.
bool agrees(const NamedKernel& kernel);
// The last that agrees; chosen once.
const NamedKernel& product_kernel();

}  // namespace tally::sysc
