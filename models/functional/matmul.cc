// SPDX-License-Identifier: Apache-2.0
// The matrix unit: column tiles outermost, then K tiles, then rows, as the hardware loops, so that
// rows that share an accumulator row come out as they do there.
#include <algorithm>
#include <cstring>

#include "models/functional/units.h"

namespace tally::functional {
namespace {

class Product {
 public:
  Product(const isa::Matmul& body, Chip* chip)
      : body_(body),
        chip_(*chip),
        rows_(std::uint32_t(chip->design.rows)),
        columns_(std::uint32_t(chip->design.columns)),
        tile_(rows_ * columns_) {}

  void run() {
    for (std::uint32_t n0 = 0; n0 < body_.n; n0 += columns_)
      for (std::uint32_t k0 = 0; k0 < body_.k; k0 += rows_) {
        load_tile(n0, k0);
        const bool add = k0 > 0 || body_.mode == isa::AccumulateMode::kAdd;
        for (std::uint32_t m = 0; m < body_.m; ++m) stream_row(n0, k0, m, add);
        count(n0, k0, add);
      }
    if (chip_.hash.enabled()) hash_outputs();
  }

 private:
  std::uint32_t tile_k(std::uint32_t k0) const { return std::min(rows_, body_.k - k0); }
  std::uint32_t tile_n(std::uint32_t n0) const { return std::min(columns_, body_.n - n0); }

  // tile_[k * C + n]
  void load_tile(std::uint32_t n0, std::uint32_t k0) {
    const ChipMemory& weights = chip_.memory(isa::Space::kWeights);
    for (std::uint32_t k = 0; k < tile_k(k0); ++k)
      for (std::uint32_t n = 0; n < tile_n(n0); ++n) {
        const std::uint64_t row = body_.transposed ? n0 + n : k0 + k;
        const std::uint64_t column = body_.transposed ? k0 + k : n0 + n;
        const std::uint64_t address = body_.w_address + row * body_.w_pitch + column;
        tile_[k * columns_ + n] = std::int8_t(weights.data()[weights.wrap(address)]);
      }
  }

  std::uint8_t* accumulator_row(std::uint32_t n0, std::uint32_t m) {
    ChipMemory& accumulators = chip_.memory(isa::Space::kAccumulators);
    const std::uint64_t row = body_.acc_row + std::uint64_t(m) * body_.acc_m_stride +
                              std::uint64_t(n0 / columns_) * body_.acc_n_stride;
    return accumulators.data() + accumulators.wrap(row * columns_ * 4);
  }

  void stream_row(std::uint32_t n0, std::uint32_t k0, std::uint32_t m, bool add) {
    const std::uint32_t width = tile_n(n0);
    std::uint8_t* row = accumulator_row(n0, m);
    sums_.assign(width, 0);
    if (add) std::memcpy(sums_.data(), row, 4 * width);
    const ChipMemory& activations = chip_.memory(isa::Space::kActivations);
    const std::uint8_t* a =
        activations.data() +
        activations.wrap(body_.a_address + std::uint64_t(m) * body_.a_pitch + k0);
    for (std::uint32_t k = 0; k < tile_k(k0); ++k) {
      const std::int32_t factor = body_.a_unsigned ? a[k] : std::int8_t(a[k]);
      const std::int32_t* weights = tile_.data() + k * columns_;
      for (std::uint32_t n = 0; n < width; ++n)
        sums_[n] += std::uint32_t(factor * weights[n]);  // int32, wrapping
    }
    std::memcpy(row, sums_.data(), 4 * width);
  }

  void count(std::uint32_t n0, std::uint32_t k0, bool add) {
    chip_.events.multiplications += std::uint64_t(body_.m) * rows_ * columns_;
    chip_.reads(isa::Space::kWeights, body_.transposed ? tile_n(n0) : tile_k(k0));
    chip_.reads(isa::Space::kActivations, body_.m);
    if (add) chip_.reads(isa::Space::kAccumulators, body_.m);
    chip_.writes(isa::Space::kAccumulators, body_.m);
  }

  // Writing each final value over itself counts every address once.
  void hash_outputs() {
    const std::uint8_t* base = chip_.memory(isa::Space::kAccumulators).data();
    for (std::uint32_t n0 = 0; n0 < body_.n; n0 += columns_)
      for (std::uint32_t m = 0; m < body_.m; ++m) {
        const std::uint8_t* row = accumulator_row(n0, m);
        for (std::uint32_t i = 0; i < 4 * tile_n(n0); ++i)
          chip_.hash.on_chip(isa::Space::kAccumulators, std::size_t(row - base) + i, row[i],
                             row[i]);
      }
  }

  const isa::Matmul& body_;
  Chip& chip_;
  std::uint32_t rows_, columns_;
  std::vector<std::int32_t> tile_;
  std::vector<std::uint32_t> sums_;
};

}  // namespace

void execute(const isa::Matmul& body, Chip* chip) { Product(body, chip).run(); }

}  // namespace tally::functional
