// SPDX-License-Identifier: Apache-2.0
// The RTL machine without its vector unit: values against the functional model, cycles against
// docs/timing.md, faults, deadlock, and any number of programs after each other.
#include <gtest/gtest.h>

#include "models/functional/functional.h"
#include "tests/cosim/core/core_bench.h"
#include "tests/cosim/core/core_designs.h"
#include "tests/cosim/core/random_program.h"
#include "top_narrow.h"
#include "top_wide.h"

namespace tally {
namespace {

using isa::Instruction;

bool same_bytes(const DramImage& a, const DramImage& b) {
  return std::memcmp(a.data(), b.data(), std::size_t(a.capacity())) == 0;
}

struct NarrowCore {
  using Top = top_narrow;
  static constexpr const char* kName = "narrow";
};
struct WideCore {
  using Top = top_wide;
  static constexpr const char* kName = "wide";
};

template <class Core>
class CoreTest : public testing::Test {
 protected:
  CoreTest() : design_(core_design(Core::kName)), bench_(design_.port_bytes) {}

  // Runs code on both; the images must be equal.
  CoreRun compare(RandomProgram& generator, const std::vector<Instruction>& code, bool bad_indices,
                  unsigned gap_seed) {
    DramImage golden(design_.dram_capacity_bytes), image(design_.dram_capacity_bytes);
    generator.fill(&golden, bad_indices);
    MachineProgram program = generator.place(code, &golden);
    image.write(0, {golden.data(), std::size_t(golden.capacity())});
    const CoreRun run = bench_.run(program, &image, gap_seed);
    program.design_hash = design_.hash();
    const auto machine = make_functional_machine(design_);
    std::vector<bool> executed(code.size());
    for (std::size_t i = 0; i < code.size(); ++i) executed[i] = run.records[i].end != 0;
    const auto expected = machine->run_executed(program, {}, executed, &golden);
    EXPECT_TRUE(expected.has_value());
    EXPECT_TRUE(same_bytes(golden, image));
    EXPECT_EQ(run.outcome, expected->outcome);
    EXPECT_EQ(run.fault.code, expected->fault.code);
    if (run.fault.code != FaultCode::kNone) {
      EXPECT_EQ(run.fault.sequence, expected->fault.sequence);
      return run;
    }
    compare_events(run, expected->events);
    return run;
  }

  void compare_events(const CoreRun& run, const Events& expected) {
    EXPECT_EQ(run.events, expected);
    for (int unit = 0; unit < isa::kUnits; ++unit) {
      const UnitCycles& cycles = run.units[std::size_t(unit)];
      EXPECT_EQ(cycles.busy + cycles.stalled + cycles.idle, run.cycles);
    }
  }

  // Runs code alone on zero data.
  CoreRun run(const std::vector<Instruction>& code) {
    DramImage image(design_.dram_capacity_bytes);
    RandomProgram generator(design_, 1);
    return bench_.run(generator.place(code, &image), &image);
  }

  Design design_;
  CoreBench<typename Core::Top> bench_;
};

using Cores = testing::Types<NarrowCore, WideCore>;
TYPED_TEST_SUITE(CoreTest, Cores);

TYPED_TEST(CoreTest, EqualsFunctionalModelOnRandomPrograms) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    RandomProgram generator(this->design_, seed);
    const auto code = generator.make(int(seed % 40));
    const CoreRun run = this->compare(generator, code, false, seed % 2 ? seed : 0);
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    EXPECT_EQ(run.outcome, Outcome::kFinished);
    EXPECT_EQ(run.cycles, run.records.back().end + 1);
  }
}

TYPED_TEST(CoreTest, GatherIndexOutOfRangeFaultsAndWritesZero) {
  int faults = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomProgram generator(this->design_, seed);
    const CoreRun run = this->compare(generator, generator.make(10), true, 0);
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    faults += run.fault.code == FaultCode::kGatherIndex;
  }
  EXPECT_GT(faults, 10);
}

isa::Matmul product(std::uint32_t m, std::uint32_t k, std::uint32_t n, bool transposed = false) {
  isa::Matmul matmul;
  matmul.m = m, matmul.k = k, matmul.n = n;
  matmul.transposed = transposed;
  return matmul;
}

TYPED_TEST(CoreTest, OneProductTakesLoadStreamFillAndDrain) {
  const auto rows = unsigned(this->design_.rows), columns = unsigned(this->design_.columns);
  for (std::uint32_t m : {1u, 2u, 3u, 9u, 40u}) {
    for (bool transposed : {false, true}) {
      const CoreRun run = this->run({{{}, product(m, 1, 1, transposed)}});
      const std::uint64_t load = transposed ? columns : rows;
      EXPECT_EQ(run.records[0].end, run.records[0].start + 1 + load + m + rows + columns);
      EXPECT_EQ(run.cycles, run.records[0].end + 1);
      EXPECT_EQ(run.events.multiplications, std::uint64_t(m) * rows * columns);
      EXPECT_EQ(run.units[3].busy, load + m);
    }
  }
}

TYPED_TEST(CoreTest, TilesFollowWithoutAnIdleCycle) {
  const auto rows = unsigned(this->design_.rows), columns = unsigned(this->design_.columns);
  for (std::uint32_t m : {1u, rows - 1, rows, rows + 1, 3 * rows}) {
    // Two instructions of 2 x 3 tiles each: 12 tiles, the first load not hidden.
    const isa::Matmul matmul = product(m, 3 * rows, 2 * columns);
    const CoreRun run = this->run({{{}, matmul}, {{}, matmul}});
    const std::uint64_t stream = run.records[0].start + 1 + rows + 11 * std::max(m, rows);
    EXPECT_EQ(run.records[1].end, stream + m + rows + columns) << "m " << m;
  }
}

TYPED_TEST(CoreTest, StaticFaultsStopDispatch) {
  const Instruction good{{}, product(1, 1, 1)};
  const auto fault = [&](Instruction bad) { return this->run({good, good, bad, good}).fault; };
  Instruction zero_m{{}, product(0, 1, 1)};
  EXPECT_EQ(fault(zero_m).code, FaultCode::kRange);
  Instruction first{{}, product(1, 1, 1)},
      second{{}, isa::Run{.extent0 = 1, .extent1 = 1, .extent2 = 1}};
  first.sync.posts[0] = 4;
  second.sync.waits[0] = 4;
  Instruction third = good;
  third.sync.waits[1] = 4;
  const CoreRun run = this->run({first, third, second});
  EXPECT_EQ(run.outcome, Outcome::kFault);
  EXPECT_EQ(run.fault.code, FaultCode::kWaiters);
  EXPECT_EQ(run.fault.sequence, 2u);
  EXPECT_EQ(run.events.instructions[0], 2u);
}

TYPED_TEST(CoreTest, UnknownOpcodeAndStrayBitsAreFound) {
  DramImage image(this->design_.dram_capacity_bytes);
  RandomProgram generator(this->design_, 1);
  const MachineProgram program =
      generator.place({{{}, product(1, 1, 1)}, {{}, product(1, 1, 1)}}, &image);
  image.data()[32 + 31] = 0x80;
  EXPECT_EQ(this->bench_.run(program, &image).fault.code, FaultCode::kField);
  image.data()[32] = 0x77;
  const CoreRun run = this->bench_.run(program, &image);
  EXPECT_EQ(run.fault.code, FaultCode::kOpcode);
  EXPECT_EQ(run.fault.sequence, 1u);
}

TYPED_TEST(CoreTest, ForeignDesignIsRefused) {
  DramImage image(this->design_.dram_capacity_bytes);
  RandomProgram generator(this->design_, 1);
  MachineProgram program = generator.place({{{}, product(1, 1, 1)}}, &image);
  program.design_hash = 1;
  const CoreRun run = this->bench_.run(program, &image);
  EXPECT_EQ(run.fault.code, FaultCode::kConfiguration);
  EXPECT_EQ(run.events.bursts[0], 0u);
}

TYPED_TEST(CoreTest, BusErrorsOfEveryPortUserAreFaults) {
  const auto port = std::uint32_t(this->design_.port_bytes);
  isa::Load load{.base = 1, .offset = 1 << 20, .rows = 1, .row_bytes = port};
  isa::Store store{.base = 3, .offset = 1 << 20, .rows = 1, .row_bytes = port};
  const CoreRun loaded = this->run({{{}, load}});
  EXPECT_EQ(loaded.fault.code, FaultCode::kBusError);
  EXPECT_EQ(loaded.fault.unit, isa::Unit::kLoad);
  EXPECT_EQ(loaded.fault.cycle, loaded.records[0].end - 1);
  const CoreRun stored = this->run({{{}, store}});
  EXPECT_EQ(stored.fault.unit, isa::Unit::kStore);
  EXPECT_EQ(stored.fault.cycle, stored.records[0].end);
  DramImage image(this->design_.dram_capacity_bytes);
  MachineProgram program;
  program.code_address = 1 << 20;
  program.instructions = 5;
  const CoreRun fetched = this->bench_.run(program, &image);
  EXPECT_EQ(fetched.fault.unit, isa::Unit::kFetch);
  EXPECT_EQ(fetched.fault.sequence, 0u);
}

TYPED_TEST(CoreTest, SemaphoreOverflowIsAFaultOfThePost) {
  std::vector<Instruction> code(257, Instruction{{}, product(1, 1, 1)});
  for (Instruction& instruction : code) instruction.sync.posts[2] = 9;
  const CoreRun run = this->run(code);
  EXPECT_EQ(run.fault.code, FaultCode::kSemaphoreOverflow);
  EXPECT_EQ(run.fault.unit, isa::Unit::kMatrix);
  EXPECT_EQ(run.fault.sequence, 255u);
  EXPECT_EQ(run.fault.cycle, run.records[255].end);
}

TYPED_TEST(CoreTest, DeadlockIsAState) {
  Instruction first{{}, product(1, 1, 1)}, second = first;
  second.sync.waits[0] = 3;
  const CoreRun run = this->run({first, second});
  EXPECT_EQ(run.outcome, Outcome::kDeadlock);
  EXPECT_EQ(run.cycles, run.records[0].end + 1);
}

TYPED_TEST(CoreTest, EmptyProgramEndsAtOnce) {
  const CoreRun run = this->run({});
  EXPECT_EQ(run.outcome, Outcome::kFinished);
  EXPECT_EQ(run.cycles, 0u);
}

TYPED_TEST(CoreTest, ResultsDoNotDependOnWhatRanBefore) {
  RandomProgram generator(this->design_, 7);
  const auto code = generator.make(20);
  const CoreRun first = this->compare(generator, code, false, 0);
  RandomProgram other(this->design_, 8);
  this->compare(other, other.make(30), false, 0);
  const CoreRun again = this->compare(generator, code, false, 0);
  EXPECT_EQ(first.cycles, again.cycles);
  EXPECT_EQ(first.records, again.records);
}

}  // namespace
}  // namespace tally
