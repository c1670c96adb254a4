// SPDX-License-Identifier: Apache-2.0
// fault-apply LIST ROOT NAME OUTPUT: writes the changed file of one seeded fault.
#include <cstdio>
#include <fstream>

#include "tests/random/faults/fault_list.h"

int main(int argc, char** argv) {
  using namespace tally::test;
  if (argc != 5) return 2;
  const auto faults = read_faults(argv[1]);
  if (!faults) {
    std::fprintf(stderr, "%s\n", faults.error().message.c_str());
    return 2;
  }
  for (const SeededFault& fault : *faults) {
    if (fault.name != argv[3]) continue;
    const auto text = apply_fault(fault, argv[2]);
    if (!text) {
      std::fprintf(stderr, "%s\n", text.error().message.c_str());
      return 2;
    }
    std::ofstream file(argv[4], std::ios::binary);
    file << *text;
    return file.flush() ? 0 : 2;
  }
  std::fprintf(stderr, "no fault '%s'\n", argv[3]);
  return 2;
}
