// SPDX-License-Identifier: Apache-2.0
// A program that keeps all units busy: rounds of load or gather, product, requantisation and store
// in two buffers, ordered by semaphores.
#pragma once

#include "tests/unit/sysc/bench.h"

namespace tally {

// Regions: 0 streamed operands, 1 weights, 2 results, 3 indices (fill() first).
inline Script pipeline(const Design& design, int rounds) {
  const auto word = std::uint32_t(design.scratchpad_width());
  const std::uint32_t pitch = std::max(64u, word), m = 9, k = 21, n = 18;
  Script script;
  script.routine({{.op = isa::StepOp::kLoad, .dst = 0, .stream = 0},
                  {.op = isa::StepOp::kI32ToF32, .dst = 1, .a = 0},
                  {.op = isa::StepOp::kMul, .dst = 1, .a = 1, .immediate = true, .imm = 0x3a83126f},
                  {.op = isa::StepOp::kPsumMax, .a = 1},
                  {.op = isa::StepOp::kF32ToI8, .dst = 2, .a = 1, .immediate = true, .imm = 3},
                  {.op = isa::StepOp::kStore, .a = 2, .stream = 1},
                  {.op = isa::StepOp::kFoldMax, .dst = 3},
                  {.op = isa::StepOp::kSqrt, .dst = 4, .a = 3},
                  {.op = isa::StepOp::kStore, .a = 4, .stream = 2}});
  const auto half = [&](const Memory& memory, int parity, int quarter) {
    return std::uint32_t(memory.bytes() / 2 * parity + memory.bytes() / 4 * quarter);
  };
  const std::uint32_t tiles =
      (n + std::uint32_t(design.columns) - 1) / std::uint32_t(design.columns);
  for (int round = 0; round < rounds; ++round) {
    const int p = round % 2;
    const auto again = [&](int semaphore) {
      return round < 2 ? std::vector<int>{} : std::vector<int>{semaphore + p};
    };
    const std::uint32_t a = half(design.activations, p, 0), out = half(design.activations, p, 1);
    const std::uint32_t w = half(design.weights, p, 0), maxima = half(design.weights, p, 1);
    const auto acc = std::uint32_t(design.accumulator_rows() / 2 * p);
    const auto offset = std::uint64_t(round) * 4096;
    if (round % 3 == 2) {
      script.add(isa::Gather{.offset = offset,
                             .pitch = pitch,
                             .rows = m,
                             .row_bytes = pitch,
                             .address = a,
                             .address_pitch = pitch,
                             .index_base = 3,
                             .limit = 50},
                 again(8), {p});
    } else {
      script.add(isa::Load{.offset = offset,
                           .pitch = pitch,
                           .rows = m,
                           .row_bytes = pitch,
                           .address = a,
                           .address_pitch = pitch},
                 again(8), {p});
    }
    script.add(isa::Load{.base = 1,
                         .offset = offset,
                         .pitch = pitch,
                         .rows = 24,
                         .row_bytes = pitch,
                         .space = isa::Space::kWeights,
                         .address = w,
                         .address_pitch = pitch},
               {}, {2 + p});
    std::vector<int> waits = again(4);
    waits.push_back(p);
    waits.push_back(2 + p);
    script.add(isa::Matmul{.a_address = a,
                           .a_pitch = pitch,
                           .w_address = w,
                           .w_pitch = pitch,
                           .m = m,
                           .k = k,
                           .n = n,
                           .acc_row = acc,
                           .acc_m_stride = tiles,
                           .acc_n_stride = 1,
                           .a_unsigned = round % 4 == 1,
                           .transposed = round % 5 == 3},
               waits, {6 + p, 8 + p});
    const auto row_elements = std::int32_t(tiles * std::uint32_t(design.columns));
    script.add(isa::Stream{.stream = 0,
                           .space = isa::Space::kAccumulators,
                           .element = isa::Element::kI32,
                           .start = acc * std::uint32_t(design.columns),
                           .stride1 = row_elements,
                           .stride2 = 1});
    script.add(isa::Stream{.stream = 1,
                           .element = isa::Element::kI8,
                           .start = out,
                           .stride1 = std::int32_t(pitch),
                           .stride2 = 1});
    script.add(isa::Stream{.stream = 2,
                           .space = isa::Space::kWeights,
                           .element = isa::Element::kF32,
                           .start = maxima / 4,
                           .stride1 = 1});
    waits = again(10);
    waits.push_back(6 + p);
    script.add(isa::Run{.last = 8, .extent0 = 1, .extent1 = m, .extent2 = n}, waits,
               {4 + p, 12 + p});
    script.add(isa::Store{.base = 2,
                          .offset = offset,
                          .pitch = 2 * pitch,
                          .rows = m,
                          .row_bytes = pitch,
                          .address = out,
                          .address_pitch = pitch},
               {12 + p});
    script.add(isa::Store{.base = 2,
                          .offset = offset + 2048,
                          .rows = 1,
                          .row_bytes = 64,
                          .space = isa::Space::kWeights,
                          .address = maxima},
               {}, {10 + p});
  }
  return script;
}

inline void fill_pipeline(DramImage* dram, unsigned seed) {
  fill(dram, seed);
  std::mt19937 random(seed);
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::uint32_t index = std::uint32_t(random() % 50);
    std::memcpy(dram->data() + region(3) + 4 * i, &index, 4);
  }
}

}  // namespace tally
