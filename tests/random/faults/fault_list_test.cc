// SPDX-License-Identifier: Apache-2.0
// The list of seeded faults is current: every one still changes one place of the tree.
#include "tests/random/faults/fault_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace tally::test {
namespace {

const std::string kRoot = TALLY_SOURCE_DIR;

std::string write(const std::string& text) {
  const std::string path = testing::TempDir() + "faults-" + std::to_string(getpid());
  std::ofstream(path) << text;
  return path;
}

TEST(SeededFaults, EachAppliesToTheTree) {
  const auto faults = read_faults(kRoot + "/tests/random/faults/faults.txt");
  ASSERT_TRUE(faults) << faults.error().message;
  EXPECT_GE(faults->size(), 30u);
  std::set<std::string> names;
  for (const SeededFault& fault : *faults) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name << " is there twice";
    const auto text = apply_fault(fault, kRoot);
    EXPECT_TRUE(text) << text.error().message;
    EXPECT_NE(fault.old_text, fault.new_text) << fault.name;
  }
  const auto in_rtl = std::count_if(faults->begin(), faults->end(),
                                    [](const SeededFault& fault) { return fault.in_rtl(); });
  EXPECT_GE(in_rtl, 15);
  EXPECT_GE(std::ptrdiff_t(faults->size()) - in_rtl, 8);
}

TEST(SeededFaults, EveryMessage) {
  EXPECT_EQ(read_faults("/nowhere").error().message, "/nowhere: cannot be read");
  std::string path = write("file x\n");
  EXPECT_EQ(read_faults(path).error().message, path + ": line 1: no fault begun");
  path = write("fault a\n\nfoo bar\n");
  EXPECT_EQ(read_faults(path).error().message, path + ": line 3: 'foo'");
  path = write("fault\n");
  EXPECT_EQ(read_faults(path).error().message, path + ": line 1: no text");
  const SeededFault absent{"a", "rtl/tally.f", "no such text", ""};
  EXPECT_EQ(apply_fault(absent, kRoot).error().message,
            "fault a: 'no such text' is not in rtl/tally.f");
  const SeededFault twice{"a", "rtl/tally.f", "tally_", ""};
  EXPECT_EQ(apply_fault(twice, kRoot).error().message,
            "fault a: 'tally_' is in rtl/tally.f more than once");
  EXPECT_FALSE(apply_fault({"a", "rtl/none.sv", "x", "y"}, kRoot));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace tally::test
