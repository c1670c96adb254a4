// SPDX-License-Identifier: Apache-2.0
// Parts of a measurement: random inputs, totals, hashes, inputs bound into a program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/ir/parser.h"
#include "models/measure/backend.h"
#include "models/measure/bind_inputs.h"
#include "models/measure/random_inputs.h"
#include "models/measure/totals.h"

namespace tally::measure {
namespace {

using ::testing::HasSubstr;

ir::Module graph() {
  auto module = ir::parse(
      "module \"m\" { func @main {\n"
      "%i = input() {name = \"ids\"} : i32[1]\n"
      "%p = input() {name = \"position\"} : i32[1]\n"
      "%m = input() {name = \"mask\"} : f32[4]\n"
      "%b = input() {name = \"image\"} : u8[1,2,2]\n"
      "%h = input() {name = \"hidden\"} : f32[50,2]\n"
      "} }");
  EXPECT_TRUE(module);
  return std::move(*module);
}

TEST(RandomInputs, FollowTheGraphAndTheSeed) {
  const ir::Module module = graph();
  const auto inputs = random_inputs(module, 3, 2, 7);
  EXPECT_LT(inputs.at("ids").as<std::int32_t>()[0], 3);
  EXPECT_EQ(inputs.at("position").as<std::int32_t>()[0], 2);
  EXPECT_THAT(inputs.at("mask").as<float>(), ::testing::ElementsAre(1, 1, 1, 0));
  EXPECT_EQ(inputs.at("image").shape(), (ir::Shape{1, 2, 2}));
  for (const float value : inputs.at("hidden").as<float>()) {
    EXPECT_GE(value, -1);
    EXPECT_LT(value, 1);
  }
  EXPECT_EQ(random_inputs(module, 3, 2, 7), inputs);
  EXPECT_NE(random_inputs(module, 3, 2, 8).at("hidden"), inputs.at("hidden"));
}

// First outputs of SplitMix64 for seed 0, as the reference implementation gives them.
TEST(RandomInputs, AreSplitMix64) {
  std::uint64_t state = 0;
  EXPECT_EQ(next_random(state), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(next_random(state), 0x6e789e6aa1b965f4ULL);
}

TEST(OutputHash, CoversAllInferencesInOrder) {
  const ops::Tensors one = {{"y", ir::Tensor::of<float>({1}, {1})}};
  const ops::Tensors two = {{"y", ir::Tensor::of<float>({1}, {2})}};
  const auto hashed = [](std::initializer_list<ops::Tensors> outputs) {
    OutputHash hash;
    for (const auto& output : outputs) hash.add(output);
    Result result;
    hash.write(&result);
    return result;
  };
  EXPECT_EQ(hashed({one}).output_sha256, hashed({one}).first_output_sha256);
  EXPECT_EQ(hashed({one, two}).first_output_sha256, hashed({one}).output_sha256);
  EXPECT_NE(hashed({one, two}).output_sha256, hashed({two, one}).output_sha256);
}

TEST(Totals, SumRunsAndLeaveTimeOutWhereThereIsNone) {
  Design design;
  design.name = "d";
  design.clock_mhz = 500;
  design.rows = design.columns = 4;
  design.port_bytes = 8;
  Program program;
  program.recipe = "r";
  program.code.resize(3);
  program.nodes = {{"n", "op", 10}};
  RunResult run;
  run.cycles = 100;
  run.units[1].busy = 7;
  run.events.beats = {1, 2, 3};
  run.dram.read_bytes = 64;
  Totals totals;
  totals.add(run, program);
  totals.add(run, program);
  Result result;
  totals.write(design, &result);
  EXPECT_EQ(result.timing->cycles, 200U);
  EXPECT_EQ(result.timing->units[1].busy, 14U);
  EXPECT_EQ(result.timing->bus_bytes, 2U * 6 * 8);
  EXPECT_EQ(result.work->macs, 20U);
  EXPECT_EQ(result.work->instructions, 6U);
  EXPECT_EQ(result.work->dram.read_bytes, 128U);
  EXPECT_EQ(totals.seconds(design), 200 / 500e6);
  Totals untimed;
  run.cycles = 0;
  untimed.add(run, program);
  Result without;
  untimed.write(design, &without);
  EXPECT_FALSE(without.timing);
}

Program program_with_input() {
  Program program;
  program.regions = {{"inputs", 0, 64}};
  program.inputs = {{"x", 0, 4, isa::Element::kI8, 2, 3, 8}};
  return program;
}

TEST(BindInputs, PutsEachRowAtItsPitch) {
  const auto bound = bind_inputs(program_with_input(),
                                 {{"x", ir::Tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6})}});
  ASSERT_TRUE(bound);
  ASSERT_EQ(bound->segments.size(), 2U);
  EXPECT_EQ(bound->segments[0], (Segment{0, 4, {1, 2, 3}}));
  EXPECT_EQ(bound->segments[1], (Segment{0, 12, {4, 5, 6}}));
}

TEST(BindInputs, RefusesMissingAndWrongInputs) {
  EXPECT_EQ(bind_inputs(program_with_input(), {}).error().message, "input 'x' is not given");
  EXPECT_EQ(bind_inputs(program_with_input(), {{"x", ir::Tensor::of<std::int8_t>({1}, {1})}})
                .error()
                .message,
            "input 'x' is i8[1], the program takes 2 x 3 values");
}

TEST(Backends, ErrorsNameTheKnownOnesAndHowARunEnded) {
  EXPECT_EQ(check_backend("gpu").error().message,
            "unknown backend 'gpu' (known: reference, functional, sysc, rtl)");
  RunResult run;
  EXPECT_TRUE(check_finished("sysc", run));
  run.outcome = Outcome::kFault;
  run.fault = {FaultCode::kBusError, isa::Unit::kLoad, 12, 99};
  EXPECT_THAT(check_finished("sysc", run).error().message,
              HasSubstr("of unit load at instruction 12"));
  run.outcome = Outcome::kDeadlock;
  run.waiting = {{isa::Unit::kMatrix, 5, 3}};
  EXPECT_EQ(check_finished("rtl", run).error().message,
            "backend rtl: deadlock: unit matrix waits at instruction 5 for semaphore 3;");
}

}  // namespace
}  // namespace tally::measure
