// SPDX-License-Identifier: Apache-2.0
// The design that seeded faults are looked for on: small, so that its RTL is Verilated quickly, but
// with more than one of everything.
#pragma once

#include "tests/random/machine/random_designs.h"

namespace tally::test {

inline Design fault_design() {
  return random_design({"faults", 4, 4, 4,   3, 4, {4, 4096}, {4, 4096}, {4, 512},    8,
                        3,        2, 2, 128, 3, 2, 3,         4,         "DDR4-2400", 1000});
}

}  // namespace tally::test
