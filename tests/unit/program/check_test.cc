// SPDX-License-Identifier: Apache-2.0
// The checker accepts a correct program and refuses every kind of broken one by its kind.
#include "compiler/program/check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/program/mini_program.h"

namespace tally {
namespace {

using namespace test;
using Instructions = std::vector<isa::Instruction>;

template <class Body>
Body& body(Instructions& program, int index) {
  return std::get<Body>(program[std::size_t(index)].body);
}

std::vector<Finding> findings(const Instructions& program) {
  const Design design = tiny_design();
  return check_schedule(encode_all(program), design.hash(), design);
}

// Exactly one kind of violation, at one instruction.
void expect_refused(const Instructions& program, Violation violation, int sequence,
                    const std::string& text) {
  const auto found = findings(program);
  ASSERT_FALSE(found.empty()) << violation_name(violation);
  for (const Finding& finding : found) EXPECT_EQ(finding.violation, violation) << finding.message;
  EXPECT_EQ(found[0].sequence, std::uint32_t(sequence));
  EXPECT_NE(found[0].message.find(text), std::string::npos) << found[0].message;
}

void set_steps(Instructions& program, std::vector<isa::Step> steps) {
  while (steps.size() < 4)
    steps.insert(steps.end() - 1, {.op = isa::StepOp::kMove, .dst = 7, .immediate = true});
  auto& first = body<isa::Routine>(program, kSteps);
  first.step0 = step(steps[0]), first.step1 = step(steps[1]), first.step2 = step(steps[2]);
  body<isa::Routine>(program, kSteps2).step0 = step(steps[3]);
}

TEST(Check, AcceptsACorrectProgram) {
  for (const Finding& finding : findings(mini_program())) ADD_FAILURE() << finding.message;
}

TEST(Check, StaticFault) {
  auto program = mini_program();
  body<isa::Matmul>(program, kMatmul).m = 0;
  expect_refused(program, Violation::kStaticFault, kMatmul, "instruction 2: static fault 'range'");
}

TEST(Check, FootprintOfATransfer) {
  auto program = mini_program();
  body<isa::Load>(program, kLoadW).address = 4096 - 16 * kMiniK + 16;
  expect_refused(program, Violation::kFootprint, kLoadW, "weights bytes 3856 to 4111 of 4096");
}

TEST(Check, FootprintOfAccumulators) {
  auto program = mini_program();
  body<isa::Matmul>(program, kMatmul).acc_m_stride = 9;
  expect_refused(program, Violation::kFootprint, kMatmul, "accumulators bytes 0 to 1039 of 1024");
}

TEST(Check, FootprintOfAStream) {
  auto program = mini_program();
  body<isa::Stream>(program, kStreamOut).stride1 = -40;
  expect_refused(program, Violation::kFootprint, kRun, "stream 1 reaches activations bytes -96");
}

TEST(Check, StreamNotSet) {
  auto program = mini_program();
  body<isa::Stream>(program, kStreamOut).stream = 5;
  expect_refused(program, Violation::kStream, kRun, "stream 1 is not set");
}

TEST(Check, StoreToAccumulators) {
  auto program = mini_program();
  body<isa::Stream>(program, kStreamOut) = {.stream = 1,
                                            .space = isa::Space::kAccumulators,
                                            .element = isa::Element::kI32,
                                            .start = 128,
                                            .stride1 = 8,
                                            .stride2 = 1};
  expect_refused(program, Violation::kStream, kRun, "stream 1 stores to accumulators");
}

TEST(Check, AccumulatorsAsFloat) {
  auto program = mini_program();
  body<isa::Stream>(program, kStreamIn).element = isa::Element::kF32;
  expect_refused(program, Violation::kStream, kRun, "stream 0 reads accumulators as f32");
}

TEST(Check, RoutineNeverWritten) {
  auto program = mini_program();
  body<isa::Run>(program, kRun).last = 4;
  expect_refused(program, Violation::kRoutine, kRun, "routine step 4: step operation 0");
}

TEST(Check, SumsOfARoutine) {
  const isa::Step load = load_step(0, 0);
  const isa::Step psum{.op = isa::StepOp::kPsumAdd, .a = 0};
  const isa::Step fold{.op = isa::StepOp::kFoldAdd, .dst = 1};
  const isa::Step fold_max{.op = isa::StepOp::kFoldMax, .dst = 1};
  const struct {
    std::vector<isa::Step> steps;
    const char* message;
  } cases[] = {
      {{load, psum, psum, fold}, "a second partial sum"},
      {{load, psum, fold, psum}, "a partial sum after the fold"},
      {{load, psum, fold, fold}, "a second fold"},
      {{load, fold}, "a fold without a partial sum"},
      {{load, psum, fold_max}, "the fold of another kind than the partial sum"},
  };
  for (const auto& test : cases) {
    auto program = mini_program();
    set_steps(program, test.steps);
    const auto found = findings(program);
    ASSERT_FALSE(found.empty()) << test.message;
    EXPECT_EQ(found[0].violation, Violation::kRoutine);
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const Finding& finding) {
      return finding.message.find(test.message) != std::string::npos;
    })) << test.message;
  }
}

TEST(Check, RegisterReadBeforeItIsWritten) {
  auto program = mini_program();
  set_steps(
      program,
      {load_step(0, 0), {.op = isa::StepOp::kSelect, .dst = 2, .a = 0, .b = 0}, store_step(0, 1)});
  expect_refused(program, Violation::kRegister, kRun,
                 "register 2 is read before a step of the body");
}

TEST(Check, TailReadsOnlyItsOwnRegisters) {
  auto program = mini_program();
  set_steps(program, {load_step(0, 0),
                      {.op = isa::StepOp::kPsumAdd, .a = 0},
                      {.op = isa::StepOp::kFoldAdd, .dst = 1},
                      store_step(0, 1)});
  expect_refused(program, Violation::kRegister, kRun,
                 "register 0 is read before a step of the tail");
}

TEST(Check, ElementStoredTwice) {
  auto program = mini_program();
  body<isa::Stream>(program, kStreamOut).stride1 = 7;
  expect_refused(program, Violation::kStoreOverlap, kRun, "stream 1 reaches an element twice");
  // Rows that interleave without meeting are allowed.
  program = mini_program();
  body<isa::Stream>(program, kStreamOut).stride1 = 1;
  body<isa::Stream>(program, kStreamOut).stride2 = 8;
  EXPECT_TRUE(findings(program).empty());
}

TEST(Check, TwoStepsStoreTheSame) {
  auto program = mini_program();
  set_steps(program, {load_step(0, 0), store_step(0, 1), store_step(0, 1)});
  body<isa::Run>(program, kRun).last = 3;
  const auto found = findings(program);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].violation, Violation::kStoreOverlap);
}

TEST(Check, BatchLoadsWhatAnEarlierStores) {
  auto program = mini_program();
  // Stream 2 reads stream 1's rows one row later.
  body<isa::Stream>(program, kStreamIn) = {.stream = 2,
                                           .element = isa::Element::kF32,
                                           .start = kResultAddress / 4 - 8,
                                           .stride1 = 8,
                                           .stride2 = 1};
  set_steps(program, {load_step(0, 2), store_step(0, 1)});
  expect_refused(program, Violation::kBatchHazard, kRun, "loads what step 3 of the run stores");
  // In place is allowed.
  body<isa::Stream>(program, kStreamIn).start = kResultAddress / 4;
  EXPECT_TRUE(findings(program).empty());
}

TEST(Check, BankOwnership) {
  auto program = mini_program();
  // The operands' second load goes to the product's bank without bytes in common.
  auto load = body<isa::Load>(program, kLoadA);
  load.address = 512;
  program.insert(program.begin() + kMatmul + 1, {sync({}, {}), load});
  expect_refused(program, Violation::kBankOwnership, kMatmul + 1,
                 "activations bank 0 is used by instruction 2 (matmul, matrix unit) too");
}

TEST(Check, Dependence) {
  auto program = mini_program();
  program[kMatmul].sync.posts = program[kRun].sync.waits = {-1, -1, -1};
  expect_refused(program, Violation::kDependence, kRun,
                 "accumulators bytes are used by instruction 2");
}

TEST(Check, DramDependence) {
  auto program = mini_program();
  auto load = body<isa::Load>(program, kLoadA);
  load.base = 1, load.offset = 16, load.pitch = 32, load.rows = 1, load.address = 3072;
  program.push_back({sync({}, {}), load});
  expect_refused(program, Violation::kDramDependence, int(kStore) + 1,
                 "DRAM bytes are used by instruction 8");
  // Another base register is another region.
  body<isa::Load>(program, int(kStore) + 1).base = 2;
  EXPECT_TRUE(findings(program).empty());
}

TEST(Check, SemaphoreNeverPosted) {
  auto program = mini_program();
  program[kLoadW].sync = {};
  const auto found = findings(program);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].violation, Violation::kSemaphoreNeverPosted);
  EXPECT_NE(found[0].message.find("waits for semaphore 0, which has 0 posts for 1 waits"),
            std::string::npos)
      << found[0].message;
}

TEST(Check, Deadlock) {
  auto program = mini_program();
  program[kLoadW].sync = sync({5}, {0});
  program[kStore].sync = sync({2}, {5});
  const auto found = findings(program);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].violation, Violation::kDeadlock);
  EXPECT_NE(found[0].message.find("semaphore 5"), std::string::npos) << found[0].message;
}

TEST(Check, DeadlockBehindAFullQueue) {
  // Unit order alone would do, but the queue of four fills before the post is dispatched.
  auto program = mini_program();
  const auto load = program[kLoadA];
  program.insert(program.begin(), 5, load);
  program[0].sync = sync({9}, {});
  program[7].sync.posts[2] = 9;
  const auto found = findings(program);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].violation, Violation::kDeadlock);
}

TEST(Check, SemaphoreOverflow) {
  auto program = mini_program();
  program.insert(program.end(), 256, {sync({}, {7}), program[kStreamIn].body});
  expect_refused(program, Violation::kSemaphoreOverflow, kStore + 256,
                 "semaphore 7 may count to 256");
  program.pop_back();
  EXPECT_TRUE(findings(program).empty());
}

TEST(Check, AccumulateUnwritten) {
  auto program = mini_program();
  body<isa::Matmul>(program, kMatmul).mode = isa::AccumulateMode::kAdd;
  expect_refused(program, Violation::kAccumulateUnwritten, kMatmul, "adds to accumulators");
}

TEST(Check, EveryViolationHasAName) {
  EXPECT_EQ(violation_name(Violation::kStaticFault), "static-fault");
  EXPECT_EQ(violation_name(Violation::kAccumulateUnwritten), "accumulate-unwritten");
}

TEST(Races, BaseRegistersThatMeetAreSeen) {
  auto program = mini_program();
  auto load = body<isa::Load>(program, kLoadA);
  load.base = 2, load.address = 3072;
  program.push_back({sync({}, {}), load});
  const Design design = tiny_design();
  EXPECT_TRUE(find_races(encode_all(program), {0, 4096, 8192}, design).empty());
  const auto found = find_races(encode_all(program), {0, 4096, 4096}, design);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].violation, Violation::kDramDependence);
}

}  // namespace
}  // namespace tally
