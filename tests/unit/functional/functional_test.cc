// SPDX-License-Identifier: Apache-2.0
// The functional model against plain loops, by hand-written programs.
#include "models/functional/functional.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "compiler/program/program.h"
#include "models/numeric/f32.h"
#include "tests/unit/program/mini_program.h"

namespace tally {
namespace {

using namespace test;

class Bench {
 public:
  explicit Bench(const Design& design = tiny_design())
      : design_(design),
        dram(design.dram_capacity_bytes),
        machine(make_functional_machine(design)) {
    program_.design_hash = design.hash();
    for (int i = 0; i < isa::kBaseRegisters; ++i)
      program_.bases[std::size_t(i)] = std::uint64_t(i + 1) * 16384;
  }

  RunResult run(const std::vector<isa::Instruction>& instructions, bool hashes = true) {
    return run_code(encode_all(instructions), hashes);
  }
  RunResult run_code(const std::vector<isa::Bytes32>& code, bool hashes = true) {
    for (std::size_t i = 0; i < code.size(); ++i)
      dram.write(program_.code_address + 32 * i, code[i]);
    program_.instructions = std::uint32_t(code.size());
    return *machine->run(program_, {.records = true, .hashes = hashes}, &dram);
  }
  std::uint8_t* base(int index) { return dram.data() + program_.bases[std::size_t(index)]; }
  MachineProgram& program() { return program_; }
  const Design& design() const { return design_; }

 private:
  Design design_;
  MachineProgram program_;

 public:
  DramImage dram;
  std::unique_ptr<FunctionalMachine> machine;
};

void fill_random(std::uint8_t* bytes, std::size_t size, int seed) {
  std::mt19937 random{std::uint32_t(seed)};
  for (std::size_t i = 0; i < size; ++i) bytes[i] = std::uint8_t(random());
}

float mini_result(const Bench& bench, const std::uint8_t* operands, int m, int n) {
  (void)bench;
  std::int32_t sum = 0;
  for (int k = 0; k < kMiniK; ++k)
    sum += std::int8_t(operands[16 * m + k]) * std::int8_t(operands[kOffsetW + 16 * k + n]);
  return float(sum) * 0.5f;
}

TEST(Functional, LoadMultiplyConvertStore) {
  Bench bench;
  fill_random(bench.base(0), 1024, 1);
  const RunResult result = bench.run(mini_program());
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  ASSERT_EQ(result.records.size(), 9u);
  for (int m = 0; m < kMiniM; ++m)
    for (int n = 0; n < kMiniN; ++n) {
      float value;
      std::memcpy(&value, bench.base(1) + 4 * (m * kMiniN + n), 4);
      ASSERT_EQ(value, mini_result(bench, bench.base(0), m, n)) << m << ' ' << n;
    }
}

TEST(Functional, HashesAreTheSumOverBytesWritten) {
  Bench bench;
  fill_random(bench.base(0), 1024, 2);
  const RunResult result = bench.run(mini_program());
  std::uint64_t load = 0, store = 0;
  for (std::uint64_t i = 0; i < 16 * kMiniM; ++i) load += written_byte_hash(0, i, bench.base(0)[i]);
  for (std::uint64_t i = 0; i < 4 * kMiniN * kMiniM; ++i)
    store += written_byte_hash(kHashSpaceDram, std::uint64_t(bench.base(1) - bench.dram.data()) + i,
                               bench.base(1)[i]);
  EXPECT_EQ(result.records[kLoadA].hash, load);
  EXPECT_EQ(result.records[kStore].hash, store);
  EXPECT_EQ(result.records[kSteps].hash, 0u);
  EXPECT_NE(result.records[kMatmul].hash, 0u);
  EXPECT_NE(result.records[kRun].hash, 0u);
  const RunResult again = bench.run(mini_program(), false);
  EXPECT_EQ(again.records[kStore].hash, 0u);
}

TEST(Functional, EventsOfTheMiniProgramByHand) {
  Bench bench;
  const Events events = bench.run(mini_program()).events;
  // 8 x 16 x 8 on a 4 x 4 array: 4 K tiles x 2 column tiles of 8 rows.
  EXPECT_EQ(events.multiplications, 8u * 8 * 16);
  EXPECT_EQ(events.activation_reads, 8u * 8 + 8 * 32 / 16);  // rows streamed, beats stored
  EXPECT_EQ(events.activation_writes, 8u + 8 * 2);           // beats loaded, groups stored
  EXPECT_EQ(events.weight_reads, 8u * 4);                    // rows of weight tiles
  EXPECT_EQ(events.weight_writes, 16u);                      // beats
  EXPECT_EQ(events.accumulator_reads, 6u * 8 + 8 * 2);       // added rows, groups loaded
  EXPECT_EQ(events.accumulator_writes, 8u * 8);
  EXPECT_EQ(events.vector_operations[int(isa::StepOp::kMul)], 64u);
  EXPECT_EQ(events.vector_operations[int(isa::StepOp::kLoad)], 64u);
  EXPECT_EQ(events.instructions, (std::array<std::uint64_t, 5>{9, 2, 1, 1, 5}));
  EXPECT_EQ(events.bursts, (std::array<std::uint64_t, 3>{3, 8 + 16, 8}));
  EXPECT_EQ(events.beats, (std::array<std::uint64_t, 3>{18, 8 + 16, 16}));
}

TEST(Functional, TransposedUnsignedAndOddShapes) {
  for (const auto& [m, k, n] : {std::tuple{1, 1, 1}, {7, 5, 3}, {3, 9, 13}, {5, 4, 8}})
    for (int variant = 0; variant < 4; ++variant) {
      Bench bench;
      fill_random(bench.base(0), 2048, m + variant);
      const bool transposed = variant & 1, a_unsigned = variant & 2;
      const isa::Load a{
          .pitch = 16, .rows = std::uint32_t(m), .row_bytes = 16, .address_pitch = 16};
      isa::Load w = a;
      w.offset = 1024, w.space = isa::Space::kWeights;
      w.rows = std::uint32_t(transposed ? n : k);
      isa::Matmul product{.a_pitch = 16,
                          .w_pitch = 16,
                          .m = std::uint32_t(m),
                          .k = std::uint32_t(k),
                          .n = std::uint32_t(n),
                          .acc_m_stride = 4,
                          .acc_n_stride = 1,
                          .a_unsigned = a_unsigned,
                          .transposed = transposed};
      const isa::Store store{.base = 1,
                             .pitch = 64,
                             .rows = std::uint32_t(m),
                             .row_bytes = 64,
                             .space = isa::Space::kAccumulators,
                             .address_pitch = 64};
      bench.run({{{}, a}, {sync({}, {0}), w}, {sync({0}, {1}), product}, {sync({1}, {}), store}});
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          std::int32_t sum = 0, value;
          for (int l = 0; l < k; ++l) {
            const std::uint8_t left = bench.base(0)[16 * i + l];
            const int row = transposed ? j : l, column = transposed ? l : j;
            sum += (a_unsigned ? left : std::int8_t(left)) *
                   std::int8_t(bench.base(0)[1024 + 16 * row + column]);
          }
          std::memcpy(&value, bench.base(1) + 64 * i + 4 * j, 4);
          ASSERT_EQ(value, sum) << m << k << n << " variant " << variant;
        }
    }
}

TEST(Functional, RowsThatShareAnAccumulatorRowFollowTheHardwareLoop) {
  Bench bench;
  std::memset(bench.base(0), 1, 1024);
  auto program = mini_program();
  auto& product = std::get<isa::Matmul>(program[kMatmul].body);
  product.acc_m_stride = 0;
  auto& store = std::get<isa::Store>(program[kStore].body);
  store = {.base = 1, .pitch = 32, .rows = 1, .row_bytes = 32, .space = isa::Space::kAccumulators};
  program[kStore].sync = sync({2}, {});
  bench.run(program);
  std::int32_t value;
  std::memcpy(&value, bench.base(1), 4);
  // First K tile: the last row overwrites (4); three more K tiles add 4 for each of 8 rows.
  EXPECT_EQ(value, 4 + 3 * 8 * 4);
}

// Loads `count` elements of `element`, runs steps over them in `rows` rows, stores as f32.
struct VectorCase {
  std::vector<isa::Step> steps;
  int rows, columns;
  int stored_columns;
};

std::vector<float> run_vector(const VectorCase& test, const std::vector<float>& input,
                              const Design& design = tiny_design(), Events* events = nullptr) {
  Bench bench(design);
  std::memcpy(bench.base(0), input.data(), 4 * input.size());
  const auto bytes = std::uint32_t((4 * input.size() + 15) / 16 * 16);
  std::vector<isa::Instruction> program;
  program.push_back({sync({}, {0}), isa::Load{.rows = 1, .row_bytes = bytes}});
  program.push_back(
      {sync({0}, {}), isa::Stream{.stream = 0, .stride1 = test.columns, .stride2 = 1}});
  program.push_back(
      {{}, isa::Stream{.stream = 1, .start = 512, .stride1 = test.stored_columns, .stride2 = 1}});
  for (std::size_t i = 0; i < test.steps.size(); ++i)
    program.push_back(
        {{}, isa::Routine{.first = std::uint32_t(i), .count = 1, .step0 = step(test.steps[i])}});
  program.push_back({sync({}, {1}), isa::Run{.first = 0,
                                             .last = std::uint32_t(test.steps.size() - 1),
                                             .extent0 = 1,
                                             .extent1 = std::uint32_t(test.rows),
                                             .extent2 = std::uint32_t(test.columns)}});
  const auto out_bytes = std::uint32_t((4 * test.rows * test.stored_columns + 15) / 16 * 16);
  program.push_back(
      {sync({1}, {}), isa::Store{.base = 1, .rows = 1, .row_bytes = out_bytes, .address = 2048}});
  const RunResult result = bench.run(program);
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  if (events != nullptr) *events = result.events;
  std::vector<float> out(std::size_t(test.rows * test.stored_columns));
  std::memcpy(out.data(), bench.base(1), 4 * out.size());
  return out;
}

TEST(Functional, RowSumsByTheSumRule) {
  const isa::Step psum{.op = isa::StepOp::kPsumAdd, .a = 0},
      fold{.op = isa::StepOp::kFoldAdd, .dst = 3};
  for (int columns : {1, 3, 33, 65, 129}) {
    std::mt19937 random{std::uint32_t(columns)};
    std::vector<float> input(std::size_t(3 * columns));
    for (float& value : input) value = std::ldexp(float(random() % 1000) - 500, int(random() % 20));
    Events events;
    const auto sums = run_vector({{load_step(0, 0), psum, fold, store_step(3, 1)}, 3, columns, 1},
                                 input, tiny_design(), &events);
    for (int row = 0; row < 3; ++row) {
      float partial[64] = {};
      for (int i = 0; i < columns; ++i) partial[i % 64] += input[std::size_t(row * columns + i)];
      for (int h = 32; h >= 1; h /= 2)
        for (int i = 0; i < h; ++i) partial[i] += partial[i + h];
      EXPECT_EQ(sums[std::size_t(row)], partial[0]) << columns;
    }
    EXPECT_EQ(events.vector_operations[int(isa::StepOp::kFoldAdd)], 3u * 63);
    EXPECT_EQ(events.vector_operations[int(isa::StepOp::kPsumAdd)], 3u * unsigned(columns));
    EXPECT_EQ(events.vector_operations[int(isa::StepOp::kStore)], 3u);
  }
}

TEST(Functional, ValuesDoNotDependOnTheNumberOfLanes) {
  std::vector<float> input(5 * 19);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = 1.0f / float(i + 1);
  const VectorCase test{
      {load_step(0, 0),
       {.op = isa::StepOp::kMul, .dst = 1, .a = 0, .b = 0},
       {.op = isa::StepOp::kAdd, .dst = 1, .a = 1, .immediate = true, .imm = 0x3f800000},
       store_step(1, 1)},
      5,
      19,
      19};
  for (int lanes : {1, 2, 4, 8}) {
    Design design = tiny_design();
    design.lanes = lanes;
    const auto out = run_vector(test, input, design);
    for (std::size_t i = 0; i < input.size(); ++i)
      ASSERT_EQ(out[i], input[i] * input[i] + 1.0f) << lanes;
  }
}

TEST(Functional, IncrementsMoveStreamsFromRunToRun) {
  Bench bench;
  const float input[] = {1, 2, 3, 4, 5, 6, 7, 8};
  std::memcpy(bench.base(0), input, sizeof input);
  const isa::Run run{
      .last = 1, .extent0 = 1, .extent1 = 1, .extent2 = 4, .increment0 = 4, .increment1 = -4};
  const isa::Routine steps{
      .count = 2, .step0 = step(load_step(0, 0)), .step1 = step(store_step(0, 1))};
  bench.run({{sync({}, {0}), isa::Load{.rows = 1, .row_bytes = 32}},
             {sync({0}, {}), isa::Stream{.stream = 0, .stride2 = 1}},
             {{}, isa::Stream{.stream = 1, .start = 260, .stride2 = 1}},
             {{}, steps},
             {{}, run},
             {sync({}, {1}), run},
             {sync({1}, {}), isa::Store{.base = 1, .rows = 1, .row_bytes = 32, .address = 1024}}});
  float out[8];
  std::memcpy(out, bench.base(1), sizeof out);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[7], 4);
}

TEST(Functional, GatherReadsRowsByIndex) {
  Bench bench;
  fill_random(bench.base(0), 1024, 4);
  const std::int32_t indices[] = {5, 0, 5, 7};
  std::memcpy(bench.base(1), indices, sizeof indices);
  const isa::Gather gather{
      .pitch = 32, .rows = 4, .row_bytes = 16, .address_pitch = 16, .index_base = 1, .limit = 8};
  const isa::Store store{.base = 2, .rows = 1, .row_bytes = 64};
  RunResult result = bench.run({{sync({}, {0}), gather}, {sync({0}, {}), store}});
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(std::memcmp(bench.base(2) + 16 * i, bench.base(0) + 32 * indices[i], 16), 0);
  EXPECT_EQ(result.events.beats[1], 1u + 4u);
  EXPECT_EQ(result.events.activation_writes, 4u);
}

TEST(Functional, GatherIndexOutsideIsAFaultAndGivesZeros) {
  for (std::int32_t bad : {8, -1}) {
    Bench bench;
    fill_random(bench.base(0), 1024, 5);
    std::memset(bench.base(2), 0xee, 64);
    const std::int32_t indices[] = {5, bad, 2, 7};
    std::memcpy(bench.base(1), indices, sizeof indices);
    const isa::Gather gather{
        .pitch = 32, .rows = 4, .row_bytes = 16, .address_pitch = 16, .index_base = 1, .limit = 8};
    const RunResult result =
        bench.run({{sync({}, {0}), gather},
                   {sync({0}, {}), isa::Store{.base = 2, .rows = 1, .row_bytes = 64}}});
    EXPECT_EQ(result.outcome, Outcome::kFault);
    EXPECT_EQ(result.fault,
              (Fault{.code = FaultCode::kGatherIndex, .unit = isa::Unit::kLoad, .sequence = 0}));
    for (int i = 0; i < 16; ++i) EXPECT_EQ(bench.base(2)[16 + i], 0);
    EXPECT_EQ(std::memcmp(bench.base(2) + 32, bench.base(0) + 64, 16), 0);
  }
}

TEST(Functional, BusErrorOfLoadReadsZeros) {
  Bench bench;
  std::memset(bench.base(0), 7, 64);
  bench.program().bases[3] = std::uint64_t(bench.dram.capacity()) - 16;
  const isa::Load load{.base = 3, .pitch = 16, .rows = 2, .row_bytes = 16, .address_pitch = 16};
  std::memset(bench.dram.data() + bench.dram.capacity() - 16, 9, 16);
  std::memset(bench.base(2), 1, 32);
  const RunResult result = bench.run(
      {{sync({}, {0}), load}, {sync({0}, {}), isa::Store{.base = 2, .rows = 1, .row_bytes = 32}}});
  EXPECT_EQ(result.fault,
            (Fault{.code = FaultCode::kBusError, .unit = isa::Unit::kLoad, .sequence = 0}));
  EXPECT_EQ(bench.base(2)[15], 9);
  EXPECT_EQ(bench.base(2)[16], 0);
}

TEST(Functional, BusErrorOfStoreAndAllFaultsListed) {
  Bench bench;
  const isa::Store store{.base = 1, .offset = 1 << 20, .rows = 1, .row_bytes = 16};
  const RunResult result = bench.run({{{}, store}, {{}, store}});
  EXPECT_EQ(result.fault,
            (Fault{.code = FaultCode::kBusError, .unit = isa::Unit::kStore, .sequence = 0}));
  EXPECT_EQ(bench.machine->faults().size(), 2u);
  EXPECT_EQ(bench.machine->faults()[1].sequence, 1u);
}

TEST(Functional, BusErrorOfFetchNamesTheFirstInstructionOfItsBlock) {
  Bench bench;
  bench.program().code_address = std::uint64_t(bench.dram.capacity()) - 4096;
  const std::vector<isa::Bytes32> fits(128, isa::encode({{}, isa::Stream{}}));
  EXPECT_EQ(bench.run_code(fits).outcome, Outcome::kFinished);
  bench.program().instructions = 130;
  const RunResult result = *bench.machine->run(bench.program(), {.records = true}, &bench.dram);
  EXPECT_EQ(result.fault,
            (Fault{.code = FaultCode::kBusError, .unit = isa::Unit::kFetch, .sequence = 128}));
  EXPECT_EQ(result.records.size(), 128u);
}

TEST(Functional, StaticFaultsRunNothing) {
  Bench bench;
  auto code = encode_all(mini_program());
  code[8][0] = 0;
  const RunResult result = bench.run_code(code);
  EXPECT_EQ(result.outcome, Outcome::kFault);
  EXPECT_EQ(result.fault, (Fault{.code = FaultCode::kOpcode, .sequence = 8}));
  EXPECT_TRUE(result.records.empty());
  EXPECT_EQ(result.events, Events{});
}

TEST(Functional, DeadlockSaysWhoWaitsForWhat) {
  Bench bench;
  auto program = mini_program();
  program[kLoadW].sync = sync({5}, {0});
  program[kStore].sync = sync({2}, {5});
  const RunResult result = bench.run(program);
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_EQ(result.waiting, (std::vector<Waiting>{{isa::Unit::kLoad, kLoadW, 5},
                                                  {isa::Unit::kStore, kStore, 2},
                                                  {isa::Unit::kMatrix, kMatmul, 0},
                                                  {isa::Unit::kVector, kRun, 1}}));
  EXPECT_EQ(result.records.size(), 5u);
}

TEST(Functional, DeadlockedFetchStopsWithItsBuffersFull) {
  Bench bench;
  std::vector<isa::Instruction> program(40, {sync({3}, {}), isa::Stream{}});
  const RunResult result = bench.run(program);
  // Queue of 4 full: block 0 (4 instructions) dispatched, blocks 1 and 2 in the buffers.
  EXPECT_EQ(result.events.instructions[0], 4u);
  EXPECT_EQ(result.events.bursts[0], 3u);
}

TEST(Functional, PostsThatComeLaterInTheProgramAreWaitedFor) {
  Bench bench;
  std::memset(bench.base(0), 3, 64);
  bench.run({{sync({0}, {}), isa::Store{.base = 1, .rows = 1, .row_bytes = 16}},
             {sync({}, {0}), isa::Load{.rows = 1, .row_bytes = 16}}});
  EXPECT_EQ(bench.base(1)[0], 3);
}

TEST(Functional, OnlyExecutedInstructionsRun) {
  Bench bench;
  std::memset(bench.base(0), 3, 64);
  const auto code = encode_all({{sync({}, {0}), isa::Load{.rows = 1, .row_bytes = 16}},
                                {sync({0}, {}), isa::Store{.base = 1, .rows = 1, .row_bytes = 16}},
                                {{}, isa::Store{.base = 2, .rows = 1, .row_bytes = 16}}});
  bench.run_code({});
  for (std::size_t i = 0; i < code.size(); ++i) bench.dram.write(32 * i, code[i]);
  bench.program().instructions = 3;
  const RunResult result = *bench.machine->run_executed(bench.program(), {.records = true},
                                                        {true, true, false}, &bench.dram);
  EXPECT_EQ(result.records.size(), 2u);
  EXPECT_EQ(bench.base(1)[0], 3);
  EXPECT_EQ(bench.base(2)[0], 0);
}

TEST(Functional, ReportsRaces) {
  Bench bench;
  auto program = mini_program();
  bench.run(program);
  EXPECT_TRUE(report_races(bench.program(), bench.design(), bench.dram).empty());
  program[kMatmul].sync.posts = program[kRun].sync.waits = {-1, -1, -1};
  bench.run(program);
  const auto races = report_races(bench.program(), bench.design(), bench.dram);
  ASSERT_FALSE(races.empty());
  EXPECT_NE(races[0].find("no semaphore orders the two"), std::string::npos);
}

}  // namespace
}  // namespace tally
