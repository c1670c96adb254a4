// SPDX-License-Identifier: Apache-2.0
// Replays every program that was saved here (`tally verify random` writes them) on all machines of
// the design that it names.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "models/verify/verify.h"
#include "sysc/sysc_machine.h"

#ifdef TALLY_HAS_RTL
#include "sysc/verilated/rtl_machine.h"
#endif

namespace tally {
namespace {

std::vector<std::filesystem::path> saved_programs() {
  std::vector<std::filesystem::path> out;
  const std::filesystem::path folder =
      std::filesystem::path(TALLY_SOURCE_DIR) / "tests/regress/programs";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tally") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::unique_ptr<Verifier> make_verifier(const Design& design) {
  std::vector<std::unique_ptr<Machine>> machines;
  machines.push_back(make_sysc_machine(design));
#ifdef TALLY_HAS_RTL
  auto rtl = make_rtl_machine(design);
  EXPECT_TRUE(rtl) << rtl.error().message;
  if (rtl) machines.push_back(std::move(*rtl));
#endif
  return std::make_unique<Verifier>(design, std::move(machines));
}

TEST(Regress, EverySavedProgramRunsWithoutDifference) {
  std::map<std::uint64_t, std::unique_ptr<Verifier>> verifiers;
  int programs = 0;
  for (const auto& path : saved_programs()) {
    const auto program = load_program(path.string());
    ASSERT_TRUE(program) << program.error().message;
    const auto design = design_of(*program);
    ASSERT_TRUE(design) << path << ": " << design.error().message;
    auto& verifier = verifiers[design->hash()];
    if (!verifier) verifier = make_verifier(*design);
    const auto comparison = verifier->verify(*program);
    ASSERT_TRUE(comparison) << path << ": " << comparison.error().message;
    EXPECT_FALSE(comparison->difference) << path << ": " << comparison->difference->message;
    ++programs;
  }
  EXPECT_GT(programs, 0) << "no saved program was found";
}

}  // namespace
}  // namespace tally
