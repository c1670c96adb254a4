// SPDX-License-Identifier: Apache-2.0
#include "sysc/matrix_timing.h"

#include <algorithm>

namespace tally::sysc {
namespace {

Cycle ceil_div(Cycle a, Cycle b) { return (a + b - 1) / b; }

}  // namespace

Cycle tile_load_cycles(const isa::Matmul& matmul, const Design& design) {
  return Cycle(matmul.transposed ? design.columns : design.rows);
}

Cycle tiles_of(const isa::Matmul& matmul, const Design& design) {
  return ceil_div(matmul.n, Cycle(design.columns)) * ceil_div(matmul.k, Cycle(design.rows));
}

// From the second tile on, a tile loads while the one before it streams, both from the same cycle,
// so each adds max(M, Lt).
MatmulTiming time_matmul(const isa::Matmul& matmul, const Design& design,
                         const std::optional<ArrayState>& array, Cycle start) {
  const Cycle load = tile_load_cycles(matmul, design);
  const Cycle further = tiles_of(matmul, design) - 1;
  const Cycle period = std::max<Cycle>(matmul.m, load);
  MatmulTiming timing{};
  timing.first_load = array ? std::max(start + 1, array->first_stream) : start + 1;
  timing.loaded = timing.first_load + load;
  timing.first_stream = array ? std::max(timing.loaded, array->streamed) : timing.loaded;
  timing.array.first_stream = timing.first_stream + further * period;
  timing.array.streamed = timing.array.first_stream + matmul.m;
  timing.last_load =
      further == 0 ? timing.loaded - 1 : timing.first_stream + (further - 1) * period + load - 1;
  timing.end = timing.array.streamed + Cycle(design.rows) + Cycle(design.columns);
  return timing;
}

void count_matmul(const isa::Matmul& matmul, const Design& design, Events* events) {
  const Cycle k_tiles = ceil_div(matmul.k, Cycle(design.rows));
  const Cycle n_tiles = ceil_div(matmul.n, Cycle(design.columns));
  const Cycle rows = k_tiles * n_tiles * matmul.m;  // streamed
  events->multiplications += rows * Cycle(design.macs_per_cycle());
  events->activation_reads += rows;
  events->weight_reads += matmul.transposed ? k_tiles * matmul.n : n_tiles * matmul.k;
  events->accumulator_writes += rows;
  const bool adds = matmul.mode == isa::AccumulateMode::kAdd;
  events->accumulator_reads += rows - (adds ? 0 : n_tiles * matmul.m);
}

}  // namespace tally::sysc
