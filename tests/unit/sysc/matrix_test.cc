// SPDX-License-Identifier: Apache-2.0
// The matrix unit's cycles: the closed form against tile after tile as docs/timing.md says it, each
// term by programs that differ in it alone; and its values.
#include <gtest/gtest.h>

#include "sysc/matrix_timing.h"
#include "sysc/matrix_values.h"
#include "sysc/product_kernel.h"
#include "tests/unit/sysc/bench.h"

namespace tally {
namespace {

using sysc::ArrayState;
using sysc::count_matmul;
using sysc::Cycle;
using sysc::multiply;
using sysc::multiply_in_order;
using sysc::time_matmul;

std::uint64_t duration(const Design& design, const isa::Matmul& matmul) {
  Script script;
  script.add(matmul);
  const RunResult result = run_script(design, script);
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  return result.records[0].end - result.records[0].start;
}

// Case 28 of the reference cases: the smallest array, every term of the constant.
TEST(Matrix, SmallestArrayTermByTerm) {
  const Design design = tiny_design();
  const std::uint64_t load = 4, fill = 4 + 4;
  for (std::uint32_t t = 1; t <= 64; ++t)
    ASSERT_EQ(duration(design, {.m = t, .k = 4, .n = 4}), 1 + load + t + fill) << t;
  for (std::uint32_t k = 4; k <= 64; ++k) {
    const std::uint64_t tiles = (k + 3) / 4;
    ASSERT_EQ(duration(design, {.m = 4, .k = k, .n = 4}), 1 + load + 4 * tiles + fill) << k;
  }
}

TEST(Matrix, ShortStreamsWaitForTheNextTilesLoad) {
  const Design design = tiny_design();
  for (std::uint32_t m = 1; m <= 9; ++m) {
    const std::uint64_t period = std::max(m, 4u);
    EXPECT_EQ(duration(design, {.m = m, .k = 12, .n = 4}), 1 + 4 + 2 * period + m + 8) << m;
    EXPECT_EQ(duration(design, {.m = m, .k = 4, .n = 12, .acc_m_stride = 3, .acc_n_stride = 1}),
              1 + 4 + 2 * period + m + 8)
        << m;
  }
}

TEST(Matrix, TransposedLoadsTakeColumns) {
  Design design = tiny_design();
  design.rows = 8;
  design.columns = 4;
  EXPECT_EQ(duration(design, {.m = 5, .k = 8, .n = 4}), 1u + 8 + 5 + 12);
  EXPECT_EQ(duration(design, {.m = 5, .k = 8, .n = 4, .transposed = true}), 1u + 4 + 5 + 12);
}

// Tile by tile: b and s of each, as the document has it.
sysc::MatmulTiming literal(const isa::Matmul& matmul, const Design& design,
                           std::optional<ArrayState> array, Cycle start) {
  const Cycle load = Cycle(matmul.transposed ? design.columns : design.rows);
  const Cycle tiles =
      Cycle((matmul.n + std::uint32_t(design.columns) - 1) / std::uint32_t(design.columns)) *
      ((matmul.k + std::uint32_t(design.rows) - 1) / std::uint32_t(design.rows));
  sysc::MatmulTiming timing{};
  for (Cycle i = 0; i < tiles; ++i) {
    const Cycle b = array ? std::max(start + 1, array->first_stream) : start + 1;
    const Cycle s = array ? std::max(b + load, array->streamed) : b + load;
    if (i == 0) timing = {b, b + load, s, 0, {}, 0};
    timing.last_load = b + load - 1;
    array = ArrayState{s, s + matmul.m};
  }
  timing.array = *array;
  timing.end = array->first_stream + matmul.m + Cycle(design.rows) + Cycle(design.columns);
  return timing;
}

TEST(Matrix, ClosedFormIsTheTileByTileOne) {
  std::mt19937 random(1);
  Design design = tiny_design();
  for (int round = 0; round < 2000; ++round) {
    design.rows = 2 << random() % 5;
    design.columns = 2 << random() % 5;
    std::optional<ArrayState> array;
    Cycle start = random() % 50;
    for (int i = 0; i < 4; ++i) {
      const isa::Matmul matmul{.m = 1 + std::uint32_t(random() % 40),
                               .k = 1 + std::uint32_t(random() % 70),
                               .n = 1 + std::uint32_t(random() % 70),
                               .transposed = random() % 2 == 0};
      const auto got = time_matmul(matmul, design, array, start);
      const auto want = literal(matmul, design, array, start);
      ASSERT_EQ(got.first_load, want.first_load);
      ASSERT_EQ(got.loaded, want.loaded);
      ASSERT_EQ(got.first_stream, want.first_stream);
      ASSERT_EQ(got.last_load, want.last_load);
      ASSERT_EQ(got.array.first_stream, want.array.first_stream);
      ASSERT_EQ(got.array.streamed, want.array.streamed);
      ASSERT_EQ(got.end, want.end);
      array = got.array;
      start = got.last_load + random() % 3 * (random() % 40);
    }
  }
}

TEST(Matrix, NothingIsLostBetweenInstructions) {
  const Design design = tiny_design();
  Script script;
  for (int i = 0; i < 4; ++i) script.add(isa::Matmul{.m = 20, .k = 8, .n = 4});
  const RunResult result = run_script(design, script);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_EQ(result.records[i].end - result.records[i - 1].end, 40u);
    // The next starts with the last row that the loader reads, here 20 cycles before.
    EXPECT_EQ(result.records[i].start, result.records[i - 1].end - 8 - 20 - 20 + 4 - 1);
  }
  EXPECT_EQ(result.units[3].busy, 4u + 4 * 40);
}

TEST(Matrix, StatesOfOneProduct) {
  const Design design = tiny_design();
  Script script;
  script.add(isa::Matmul{.m = 10, .k = 3, .n = 2});
  const RunResult result = run_script(design, script);
  const auto& record = result.records[0];
  EXPECT_EQ(result.units[3].busy, 4u + 10u);
  EXPECT_EQ(result.units[3].stalled, record.end - record.start + 1 - 14);
  EXPECT_EQ(result.units[3].idle, record.start);
  EXPECT_EQ(result.events.multiplications, 10u * 16);
  EXPECT_EQ(result.events.activation_reads, 10u);
  EXPECT_EQ(result.events.weight_reads, 3u);
  EXPECT_EQ(result.events.accumulator_writes, 10u);
  EXPECT_EQ(result.events.accumulator_reads, 0u);
}

TEST(Matrix, EventsOfManyTiles) {
  const Design design = tiny_design();
  const isa::Matmul matmul{.m = 3, .k = 9, .n = 6, .acc_m_stride = 2, .acc_n_stride = 1};
  Events write, add, transposed;
  count_matmul(matmul, design, &write);
  EXPECT_EQ(write.multiplications, 3u * 12 * 8);
  EXPECT_EQ(write.activation_reads, 3u * 3 * 2);
  EXPECT_EQ(write.weight_reads, 9u * 2);
  EXPECT_EQ(write.accumulator_writes, 3u * 3 * 2);
  EXPECT_EQ(write.accumulator_reads, 3u * 2 * 2);
  isa::Matmul other = matmul;
  other.mode = isa::AccumulateMode::kAdd;
  count_matmul(other, design, &add);
  EXPECT_EQ(add.accumulator_reads, 3u * 3 * 2);
  other.transposed = true;
  count_matmul(other, design, &transposed);
  EXPECT_EQ(transposed.weight_reads, 6u * 3);
}

sysc::Memories random_memories(const Design& design, unsigned seed, bool extreme) {
  sysc::Memories memories(design);
  std::mt19937 random(seed);
  constexpr std::uint8_t kExtreme[] = {0x80, 0x7f, 0xff, 0x00};
  for (auto space : {isa::Space::kActivations, isa::Space::kWeights, isa::Space::kAccumulators})
    for (std::uint64_t i = 0; i < memories.size(space); ++i)
      memories.data(space)[i] = extreme ? kExtreme[random() % 4] : std::uint8_t(random());
  return memories;
}

TEST(MatrixValues, FastEqualsInOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 600; ++round) {
    Design design = base_design();
    design.rows = 2 << random() % 5;
    design.columns = 2 << random() % 6;
    design.activations = design.weights = {2, 4096};
    design.accumulators = {2, 32768};
    sysc::Memories fast = random_memories(design, unsigned(round), round % 3 == 0);
    sysc::Memories slow = fast;
    isa::Matmul m{.m = 1 + std::uint32_t(random() % 20),
                  .k = 1 + std::uint32_t(random() % 60),
                  .n = 1 + std::uint32_t(random() % 60),
                  .a_unsigned = random() % 2 == 0,
                  .transposed = random() % 2 == 0,
                  .mode = isa::AccumulateMode(random() % 2)};
    m.a_pitch = std::uint32_t(random() % 3) * 64;
    m.w_pitch = std::uint32_t(random() % 3) * 64;
    m.a_address = std::uint32_t(random() % 128) * 64;
    m.w_address = std::uint32_t(random() % 128) * 64;
    const std::uint32_t tiles =
        (m.n + std::uint32_t(design.columns) - 1) / std::uint32_t(design.columns);
    m.acc_row = std::uint32_t(random() % 64);
    // Rows apart one way or the other, or sharing accumulators.
    m.acc_m_stride = std::uint32_t(random() % 3) * tiles;
    m.acc_n_stride = random() % 2 ? 1 : std::uint32_t(random() % 40);
    multiply(m, design, &fast);
    multiply_in_order(m, design, &slow);
    ASSERT_EQ(
        std::memcmp(fast.data(isa::Space::kAccumulators), slow.data(isa::Space::kAccumulators),
                    fast.size(isa::Space::kAccumulators)),
        0)
        << round;
  }
}

TEST(MatrixValues, EveryKernelOfThisHostAgrees) {
  ASSERT_FALSE(sysc::product_kernels().empty());
  EXPECT_EQ(sysc::product_kernels()[0].name, "plain");
  for (const auto& kernel : sysc::product_kernels()) EXPECT_TRUE(agrees(kernel)) << kernel.name;
  const sysc::NamedKernel saturating{"saturating", [](const std::int16_t* a, const std::int16_t* w,
                                                      int rows, int pairs, std::int32_t* out) {
                                       sysc::product_kernels()[0].run(a, w, rows, pairs, out);
                                       for (int i = 0; i < rows * sysc::kPanelColumns; ++i)
                                         out[i] = std::min(out[i], 65534);
                                     }};
  EXPECT_FALSE(agrees(saturating));
}

}  // namespace
}  // namespace tally
