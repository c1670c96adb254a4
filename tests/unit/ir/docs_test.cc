// SPDX-License-Identifier: Apache-2.0
// docs/ir.md has a paragraph for every op of the table, and for nothing else under its op headings.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "compiler/ir/op_info.h"

namespace tally::ir {
namespace {

TEST(Docs, EveryOpHasAParagraph) {
  std::ifstream file(std::string(TALLY_SOURCE_DIR) + "/docs/ir.md");
  ASSERT_TRUE(file);
  std::set<std::string> headings;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("### ")) headings.insert(line.substr(4));
  std::set<std::string> names;
  for (const OpInfo& info : all_ops()) names.insert(std::string(info.name));
  EXPECT_EQ(headings, names);
}

}  // namespace
}  // namespace tally::ir
