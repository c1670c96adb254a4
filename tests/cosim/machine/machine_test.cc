// SPDX-License-Identifier: Apache-2.0
// The Verilated machine behind its interface: what it returns, many programs in one process, errors
// of the build and of the child.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "models/functional/functional.h"
#include "sysc/sysc_machine.h"
#include "sysc/verilated/rtl_machine.h"
#include "tests/support/designs.h"
#include "tests/unit/program/mini_program.h"

namespace tally {
namespace {

using namespace test;
namespace fs = std::filesystem;

// One of those that random programs run on, so that its model is built once.
Design machine_design() { return test_design("narrow"); }

MachineProgram place(const std::vector<isa::Bytes32>& code, const Design& design, DramImage* dram) {
  MachineProgram program{.design_hash = design.hash(), .instructions = std::uint32_t(code.size())};
  for (std::size_t i = 0; i < code.size(); ++i) dram->write(32 * i, code[i]);
  for (std::size_t i = 0; i < program.bases.size(); ++i) program.bases[i] = (i + 1) * 16384;
  for (int i = 0; i < 1024; ++i) dram->data()[16384 + i] = std::uint8_t(i * 37 + i / 7);
  return program;
}

struct MachineRun {
  RunResult result;
  std::vector<std::uint8_t> image;
};

MachineRun run_on(Machine* machine, const std::vector<isa::Bytes32>& code,
                  std::uint64_t stall_seed = 0) {
  const Design design = machine_design();
  DramImage dram(design.dram_capacity_bytes);
  const MachineProgram program = place(code, design, &dram);
  const auto result =
      machine->run(program, {.records = true, .hashes = true, .stall_seed = stall_seed}, &dram);
  EXPECT_TRUE(result) << result.error().message;
  return {result ? *result : RunResult{}, {dram.data(), dram.data() + dram.capacity()}};
}

class RtlMachineTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto machine = make_rtl_machine(machine_design());
    ASSERT_TRUE(machine) << machine.error().message;
    machine_ = std::move(*machine);
  }
  static void TearDownTestSuite() { machine_.reset(); }
  static std::unique_ptr<Machine> machine_;
};
std::unique_ptr<Machine> RtlMachineTest::machine_;

void expect_same(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.fault, b.fault);
  EXPECT_EQ(a.waiting, b.waiting);
  EXPECT_EQ(a.cycles, b.cycles);
  EXPECT_EQ(a.units, b.units);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.dram, b.dram);
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    EXPECT_EQ(a.records[i], b.records[i])
        << i << ": " << a.records[i].start << ".." << a.records[i].end << " " << std::hex
        << a.records[i].hash << " and " << std::dec << b.records[i].start << ".."
        << b.records[i].end << " " << std::hex << b.records[i].hash;
  }
}

TEST_F(RtlMachineTest, EqualsTheNativeModelAndTheFunctionalModel) {
  auto native = make_sysc_machine(machine_design());
  auto functional = make_functional_machine(machine_design());
  for (std::uint64_t stall_seed : {0, 1, 2}) {
    const auto code = encode_all(mini_program());
    const MachineRun rtl = run_on(machine_.get(), code, stall_seed);
    const MachineRun sysc = run_on(native.get(), code, stall_seed);
    expect_same(rtl.result, sysc.result);
    EXPECT_EQ(rtl.image, sysc.image);
    const MachineRun values = run_on(functional.get(), code);
    EXPECT_EQ(values.image, rtl.image);
    EXPECT_EQ(values.result.events, rtl.result.events);
    ASSERT_EQ(values.result.records.size(), rtl.result.records.size());
    for (std::size_t i = 0; i < values.result.records.size(); ++i)
      EXPECT_EQ(values.result.records[i].hash, rtl.result.records[i].hash) << i;
  }
}

TEST_F(RtlMachineTest, AResultDoesNotDependOnWhatRanBefore) {
  const auto code = encode_all(mini_program());
  const MachineRun first = run_on(machine_.get(), code);
  // Leaves non-zero memories, a deadlock and a fault behind.
  auto other = mini_program();
  std::get<isa::Load>(other[kLoadA].body).address = 2048;
  other[kStore].sync = sync({2, 9}, {});
  EXPECT_EQ(run_on(machine_.get(), encode_all(other)).result.outcome, Outcome::kDeadlock);
  std::get<isa::Load>(other[kLoadA].body).offset = 1 << 21;
  EXPECT_EQ(run_on(machine_.get(), encode_all(other)).result.fault.code, FaultCode::kBusError);
  const MachineRun again = run_on(machine_.get(), code);
  expect_same(first.result, again.result);
  EXPECT_EQ(first.image, again.image);
}

TEST_F(RtlMachineTest, DeadlockSaysWhoWaitsForWhat) {
  auto program = mini_program();
  program[kLoadW].sync = sync({5}, {0});
  program[kStore].sync = sync({2}, {5});
  const RunResult rtl = run_on(machine_.get(), encode_all(program)).result;
  EXPECT_EQ(rtl.outcome, Outcome::kDeadlock);
  EXPECT_EQ(rtl.waiting, (std::vector<Waiting>{{isa::Unit::kLoad, kLoadW, 5},
                                               {isa::Unit::kStore, kStore, 2},
                                               {isa::Unit::kMatrix, kMatmul, 0},
                                               {isa::Unit::kVector, kRun, 1}}));
}

TEST_F(RtlMachineTest, ARunBeyondTheCycleLimitIsAnErrorAndTheNextRunIsGood) {
  const Design design = machine_design();
  DramImage dram(design.dram_capacity_bytes);
  const MachineProgram program = place(encode_all(mini_program()), design, &dram);
  RunOptions options;
  options.cycle_limit = 10;
  const auto result = machine_->run(program, options, &dram);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "the Verilated model of design 'narrow': the run takes more than 10 cycles");
  EXPECT_EQ(run_on(machine_.get(), encode_all(mini_program())).result.outcome, Outcome::kFinished);
}

TEST_F(RtlMachineTest, AnImageOfAnotherSizeIsAnError) {
  DramImage dram(4096);
  EXPECT_EQ(machine_->run({}, {}, &dram).error().message,
            "the DRAM image has 4096 bytes, design 'narrow' has 1048576");
}

TEST(RtlBuild, MissingSourcesAreNamed) {
  const auto machine =
      make_rtl_machine(machine_design(), {.progress = {}, .rtl_directory = "/nowhere"});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().message,
            "/nowhere: no RTL sources (tally.f); TALLY_RTL_DIR names their folder");
}

class FakeVerilator : public testing::Test {
 protected:
  FakeVerilator()
      : path_(fs::path(testing::TempDir()) / ("verilator-" + std::to_string(getpid()))) {}
  ~FakeVerilator() override {
    unsetenv("VERILATOR");
    fs::remove(path_);
  }
  void install(const std::string& script) {
    std::ofstream(path_) << "#!/bin/sh\n" << script;
    fs::permissions(path_, fs::perms::owner_all);
    setenv("VERILATOR", path_.c_str(), 1);
  }
  std::string error() {
    const auto machine = make_rtl_machine(machine_design());
    return machine ? "" : machine.error().message;
  }
  fs::path path_;
};

TEST_F(FakeVerilator, TooOld) {
  install("echo 'Verilator 3.874 2015-04-05 rev verilator_3_872'\n");
  EXPECT_EQ(error(), "'" + path_.string() + "' is version 3.874, wanted is 5.006 or newer");
}

TEST_F(FakeVerilator, NotVerilator) {
  install("echo hello\n");
  EXPECT_EQ(error(), "'" + path_.string() + " --version' does not name a version");
}

TEST_F(FakeVerilator, NotInstalled) {
  setenv("VERILATOR", "/no/verilator", 1);
  EXPECT_EQ(error(), "/no/verilator: cannot be started (not installed?)");
}

TEST_F(FakeVerilator, ThatFailsLeavesNothingInTheCache) {
  const fs::path cache = fs::path(testing::TempDir()) / ("cache-" + std::to_string(getpid()));
  setenv("TALLY_CACHE", cache.c_str(), 1);
  install("test $1 = --version && echo 'Verilator 5.099 x' || { echo '%Error: no'; exit 1; }\n");
  EXPECT_EQ(error(), "design 'narrow': Verilator refused the RTL model:\n%Error: no");
  unsetenv("TALLY_CACHE");
  for (const auto& entry : fs::directory_iterator(cache / "rtl"))
    EXPECT_EQ(entry.path().extension(), ".lock");
  fs::remove_all(cache);
}

}  // namespace
}  // namespace tally
