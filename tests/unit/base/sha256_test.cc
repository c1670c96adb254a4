// SPDX-License-Identifier: Apache-2.0
#include "models/base/sha256.h"

#include <gtest/gtest.h>

namespace tally {
namespace {

TEST(Sha256, MatchesTheStandardsExample) {  // FIPS 180-4 example, "abc"
  Sha256 hash;
  hash.update("ab", 2);
  hash.update("c", 1);
  EXPECT_EQ(hash.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace tally
