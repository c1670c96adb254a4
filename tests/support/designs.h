// SPDX-License-Identifier: Apache-2.0
// The designs of the tests (tests/designs): small, so that banks and queues are contended and
// their RTL is Verilated quickly.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "compiler/design/design.h"

namespace tally::test {

// Those whose RTL the usual tests run; with the demo's base and small they are six, and between
// them at both ends of every parameter. The other files are for label full.
inline const char* const kVerilatedDesigns[] = {"minimal", "narrow", "uneven", "broad"};

inline Design test_design(const std::string& name) {
  return *load_design(TALLY_SOURCE_DIR "/tests/designs/" + name + ".toml");
}

inline std::vector<Design> verilated_designs() {
  std::vector<Design> designs;
  for (const char* name : kVerilatedDesigns) designs.push_back(test_design(name));
  return designs;
}

inline std::vector<Design> all_test_designs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(TALLY_SOURCE_DIR "/tests/designs"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  std::vector<Design> designs;
  for (const std::string& name : names) designs.push_back(test_design(name));
  return designs;
}

}  // namespace tally::test
