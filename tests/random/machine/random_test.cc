// SPDX-License-Identifier: Apache-2.0
// Random programs on all machines: no difference, and no class of stimulus too rare.
// Environment: TALLY_RANDOM_PROGRAMS, TALLY_RANDOM_SEED; TALLY_RANDOM_FULL adds what takes long.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>

#include "models/verify/random_program.h"
#include "models/verify/verify.h"
#include "sysc/sysc_machine.h"
#include "tests/support/designs.h"

#ifdef TALLY_HAS_RTL
#include "sysc/verilated/rtl_machine.h"
#endif

namespace tally {
namespace {

using namespace test;

bool full() { return std::getenv("TALLY_RANDOM_FULL") != nullptr; }

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

// The usual tests' Verilated designs, or all.
std::vector<Design> rtl_designs() { return full() ? all_test_designs() : verilated_designs(); }

using Machines = std::vector<std::unique_ptr<Machine>>;

void expect_no_difference(const std::vector<std::unique_ptr<Verifier>>& verifiers,
                          std::uint64_t programs) {
  std::vector<Verifier*> pointers;
  for (const auto& verifier : verifiers) pointers.push_back(verifier.get());
  RandomOptions options;
  options.programs = number("TALLY_RANDOM_PROGRAMS", programs);
  options.seed = number("TALLY_RANDOM_SEED", 1);
  options.save_directory = testing::TempDir() + "tally-failing";
  const auto report = verify_random(pointers, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->ok()) << report_text(*report);
  EXPECT_EQ(report->programs, options.programs);
  EXPECT_EQ(report->compared.instructions, report->compared.instructions_total);
  EXPECT_GE(report->median_instructions, 50u);
  std::printf("%s", report_text(*report).c_str());
}

TEST(RandomMachine, NativeModelEqualsFunctionalModel) {
  std::vector<std::unique_ptr<Verifier>> verifiers;
  for (const Design& design : all_test_designs()) {
    Machines machines;
    machines.push_back(make_sysc_machine(design));
    verifiers.push_back(std::make_unique<Verifier>(design, std::move(machines)));
  }
  expect_no_difference(verifiers, full() ? 20000 : 3000);
}

#ifdef TALLY_HAS_RTL

Machines timed_machines(const Design& design) {
  Machines machines;
  machines.push_back(make_sysc_machine(design));
  auto rtl = make_rtl_machine(design, {.progress =
                                           [](const std::string& message) {
                                             std::fprintf(stderr, "%s\n", message.c_str());
                                           },
                                       .rtl_directory = {}});
  EXPECT_TRUE(rtl) << rtl.error().message;
  if (rtl) machines.push_back(std::move(*rtl));
  return machines;
}

TEST(RandomMachine, RtlEqualsNativeModelEqualsFunctionalModel) {
  std::vector<std::unique_ptr<Verifier>> verifiers;
  for (const Design& design : rtl_designs()) {
    verifiers.push_back(std::make_unique<Verifier>(design, timed_machines(design)));
    if (HasFailure()) return;
  }
  expect_no_difference(verifiers, full() ? 12000 : 2000);
}

TEST(RandomMachine, AWaveformIsWrittenOnRequest) {
  if (!full()) GTEST_SKIP() << "builds a second model; part of label full";
  const Design design = test_design("minimal");
  Verifier verifier(design, timed_machines(design));
  const Program program = random_program(design, 1, Ending::kFinished);
  const std::string path = testing::TempDir() + "tally-wave.fst";
  std::filesystem::remove(path);
  const auto status = verifier.write_waveform(program, 200, 50, path);
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_GT(std::filesystem::file_size(path), 1000u);
  std::filesystem::remove(path);
  const auto nowhere = verifier.write_waveform(program, 200, 50, "/nowhere/x.fst");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("/nowhere/x.fst: cannot be written"), std::string::npos);
}

#endif

}  // namespace
}  // namespace tally
