// SPDX-License-Identifier: Apache-2.0
// The RTL machine's cycles against docs/timing.md, counted by hand, its faults and its deadlock; on
// the narrowest port with queues of one, and on the widest.
#include <gtest/gtest.h>

#include "sysc/verilated/rtl_machine.h"
#include "tests/support/designs.h"

namespace tally {
namespace {

using isa::Instruction;

// The RTL of the design that the test names.
class RtlCore : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto machine = make_rtl_machine(design_);
    ASSERT_TRUE(machine) << machine.error().message;
    machine_ = std::move(*machine);
  }

  MachineProgram place(const std::vector<Instruction>& code) {
    std::fill_n(image_.data(), image_.capacity(), 0);
    for (std::size_t i = 0; i < code.size(); ++i) image_.write(32 * i, isa::encode(code[i]));
    return {.design_hash = design_.hash(), .instructions = std::uint32_t(code.size())};
  }

  RunResult run(const MachineProgram& program) {
    const auto result = machine_->run(program, {.records = true}, &image_);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : RunResult{};
  }
  RunResult run(const std::vector<Instruction>& code) { return run(place(code)); }

  Design design_ = test::test_design(GetParam());
  DramImage image_{design_.dram_capacity_bytes};
  std::unique_ptr<Machine> machine_;
};
INSTANTIATE_TEST_SUITE_P(Designs, RtlCore, testing::Values("narrow", "broad"),
                         [](const auto& info) { return std::string(info.param); });

isa::Matmul product(std::uint32_t m, std::uint32_t k, std::uint32_t n, bool transposed = false) {
  isa::Matmul matmul;
  matmul.m = m, matmul.k = k, matmul.n = n;
  matmul.transposed = transposed;
  return matmul;
}

TEST_P(RtlCore, OneProductTakesLoadStreamFillAndDrain) {
  const auto rows = unsigned(design_.rows), columns = unsigned(design_.columns);
  for (std::uint32_t m : {1u, 2u, 3u, 9u, 40u}) {
    for (bool transposed : {false, true}) {
      const RunResult result = run({{{}, product(m, 1, 1, transposed)}});
      ASSERT_EQ(result.records.size(), 1u);
      const std::uint64_t load = transposed ? columns : rows;
      EXPECT_EQ(result.records[0].end, result.records[0].start + 1 + load + m + rows + columns);
      EXPECT_EQ(result.cycles, result.records[0].end + 1);
      EXPECT_EQ(result.events.multiplications, std::uint64_t(m) * rows * columns);
      EXPECT_EQ(result.units[std::size_t(isa::Unit::kMatrix)].busy, load + m);
    }
  }
}

TEST_P(RtlCore, TilesFollowWithoutAnIdleCycle) {
  const auto rows = unsigned(design_.rows), columns = unsigned(design_.columns);
  for (std::uint32_t m : {1u, rows - 1, rows, rows + 1, 3 * rows}) {
    // Two instructions of 2 x 3 tiles each: 12 tiles, the first load not hidden.
    const isa::Matmul matmul = product(m, 3 * rows, 2 * columns);
    const RunResult result = run({{{}, matmul}, {{}, matmul}});
    ASSERT_EQ(result.records.size(), 2u);
    const std::uint64_t stream = result.records[0].start + 1 + rows + 11 * std::max(m, rows);
    EXPECT_EQ(result.records[1].end, stream + m + rows + columns) << "m " << m;
  }
}

TEST_P(RtlCore, StaticFaultsStopDispatch) {
  const Instruction good{{}, product(1, 1, 1)}, zero_m{{}, product(0, 1, 1)};
  EXPECT_EQ(run({good, good, zero_m, good}).fault.code, FaultCode::kRange);
  Instruction first = good, second{{}, isa::Run{.extent0 = 1, .extent1 = 1, .extent2 = 1}};
  first.sync.posts[0] = 4;
  second.sync.waits[0] = 4;
  Instruction third = good;
  third.sync.waits[1] = 4;
  const RunResult result = run({first, third, second});
  EXPECT_EQ(result.outcome, Outcome::kFault);
  EXPECT_EQ(result.fault.code, FaultCode::kWaiters);
  EXPECT_EQ(result.fault.sequence, 2u);
  EXPECT_EQ(result.events.instructions[0], 2u);
}

TEST_P(RtlCore, UnknownOpcodeAndStrayBitsAreFound) {
  const MachineProgram program = place({{{}, product(1, 1, 1)}, {{}, product(1, 1, 1)}});
  image_.data()[32 + 31] = 0x80;
  EXPECT_EQ(run(program).fault.code, FaultCode::kField);
  image_.data()[32] = 0x77;
  const RunResult result = run(program);
  EXPECT_EQ(result.fault.code, FaultCode::kOpcode);
  EXPECT_EQ(result.fault.sequence, 1u);
}

TEST_P(RtlCore, ForeignDesignIsRefused) {
  MachineProgram program = place({{{}, product(1, 1, 1)}});
  program.design_hash ^= 1;
  const RunResult result = run(program);
  EXPECT_EQ(result.fault.code, FaultCode::kConfiguration);
  EXPECT_EQ(result.events.bursts[0], 0u);
}

TEST_P(RtlCore, BusErrorsOfEveryPortUserAreFaults) {
  const auto port = std::uint32_t(design_.port_bytes);
  const auto beyond = std::uint32_t(design_.dram_capacity_bytes);
  const isa::Load load{.base = 1, .offset = beyond, .rows = 1, .row_bytes = port};
  const isa::Store store{.base = 3, .offset = beyond, .rows = 1, .row_bytes = port};
  const RunResult loaded = run({{{}, load}});
  EXPECT_EQ(loaded.fault.code, FaultCode::kBusError);
  EXPECT_EQ(loaded.fault.unit, isa::Unit::kLoad);
  EXPECT_EQ(loaded.fault.sequence, 0u);
  const RunResult stored = run({{{}, store}});
  EXPECT_EQ(stored.fault.code, FaultCode::kBusError);
  EXPECT_EQ(stored.fault.unit, isa::Unit::kStore);
  MachineProgram program = place({});
  program.code_address = beyond;
  program.instructions = 5;
  const RunResult fetched = run(program);
  EXPECT_EQ(fetched.fault.unit, isa::Unit::kFetch);
  EXPECT_EQ(fetched.fault.sequence, 0u);
}

TEST_P(RtlCore, SemaphoreOverflowIsAFaultOfThePost) {
  std::vector<Instruction> code(257, Instruction{{}, product(1, 1, 1)});
  for (Instruction& instruction : code) instruction.sync.posts[2] = 9;
  const RunResult result = run(code);
  EXPECT_EQ(result.fault.code, FaultCode::kSemaphoreOverflow);
  EXPECT_EQ(result.fault.unit, isa::Unit::kMatrix);
  EXPECT_EQ(result.fault.sequence, 255u);
  ASSERT_GE(result.records.size(), 256u);
  EXPECT_EQ(result.fault.cycle, result.records[255].end);
}

TEST_P(RtlCore, DeadlockEndsWithTheLastInstruction) {
  Instruction first{{}, product(1, 1, 1)}, second = first;
  second.sync.waits[0] = 3;
  const RunResult result = run({first, second});
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.cycles, result.records[0].end + 1);
}

TEST_P(RtlCore, EmptyProgramEndsAtOnce) {
  const RunResult result = run(std::vector<Instruction>{});
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  EXPECT_EQ(result.cycles, 0u);
}

}  // namespace
}  // namespace tally
