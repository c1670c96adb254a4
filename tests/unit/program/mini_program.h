// SPDX-License-Identifier: Apache-2.0
// A small correct program on a small design, for tests that change one thing: loads (M, K) and
// (K, N), multiplies, converts to fp32 times a scale, stores (M, N).
#pragma once

#include <initializer_list>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"

namespace tally::test {

inline Design tiny_design() {
  Design design;
  design.name = "tiny";
  design.file = "tiny.toml";
  design.clock_mhz = 1000;
  design.rows = design.columns = design.lanes = 4;
  design.vector_latency = 4;
  design.divide_bits = 2;
  design.activations = {4, 1024};
  design.weights = {4, 1024};
  design.accumulators = {4, 256};
  design.port_bytes = 16;
  design.load_outstanding = 4;
  design.store_outstanding = 2;
  design.fetch_buffers = 2;
  design.fetch_burst_bytes = 128;
  design.load_queue = design.store_queue = design.matrix_queue = design.vector_queue = 4;
  design.dram_kind = "DDR4-2400";
  design.dram_capacity_bytes = 1 << 20;
  design.energy = "45nm";
  return design;
}

inline isa::Sync sync(std::initializer_list<int> waits, std::initializer_list<int> posts) {
  isa::Sync out;
  int slot = 0;
  for (int semaphore : waits) out.waits[slot++] = std::int8_t(semaphore);
  slot = 0;
  for (int semaphore : posts) out.posts[slot++] = std::int8_t(semaphore);
  return out;
}

inline std::uint64_t step(isa::Step step) { return isa::encode_step(step); }

inline isa::Step load_step(int dst, int stream) {
  return {.op = isa::StepOp::kLoad, .dst = std::uint8_t(dst), .stream = std::uint8_t(stream)};
}
inline isa::Step store_step(int a, int stream) {
  return {.op = isa::StepOp::kStore, .a = std::uint8_t(a), .stream = std::uint8_t(stream)};
}

// Places in the program below.
enum MiniIndex { kLoadA, kLoadW, kMatmul, kStreamIn, kStreamOut, kSteps, kSteps2, kRun, kStore };
inline constexpr int kMiniM = 8, kMiniK = 16, kMiniN = 8;
// DRAM offsets (base register 0: operands, 1: result) and on-chip addresses.
inline constexpr int kOffsetW = 256, kResultAddress = 1024;

inline std::vector<isa::Instruction> mini_program() {
  using namespace isa;
  Load a{.base = 0, .pitch = 16, .rows = kMiniM, .row_bytes = 16, .address_pitch = 16};
  Load w{.base = 0,
         .offset = kOffsetW,
         .pitch = 16,
         .rows = kMiniK,
         .row_bytes = 16,
         .space = Space::kWeights,
         .address_pitch = 16};
  Matmul matmul{.a_pitch = 16,
                .w_pitch = 16,
                .m = kMiniM,
                .k = kMiniK,
                .n = kMiniN,
                .acc_m_stride = 2,
                .acc_n_stride = 1};
  Stream in{.stream = 0,
            .space = Space::kAccumulators,
            .element = Element::kI32,
            .stride1 = kMiniN,
            .stride2 = 1};
  Stream out{.stream = 1,
             .element = Element::kF32,
             .start = kResultAddress / 4,
             .stride1 = kMiniN,
             .stride2 = 1};
  Routine steps{
      .first = 0,
      .count = 3,
      .step0 = step(load_step(0, 0)),
      .step1 = step({.op = StepOp::kI32ToF32, .dst = 1, .a = 0}),
      .step2 = step({.op = StepOp::kMul, .dst = 1, .a = 1, .immediate = true, .imm = 0x3f000000})};
  Routine steps2{.first = 3, .count = 1, .step0 = step(store_step(1, 1))};
  Run run{.first = 0, .last = 3, .extent0 = 1, .extent1 = kMiniM, .extent2 = kMiniN};
  Store store{.base = 1,
              .pitch = 4 * kMiniN,
              .rows = kMiniM,
              .row_bytes = 4 * kMiniN,
              .address = kResultAddress,
              .address_pitch = 4 * kMiniN};
  return {{sync({}, {}), a},      {sync({}, {0}), w},    {sync({0}, {1}), matmul},
          {sync({}, {}), in},     {sync({}, {}), out},   {sync({}, {}), steps},
          {sync({}, {}), steps2}, {sync({1}, {2}), run}, {sync({2}, {}), store}};
}

inline std::vector<isa::Bytes32> encode_all(const std::vector<isa::Instruction>& instructions) {
  std::vector<isa::Bytes32> code;
  for (const isa::Instruction& instruction : instructions) code.push_back(isa::encode(instruction));
  return code;
}

}  // namespace tally::test
