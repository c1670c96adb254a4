// SPDX-License-Identifier: Apache-2.0
// Random programs of loads, gathers, products and stores that run one after another: each
// instruction waits for the one before it. What is stored at the end shows the memories.
#pragma once

#include <random>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/machine/machine.h"

namespace tally {

class RandomProgram {
 public:
  RandomProgram(const Design& design, unsigned seed) : design_(design), random_(seed) {}

  std::vector<isa::Instruction> make(int length) {
    std::vector<isa::Instruction> code;
    for (int i = 0; i < length; ++i) code.push_back({{}, body()});
    for (isa::Space space :
         {isa::Space::kActivations, isa::Space::kWeights, isa::Space::kAccumulators})
      code.push_back({{}, store_all(space)});
    chain(&code);
    return code;
  }

  // Random bytes in the data region, and indices of gathers, one of 16 out of range when
  // `bad_indices`.
  void fill(DramImage* dram, bool bad_indices) {
    std::vector<std::uint8_t> data(kDataBytes);
    for (auto& byte : data) byte = std::uint8_t(random_());
    dram->write(kData, data);
    for (std::uint64_t i = 0; i < kIndices; ++i) {
      std::uint32_t index = random_() % kLimit;
      if (bad_indices && random_() % 16 == 0) index = random_() % 2 ? kLimit : 0xffffffff;
      dram->write(kIndex + 4 * i, {reinterpret_cast<const std::uint8_t*>(&index), 4});
    }
  }

  MachineProgram place(const std::vector<isa::Instruction>& code, DramImage* dram) const {
    MachineProgram program;
    program.instructions = std::uint32_t(code.size());
    for (std::size_t i = 0; i < code.size(); ++i)
      dram->write(i * isa::kInstructionBytes, isa::encode(code[i]));
    program.bases[1] = kData;
    program.bases[2] = kIndex;
    program.bases[3] = kOutput;
    return program;
  }

  static constexpr std::uint64_t kData = 0x20000, kDataBytes = 0x10000, kIndex = 0x30000,
                                 kOutput = 0x40000;
  static constexpr std::uint64_t kIndices = 1024;
  static constexpr std::uint32_t kLimit = 40;

 private:
  std::uint32_t draw(std::uint32_t low, std::uint32_t high) {
    return low + random_() % (high - low + 1);
  }
  std::uint32_t aligned(std::uint32_t low, std::uint32_t high, int unit) {
    return draw(low / unsigned(unit), high / unsigned(unit)) * unsigned(unit);
  }

  isa::Body body() {
    switch (draw(0, 4)) {
      case 0:
        return load();
      case 1:
        return gather();
      case 2:
        return store();
      default:
        return matmul();
    }
  }

  isa::Space scratchpad() {
    return random_() % 2 ? isa::Space::kWeights : isa::Space::kActivations;
  }
  std::uint32_t bytes(isa::Space space) const {
    return std::uint32_t(space == isa::Space::kActivations ? design_.activations.bytes()
                         : space == isa::Space::kWeights   ? design_.weights.bytes()
                                                           : design_.accumulators.bytes());
  }

  isa::Load load() {
    const int port = design_.port_bytes;
    isa::Load load;
    load.space = scratchpad();
    load.base = 1;
    load.offset = aligned(0, 0x8000, port);
    load.rows = draw(1, 6);
    load.row_bytes = aligned(unsigned(port), bytes(load.space) / 8, port);
    load.pitch = aligned(0, 0x1000, port);
    load.address_pitch = load.row_bytes + aligned(0, 64, port);
    load.address = aligned(0, bytes(load.space) - 1, port);
    while (load.address + (load.rows - 1) * load.address_pitch + load.row_bytes > bytes(load.space))
      load.address /= 2;
    load.address -= load.address % unsigned(port);
    if ((load.rows - 1) * load.address_pitch + load.row_bytes > bytes(load.space)) load.rows = 1;
    return load;
  }

  isa::Gather gather() {
    const int port = design_.port_bytes;
    isa::Gather gather;
    gather.space = scratchpad();
    gather.base = 1;
    gather.index_base = 2;
    gather.index_offset = aligned(0, 0xc00, port);
    gather.limit = kLimit;
    gather.row_bytes = aligned(unsigned(port), 128, port);
    gather.pitch = aligned(0, 1024, port);
    gather.address_pitch = gather.row_bytes;
    gather.rows = draw(1, std::min(64u, bytes(gather.space) / gather.row_bytes));
    gather.address = aligned(0, bytes(gather.space) - gather.rows * gather.row_bytes, port);
    return gather;
  }

  isa::Store store() {
    const int port = design_.port_bytes;
    isa::Store store;
    store.space = isa::Space(draw(0, 2));
    store.base = 3;
    store.offset = aligned(0, 0x8000, port);
    store.rows = draw(1, 5);
    store.row_bytes = aligned(unsigned(port), bytes(store.space) / 8, port);
    store.pitch = store.row_bytes + aligned(0, 128, port);
    store.address_pitch = aligned(0, bytes(store.space) / 8, port);
    store.address = aligned(0, bytes(store.space) / 4, port);
    return store;
  }

  isa::Store store_all(isa::Space space) {
    isa::Store store;
    store.space = space;
    store.base = 3;
    store.offset = 0x10000 * (1 + std::uint64_t(space));
    store.rows = 1;
    store.row_bytes = bytes(space);
    return store;
  }

  isa::Matmul matmul() {
    const std::uint32_t rows = unsigned(design_.rows), columns = unsigned(design_.columns);
    isa::Matmul matmul;
    matmul.m = draw(1, 12);
    matmul.k = draw(1, 3 * rows);
    matmul.n = draw(1, 2 * columns);
    matmul.a_unsigned = random_() % 2;
    matmul.transposed = random_() % 2;
    matmul.mode = isa::AccumulateMode(random_() % 2);
    const std::uint32_t k_tiles = (matmul.k + rows - 1) / rows,
                        n_tiles = (matmul.n + columns - 1) / columns;
    matmul.a_pitch = aligned(0, k_tiles * rows, int(rows));
    matmul.a_address = aligned(
        0, bytes(isa::Space::kActivations) - matmul.m * matmul.a_pitch - k_tiles * rows, int(rows));
    const std::uint32_t unit = matmul.transposed ? rows : columns;
    const std::uint32_t width = matmul.transposed ? k_tiles * rows : n_tiles * columns;
    const std::uint32_t height = matmul.transposed ? matmul.n : matmul.k;
    matmul.w_pitch = aligned(0, width, int(unit));
    matmul.w_address =
        aligned(0, bytes(isa::Space::kWeights) - height * matmul.w_pitch - width, int(unit));
    const std::uint32_t acc_rows = std::uint32_t(design_.accumulator_rows());
    matmul.acc_m_stride = draw(0, 2);
    matmul.acc_n_stride = draw(0, 3);
    matmul.acc_row =
        draw(0, acc_rows - 1 - matmul.m * matmul.acc_m_stride - n_tiles * matmul.acc_n_stride);
    return matmul;
  }

  // Semaphore u is that of unit u; each instruction posts to the unit of the next one.
  static void chain(std::vector<isa::Instruction>* code) {
    for (std::size_t i = 0; i + 1 < code->size(); ++i) {
      const auto unit = std::int8_t(isa::unit_of((*code)[i + 1]));
      (*code)[i].sync.posts[0] = unit;
      (*code)[i + 1].sync.waits[i % 3] = unit;
    }
  }

  const Design& design_;
  std::mt19937 random_;
};

}  // namespace tally
