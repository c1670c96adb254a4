// SPDX-License-Identifier: Apache-2.0
// Seeded faults: small wrong changes to RTL and to SystemC timing, each of which random programs
// must find. The list is faults.txt:
//
//   # what it would be in life
//   fault NAME
//   file PATH from the root of the tree
//   - text that occurs exactly once in the file
//   + text in its place
#pragma once

#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally::test {

struct SeededFault {
  std::string name, file, old_text, new_text;

  bool in_rtl() const { return file.starts_with("rtl/"); }
};

Expected<std::vector<SeededFault>> read_faults(const std::string& path);
// The file's text with the change made. Fails if the old text does not occur exactly once.
Expected<std::string> apply_fault(const SeededFault& fault, const std::string& root);

}  // namespace tally::test
