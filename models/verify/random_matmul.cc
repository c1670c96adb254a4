// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "models/verify/random_bodies.h"

namespace tally {
namespace {

std::int64_t tiles(std::int64_t extent, std::int64_t size) { return (extent + size - 1) / size; }

// Around a multiple of the array's size, or 1.
std::int64_t random_extent(Random& random, std::int64_t size) {
  return std::max<std::int64_t>(
      1, random.pick<std::int64_t>(
             {1, 2, size - 1, size, size, size + 1, 2 * size, 2 * size + 1, 3 * size, 33}));
}

// Pitch of `rows` rows of which `bytes` are read; any legal value if there is one row alone.
std::int64_t random_pitch(Random& random, std::int64_t rows, std::int64_t bytes,
                          std::int64_t unit) {
  if (rows == 1) {
    const std::int64_t steps = (std::int64_t(1) << 20) / unit;
    return unit * random.pick<std::int64_t>({0, 1, steps - 1});
  }
  return unit * (tiles(bytes, unit) + random.pick<std::int64_t>({0, 0, 0, 1, -1}));
}

struct Rows {
  std::int64_t stride_m, stride_n;
};

// How rows m and column tiles n lie in the accumulators; a stride that is not used may be anything.
Rows random_rows(Random& random, std::int64_t m, std::int64_t n) {
  Rows rows = random.pick<Rows>({{1, m}, {n, 1}, {1, m + 1}, {n + 1, 1}, {1, 1}});
  if (random.chance(8)) rows.stride_m = 0;
  if (random.chance(5)) rows.stride_n = 0;
  if (m == 1) rows.stride_m = random.pick<std::int64_t>({0, 1, 65535});
  if (n == 1) rows.stride_n = random.pick<std::int64_t>({0, 1, 65535});
  return rows;
}

}  // namespace

isa::Matmul random_matmul(BodyContext& context) {
  Random& random = context.random;
  const Design& design = context.design;
  const std::int64_t rows = design.rows, columns = design.columns;
  isa::Matmul out;
  out.a_unsigned = random.chance(40);
  out.transposed = random.chance(40);
  out.mode = random.chance(40) ? isa::AccumulateMode::kAdd : isa::AccumulateMode::kWrite;
  const std::int64_t w_unit = out.transposed ? rows : columns;
  // Smaller and smaller until it fits.
  for (int attempt = 0;; ++attempt) {
    std::int64_t m = random_extent(random, rows), k = random_extent(random, rows),
                 n = random_extent(random, columns);
    if (attempt > 6) k = std::min(k, rows), n = std::min(n, columns);
    if (attempt > 12) m = k = n = 1;
    const std::int64_t n_tiles = tiles(n, columns);
    if (m * tiles(k, rows) * n_tiles > 500) continue;
    const Rows strides = random_rows(random, m, n_tiles);
    const std::int64_t a_pitch = random_pitch(random, m, k, rows);
    const std::int64_t stored_rows = out.transposed ? n : k, stored_bytes = out.transposed ? k : n;
    const std::int64_t w_pitch = random_pitch(random, stored_rows, stored_bytes, w_unit);
    const std::int64_t a_span = (m - 1) * a_pitch + tiles(k, rows) * rows;
    const std::int64_t w_span = (stored_rows - 1) * w_pitch + tiles(stored_bytes, w_unit) * w_unit;
    const std::int64_t acc_span = (m - 1) * strides.stride_m + (n_tiles - 1) * strides.stride_n + 1;
    if (a_pitch < 0 || w_pitch < 0 || a_span > design.activations.bytes() ||
        w_span > design.weights.bytes() || acc_span > design.accumulator_rows())
      continue;
    out.m = std::uint32_t(m), out.k = std::uint32_t(k), out.n = std::uint32_t(n);
    out.a_pitch = std::uint32_t(a_pitch), out.w_pitch = std::uint32_t(w_pitch);
    out.acc_m_stride = std::uint32_t(strides.stride_m);
    out.acc_n_stride = std::uint32_t(strides.stride_n);
    const isa::Unit unit = isa::Unit::kMatrix;
    out.a_address =
        std::uint32_t(random_place(context, unit, isa::Space::kActivations, a_span, rows));
    out.w_address =
        std::uint32_t(random_place(context, unit, isa::Space::kWeights, w_span, w_unit));
    out.acc_row = std::uint32_t(random_place(context, unit, isa::Space::kAccumulators,
                                             acc_span * 4 * columns, 4 * columns) /
                                (4 * columns));
    return out;
  }
}

}  // namespace tally
