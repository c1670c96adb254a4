// SPDX-License-Identifier: Apache-2.0
// One wrong value of every kind is found and said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/verify/verify.h"
#include "tests/unit/program/mini_program.h"
#include "tests/unit/verify/fake_machine.h"

namespace tally {
namespace {

using namespace test;
using testing::HasSubstr;

Program mini() {
  const Design design = tiny_design();
  Program program;
  program.design = design.name;
  program.design_hash = design.hash();
  program.design_keys = design.hardware_keys();
  program.code = encode_all(mini_program());
  program.regions = {{"operands", 0, 512}, {"results", 1, 256}};
  program.segments = {{0, 0, std::vector<std::uint8_t>(512, 3)}};
  program.nodes = {{"layer0.query", "matmul", 1024}};
  program.node_of_instruction.assign(program.code.size(), 0);
  return program;
}

Comparison verify(const Program& program, FakeMachine::Change first, FakeMachine::Change second) {
  std::vector<std::unique_ptr<Machine>> machines;
  machines.push_back(std::make_unique<FakeMachine>(tiny_design(), "sysc", std::move(first)));
  machines.push_back(std::make_unique<FakeMachine>(tiny_design(), "rtl", std::move(second)));
  return *Verifier(tiny_design(), std::move(machines)).verify(program);
}

TEST(Compare, EqualRunsAreComparedWhole) {
  const Comparison comparison = verify(mini(), {}, {});
  EXPECT_FALSE(comparison.difference) << comparison.difference->message;
  // Three pairs: sysc and rtl, functional and each.
  EXPECT_EQ(comparison.compared.instructions_total, 3u * 9);
  EXPECT_EQ(comparison.compared.instructions, 3u * 9);
  EXPECT_EQ(comparison.compared.image_bytes, 3u << 20);
  EXPECT_GT(comparison.compared.counts, 100u);
}

TEST(Compare, EveryFieldThatDiffersIsFound) {
  const std::pair<FakeMachine::Change, const char*> cases[] = {
      {[](RunResult* r, DramImage*) { r->records[3].start += 1; },
       "instruction 3\n  sysc: start 30, end 39"},
      {[](RunResult* r, DramImage*) { r->records[3].end += 1; }, "  rtl: start 30, end 40"},
      {[](RunResult* r, DramImage*) { r->records[7].hash ^= 1; }, "instruction 7\n"},
      {[](RunResult* r, DramImage*) { r->records.pop_back(); }, "rtl: no record"},
      {[](RunResult* r, DramImage*) { r->cycles += 1; }, "cycles\n  sysc: 90\n  rtl: 91"},
      {[](RunResult* r, DramImage*) { r->units[2].stalled = 1; }, "store stalled cycles"},
      {[](RunResult* r, DramImage*) { r->units[0].busy = 1; }, "fetch busy cycles"},
      {[](RunResult* r, DramImage*) { r->units[4].idle = 1; }, "vector idle cycles"},
      {[](RunResult* r, DramImage*) { r->events.multiplications = 1; }, "multiplications"},
      {[](RunResult* r, DramImage*) { r->events.weight_reads = 1; }, "weight reads"},
      {[](RunResult* r, DramImage*) { r->events.vector_operations[6] = 1; },
       "vector operations mul"},
      {[](RunResult* r, DramImage*) { r->events.bursts[0] = 1; }, "fetch bursts"},
      {[](RunResult* r, DramImage*) { r->events.beats[2] = 1; }, "store beats"},
      {[](RunResult* r, DramImage*) { r->events.instructions[4] = 1; }, "vector instructions"},
      {[](RunResult* r, DramImage*) { r->dram.activations = 1; }, "DRAM activations"},
      {[](RunResult* r, DramImage*) { r->dram.requested_read_bytes = 1; }, "requested read bytes"},
      {[](RunResult* r, DramImage*) { r->outcome = Outcome::kDeadlock; }, "rtl: deadlock"},
      {[](RunResult* r, DramImage*) {
         r->waiting.push_back({isa::Unit::kLoad, 1, 2});
       },
       "load unit waits with instruction 1 for semaphore 2"},
      {[](RunResult*, DramImage* d) { d->data()[0x80000] = 1; },
       "DRAM byte 0x80000\n  sysc: 0x00\n  rtl: 0x01"},
  };
  for (const auto& [change, text] : cases) {
    const Comparison comparison = verify(mini(), {}, change);
    ASSERT_TRUE(comparison.difference) << text;
    EXPECT_THAT(comparison.difference->message, HasSubstr(text));
  }
}

TEST(Compare, AWrongValueOnBothTimedMachinesDiffersFromTheFunctionalModel) {
  const auto wrong = [](RunResult* r, DramImage*) { r->records[2].hash += 1; };
  const Comparison comparison = verify(mini(), wrong, wrong);
  ASSERT_TRUE(comparison.difference);
  EXPECT_THAT(comparison.difference->message, HasSubstr("functional: hash"));
  EXPECT_EQ(comparison.compared.instructions + 2, comparison.compared.instructions_total);
}

TEST(Compare, TheFirstDifferenceInTimeIsShownWithDisassemblyAndNode) {
  const Comparison comparison = verify(mini(), {}, [](RunResult* r, DramImage*) {
    r->records[6].start = 5;  // earlier than it should be, before the others go wrong
    r->records[1].end = 70;
  });
  ASSERT_TRUE(comparison.difference);
  EXPECT_EQ(comparison.difference->sequence, 6u);
  EXPECT_EQ(comparison.difference->cycle, 5u);
  EXPECT_THAT(comparison.difference->message,
              HasSubstr("routine first=3 count=1 step0={store r1 s1}"));
  EXPECT_THAT(comparison.difference->message, HasSubstr("node layer0.query"));
}

TEST(Compare, ComparingNothingIsADifference) {
  const auto empty = [](RunResult* r, DramImage*) { r->records.clear(); };
  const Comparison comparison = verify(mini(), empty, empty);
  ASSERT_TRUE(comparison.difference);
  EXPECT_THAT(comparison.difference->message, HasSubstr("no instruction was compared"));
  Verifier alone(tiny_design(), {});
  const auto one = alone.verify(mini());
  ASSERT_TRUE(one && one->difference);
  EXPECT_THAT(one->difference->message, HasSubstr("fewer than two machines"));
}

TEST(Compare, StaticFaultsByCodeAndSequenceAlone) {
  Program program = mini();
  program.code[5][0] = 0xee;
  const auto drained = [](RunResult* r, DramImage* d) {
    r->cycles = 77, r->fault.cycle = 60, r->fault.unit = isa::Unit::kVector;
    r->records.push_back({});
    d->data()[0x80000] = 1;
  };
  EXPECT_FALSE(verify(program, {}, drained).difference);
  const auto other = [](RunResult* r, DramImage*) { r->fault.sequence = 4; };
  const Comparison comparison = verify(program, {}, other);
  ASSERT_TRUE(comparison.difference);
  EXPECT_THAT(comparison.difference->message, HasSubstr("'opcode' of fetch unit, instruction 4"));
  const auto none = [](RunResult* r, DramImage*) { *r = {}; };
  EXPECT_TRUE(verify(program, {}, none).difference);
}

TEST(Compare, DynamicFaults) {
  Program program = mini();
  auto code = mini_program();
  std::get<isa::Store>(code[kStore].body).offset = 1 << 21;
  program.code = encode_all(code);
  const Comparison good = verify(program, {}, {});
  EXPECT_FALSE(good.difference) << good.difference->message;
  const auto other = [](RunResult* r, DramImage*) { r->fault.sequence = 0; };
  EXPECT_TRUE(verify(program, {}, other).difference);
  // Both machines with time wrong: the functional model knows no such fault.
  const Comparison both = verify(program, other, other);
  ASSERT_TRUE(both.difference);
  EXPECT_THAT(both.difference->message, HasSubstr("outcome"));
}

class DeadMachine : public Machine {
 public:
  std::string_view name() const override { return "rtl"; }
  Expected<RunResult> run(const MachineProgram&, const RunOptions&, DramImage*) override {
    return fail("assertion failed in tally_fifo");
  }
};

TEST(Compare, AMachineThatFailsIsADifference) {
  std::vector<std::unique_ptr<Machine>> machines;
  machines.push_back(std::make_unique<FakeMachine>(tiny_design(), "sysc"));
  machines.push_back(std::make_unique<DeadMachine>());
  const auto comparison = Verifier(tiny_design(), std::move(machines)).verify(mini());
  ASSERT_TRUE(comparison && comparison->difference);
  EXPECT_EQ(comparison->difference->message, "assertion failed in tally_fifo");
}

TEST(Compare, AProgramTooLargeForTheMemoryIsRefused) {
  Program program = mini();
  program.regions[1].bytes = 2 << 20;
  const auto comparison = Verifier(tiny_design(), {}).verify(program);
  ASSERT_FALSE(comparison);
  EXPECT_THAT(comparison.error().message, HasSubstr("bytes of DRAM"));
}

TEST(Compare, WaveformsNeedTheRtl) {
  const auto status = Verifier(tiny_design(), {}).write_waveform(mini(), 10, 5, "/tmp/x.fst");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a waveform needs the rtl backend");
}

}  // namespace
}  // namespace tally
