// SPDX-License-Identifier: Apache-2.0
// Random programs are what they are meant to be: without races, legal but for the ending asked for,
// long enough, the same for the same seed; the whole of verify_random, with machines that err.
#include "models/verify/random_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "compiler/program/check.h"
#include "models/verify/shrink.h"
#include "models/verify/verify.h"
#include "tests/support/designs.h"
#include "tests/unit/program/mini_program.h"
#include "tests/unit/verify/fake_machine.h"

namespace tally {
namespace {

using namespace test;
using testing::HasSubstr;

constexpr int kPrograms = 40;

TEST(RandomProgram, GoodOnesPassTheScheduleChecker) {
  for (const Design& design : all_test_designs()) {
    for (std::uint64_t seed = 0; seed < kPrograms; ++seed) {
      const Program program = random_program(design, seed, Ending::kFinished);
      for (const Finding& finding : check_schedule(program.code, program.design_hash, design))
        EXPECT_EQ(finding.violation, Violation::kAccumulateUnwritten)
            << design.name << " " << seed << ": " << finding.message;
      EXPECT_TRUE(find_races(program.code, program.place().bases, design).empty());
    }
  }
}

TEST(RandomProgram, IsAFunctionOfDesignAndSeed) {
  const Design design = test_design("even");
  EXPECT_EQ(random_program(design, 5), random_program(design, 5));
  EXPECT_NE(random_program(design, 5).code, random_program(design, 6).code);
}

TEST(RandomProgram, EndsAsAsked) {
  for (const Design& design : all_test_designs()) {
    auto machine = make_functional_machine(design);
    for (int ending = 0; ending <= int(Ending::kDeadlock); ++ending)
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        const Program program = random_program(design, seed, Ending(ending));
        DramImage dram(design.dram_capacity_bytes);
        ASSERT_TRUE(program.load_into(&dram));
        const RunResult result = *machine->run(program.place(), {}, &dram);
        const FaultCode expected[] = {
            FaultCode::kNone,        FaultCode::kOpcode,   FaultCode::kField,
            FaultCode::kRange,       FaultCode::kWaiters,  FaultCode::kConfiguration,
            FaultCode::kBusError,    FaultCode::kBusError, FaultCode::kBusError,
            FaultCode::kGatherIndex, FaultCode::kNone,     FaultCode::kNone};
        EXPECT_EQ(result.fault.code, expected[ending]) << design.name << " " << program.recipe;
        EXPECT_EQ(result.outcome == Outcome::kDeadlock, Ending(ending) == Ending::kDeadlock);
        if (Ending(ending) == Ending::kSemaphoreOverflow) {
          const auto found = check_schedule(program.code, program.design_hash, design);
          EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Finding& finding) {
            return finding.violation == Violation::kSemaphoreOverflow;
          }));
        }
      }
  }
}

std::vector<std::unique_ptr<Machine>> fakes(const Design& design, FakeMachine::Change change) {
  std::vector<std::unique_ptr<Machine>> out;
  out.push_back(std::make_unique<FakeMachine>(design, "sysc"));
  out.push_back(std::make_unique<FakeMachine>(design, "rtl", std::move(change)));
  return out;
}

TEST(VerifyRandom, ComparesAllOfEqualMachines) {
  const Design design = test_design("even");
  Verifier verifier(design, fakes(design, {}));
  std::uint64_t calls = 0;
  RandomOptions options;
  options.programs = 100;
  options.progress = [&](std::uint64_t done, std::uint64_t of) {
    EXPECT_EQ(done, ++calls);
    EXPECT_EQ(of, 100u);
  };
  const auto report = verify_random({&verifier}, options);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->ok()) << report_text(*report);
  EXPECT_EQ(calls, 100u);
  EXPECT_EQ(report->compared.instructions, report->compared.instructions_total);
  EXPECT_GE(report->median_instructions, 50u);
  EXPECT_THAT(report_text(*report), HasSubstr("100 programs, median"));
  EXPECT_THAT(report_text(*report), HasSubstr("  value NaN\n"));
}

TEST(VerifyRandom, AClassThatIsRareFailsTheRun) {
  StimulusCounts counts;
  const Design design = test_design("even");
  for (int i = 0; i < 1000; ++i) {
    std::set<std::string> seen;
    for (const std::string& name : possible_stimuli(design)) seen.insert(name);
    if (i >= 9) seen.erase("value NaN");
    if (i >= 10) seen.erase("matmul M 1");
    counts.add(design, seen);
  }
  EXPECT_EQ(counts.rare(), std::vector<std::string>{"value NaN: 9 of 1000 programs"});
  RandomReport report;
  report.programs = 1000;
  EXPECT_TRUE(report.ok());
  report.rare = counts.rare();
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(report_text(report), HasSubstr("too rare: value NaN"));
  EXPECT_FALSE(RandomReport{}.ok());  // nothing ran
}

// Wrong for one kind of instruction only.
void spoil_transposed(const Program& program, RunResult* result) {
  for (Record& record : result->records) {
    isa::Instruction instruction;
    if (record.sequence >= program.code.size() ||
        isa::decode(program.code[record.sequence], &instruction) != isa::DecodeFault::kNone)
      continue;
    const auto* matmul = std::get_if<isa::Matmul>(&instruction.body);
    if (matmul != nullptr && matmul->transposed) record.end += 1;
  }
}

// Sees the code through the image.
class WrongForTransposed : public Machine {
 public:
  explicit WrongForTransposed(const Design& design) : inner_(design, "rtl") {}
  std::string_view name() const override { return "rtl"; }
  Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                          DramImage* dram) override {
    Program seen;
    for (std::uint32_t i = 0; i < program.instructions; ++i) {
      const std::uint64_t address = program.code_address + 32 * i;
      if (address + 32 > std::uint64_t(dram->capacity())) break;
      dram->read(address, seen.code.emplace_back());
    }
    TALLY_ASSIGN(RunResult result, inner_.run(program, options, dram));
    spoil_transposed(seen, &result);
    return result;
  }

 private:
  FakeMachine inner_;
};

TEST(VerifyRandom, AFailingProgramIsShrunkSavedAndFailsAgain) {
  const Design design = test_design("even");
  std::vector<std::unique_ptr<Machine>> machines;
  machines.push_back(std::make_unique<FakeMachine>(design, "sysc"));
  machines.push_back(std::make_unique<WrongForTransposed>(design));
  Verifier verifier(design, std::move(machines));
  const std::string directory = testing::TempDir() + "failing-" + std::to_string(getpid());
  RandomOptions options;
  options.programs = 50;
  options.save_directory = directory;
  const auto report = verify_random({&verifier}, options);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->ok());
  ASSERT_TRUE(report->difference);
  EXPECT_THAT(report->difference->message, HasSubstr("transposed=1"));
  EXPECT_THAT(report_text(*report), HasSubstr("difference in program"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    ++files;
    const auto program = load_program(entry.path().string());
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(program->code.size(), 1u);
    EXPECT_EQ(design_of(*program)->hash(), design.hash());
    const auto comparison = verifier.verify(*program);
    ASSERT_TRUE(comparison);
    EXPECT_TRUE(comparison->difference);
  }
  EXPECT_EQ(files, 1);
  std::filesystem::remove_all(directory);
}

TEST(VerifyRandom, NoDesignIsAnError) {
  EXPECT_EQ(verify_random({}, {}).error().message, "no design to verify");
}

TEST(Shrink, KeepsAnEnding) {
  const Design design = test_design("even");
  for (const Ending ending : {Ending::kDeadlock, Ending::kRange}) {
    const Program program = random_program(design, 9, ending);
    const Program small = shrink(program, design, [](const Program&) { return true; });
    EXPECT_LT(small.code.size(), 5u);
    DramImage dram(design.dram_capacity_bytes);
    ASSERT_TRUE(small.load_into(&dram));
    const RunResult result = *make_functional_machine(design)->run(small.place(), {}, &dram);
    EXPECT_EQ(result.outcome, ending == Ending::kDeadlock ? Outcome::kDeadlock : Outcome::kFault);
  }
}

TEST(Shrink, GivesBackWhatCannotBeMadeSmaller) {
  const Design design = test_design("even");
  const Program program = random_program(design, 9, Ending::kFinished);
  EXPECT_EQ(shrink(program, design, [](const Program&) { return false; }), program);
}

}  // namespace
}  // namespace tally
