// SPDX-License-Identifier: Apache-2.0
#include "sysc/matrix_values.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "sysc/product_kernel.h"

namespace tally::sysc {
namespace {

using isa::Space;

std::int64_t accumulator_row(const isa::Matmul& matmul, const Design& design, std::int64_t m,
                             std::int64_t n_tile) {
  const std::int64_t row = matmul.acc_row + m * matmul.acc_m_stride + n_tile * matmul.acc_n_stride;
  return row & (design.accumulator_rows() - 1);
}

std::int64_t column_tiles(const isa::Matmul& matmul, const Design& design) {
  return (matmul.n + design.columns - 1) / design.columns;
}

bool inside(const isa::Matmul& m, const Design& design, const Memories& memories) {
  const std::int64_t a_end = m.a_address + std::int64_t(m.m - 1) * m.a_pitch + m.k;
  const std::int64_t w_rows = m.transposed ? m.n : m.k, w_columns = m.transposed ? m.k : m.n;
  const std::int64_t w_end = m.w_address + (w_rows - 1) * std::int64_t(m.w_pitch) + w_columns;
  const std::int64_t last_row = m.acc_row + std::int64_t(m.m - 1) * m.acc_m_stride +
                                (column_tiles(m, design) - 1) * std::int64_t(m.acc_n_stride);
  return memories.inside(Space::kActivations, 0, a_end) &&
         memories.inside(Space::kWeights, 0, w_end) && last_row < design.accumulator_rows();
}

// Whether no accumulator row is written for two (m, column tile): true only where it is plain to
// see.
bool rows_apart(const isa::Matmul& m, const Design& design) {
  const std::int64_t tiles = column_tiles(m, design);
  const std::int64_t m_span = std::int64_t(m.m - 1) * m.acc_m_stride;
  const std::int64_t n_span = (tiles - 1) * std::int64_t(m.acc_n_stride);
  const bool m_apart = m.m == 1 || m.acc_m_stride > 0;
  const bool n_apart = tiles == 1 || m.acc_n_stride > 0;
  return m_apart && n_apart &&
         (m.m == 1 || tiles == 1 || m_span < m.acc_n_stride || n_span < m.acc_m_stride);
}

std::int16_t operand(std::uint8_t byte, bool is_unsigned) {
  return is_unsigned ? std::int16_t(byte) : std::int16_t(std::int8_t(byte));
}

// The streamed operand as 16-bit values, K padded to pairs.
void pack_streamed(const isa::Matmul& m, const Memories& memories, int pairs,
                   std::vector<std::int16_t>* packed) {
  packed->assign(std::size_t(m.m) * std::size_t(pairs) * 2, 0);
  const std::uint8_t* from = memories.data(Space::kActivations) + m.a_address;
  for (std::size_t i = 0; i < m.m; ++i, from += m.a_pitch) {
    std::int16_t* to = packed->data() + i * std::size_t(pairs) * 2;
    if (m.a_unsigned) {
      for (std::size_t k = 0; k < m.k; ++k) to[k] = from[k];
    } else {
      for (std::size_t k = 0; k < m.k; ++k) to[k] = std::int8_t(from[k]);
    }
  }
}

// Columns first..first + 15 of the stationary operand, zero beyond K and N.
void pack_panel(const isa::Matmul& m, const Memories& memories, std::size_t first, int pairs,
                std::vector<std::int16_t>* packed) {
  const std::size_t columns = std::min<std::size_t>(kPanelColumns, m.n - first);
  const std::uint8_t* base = memories.data(Space::kWeights) + m.w_address;
  packed->assign(std::size_t(pairs) * kPanelColumns * 2, 0);
  if (m.transposed) {
    for (std::size_t j = 0; j < columns; ++j) {
      const std::uint8_t* row = base + (first + j) * m.w_pitch;
      for (std::size_t k = 0; k < m.k; ++k)
        (*packed)[(k / 2 * kPanelColumns + j) * 2 + k % 2] = std::int8_t(row[k]);
    }
    return;
  }
  for (std::size_t k = 0; k < m.k; ++k) {
    const std::uint8_t* row = base + k * m.w_pitch + first;
    std::int16_t* to = packed->data() + k / 2 * kPanelColumns * 2 + k % 2;
    for (std::size_t j = 0; j < columns; ++j) to[2 * j] = std::int8_t(row[j]);
  }
}

void accumulate(const isa::Matmul& m, const Design& design, const std::int32_t* sums,
                std::size_t first, std::uint8_t* accumulators) {
  const auto width = std::size_t(design.columns);
  const std::size_t end = std::min<std::size_t>(first + kPanelColumns, m.n);
  for (std::int64_t i = 0; i < m.m; ++i, sums += kPanelColumns) {
    for (std::size_t n = first; n < end;) {
      const std::size_t stop = std::min(end, (n / width + 1) * width);
      const std::int64_t row = accumulator_row(m, design, i, std::int64_t(n / width));
      std::uint32_t buffer[kPanelColumns];
      std::uint8_t* to = accumulators + 4 * (std::size_t(row) * width + n % width);
      const std::size_t count = stop - n;
      if (m.mode == isa::AccumulateMode::kAdd) {
        std::memcpy(buffer, to, 4 * count);
        for (std::size_t j = 0; j < count; ++j) buffer[j] += std::uint32_t(sums[n - first + j]);
        std::memcpy(to, buffer, 4 * count);
      } else {
        std::memcpy(to, sums + (n - first), 4 * count);
      }
      n = stop;
    }
  }
}

}  // namespace

void multiply(const isa::Matmul& matmul, const Design& design, Memories* memories) {
  if (!inside(matmul, design, *memories) || !rows_apart(matmul, design))
    return multiply_in_order(matmul, design, memories);
  const int pairs = int(matmul.k + 1) / 2;
  static thread_local std::vector<std::int16_t> streamed, panel;
  static thread_local std::vector<std::int32_t> sums;
  pack_streamed(matmul, *memories, pairs, &streamed);
  sums.resize(std::size_t(matmul.m) * kPanelColumns);
  const ProductKernel kernel = product_kernel().run;
  for (std::size_t first = 0; first < matmul.n; first += kPanelColumns) {
    pack_panel(matmul, *memories, first, pairs, &panel);
    kernel(streamed.data(), panel.data(), int(matmul.m), pairs, sums.data());
    accumulate(matmul, design, sums.data(), first, memories->data(Space::kAccumulators));
  }
}

void multiply_in_order(const isa::Matmul& m, const Design& design, Memories* memories) {
  const std::int64_t rows = design.rows, columns = design.columns;
  const auto byte = [&](Space space, std::int64_t address) {
    return std::uint8_t(memories->read_element(space, address, 1));
  };
  const auto weight = [&](std::int64_t k, std::int64_t n) {
    const std::int64_t offset = m.transposed ? n * m.w_pitch + k : k * m.w_pitch + n;
    return std::int8_t(byte(Space::kWeights, m.w_address + offset));
  };
  for (std::int64_t n0 = 0; n0 < m.n; n0 += columns) {
    for (std::int64_t k0 = 0; k0 < m.k; k0 += rows) {
      const bool adds = k0 > 0 || m.mode == isa::AccumulateMode::kAdd;
      for (std::int64_t i = 0; i < m.m; ++i) {
        const std::int64_t row = accumulator_row(m, design, i, n0 / columns);
        for (std::int64_t n = n0; n < std::min<std::int64_t>(n0 + columns, m.n); ++n) {
          const std::int64_t address = 4 * (row * columns + n - n0);
          std::uint32_t sum = adds ? memories->read_element(Space::kAccumulators, address, 4) : 0;
          for (std::int64_t k = k0; k < std::min<std::int64_t>(k0 + rows, m.k); ++k) {
            const std::uint8_t a = byte(Space::kActivations, m.a_address + i * m.a_pitch + k);
            sum += std::uint32_t(operand(a, m.a_unsigned) * weight(k, n));
          }
          memories->write_element(Space::kAccumulators, address, 4, sum);
        }
      }
    }
  }
}

void hash_products(const isa::Matmul& matmul, const Design& design, WriteHash* hash) {
  for (std::int64_t tile = 0; tile < column_tiles(matmul, design); ++tile) {
    const std::int64_t left = matmul.n - tile * design.columns;
    const auto bytes = std::size_t(4 * std::min<std::int64_t>(left, design.columns));
    for (std::int64_t m = 0; m < matmul.m; ++m) {
      const std::int64_t row = accumulator_row(matmul, design, m, tile);
      hash->wrote(Space::kAccumulators, std::uint64_t(4 * row * design.columns), bytes);
    }
  }
}

}  // namespace tally::sysc
