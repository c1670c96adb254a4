// SPDX-License-Identifier: Apache-2.0
#include "models/measure/parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tally::measure {
namespace {

TEST(ForEachItem, DoesEachItemOnce) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> done(20);
    ASSERT_TRUE(for_each_item(20, threads, [&](int thread, std::int64_t item) -> Status {
      EXPECT_LT(thread, threads);
      ++done[static_cast<std::size_t>(item)];
      return {};
    }));
    EXPECT_EQ(done, std::vector<int>(20, 1));
  }
}

TEST(ForEachItem, NoItemsAreNoWork) {
  EXPECT_TRUE(for_each_item(0, 3, [](int, std::int64_t) -> Status { return fail("called"); }));
}

TEST(ForEachItem, StopsAtAnErrorAndReturnsTheFirst) {
  std::int64_t last = 0;
  const Status status = for_each_item(20, 1, [&](int, std::int64_t item) -> Status {
    last = item;
    if (item >= 3) return fail("item {}", item);
    return {};
  });
  EXPECT_EQ(status.error().message, "item 3");
  EXPECT_EQ(last, 3);
}

TEST(ForEachItem, ProgressCountsUp) {
  std::vector<std::int64_t> seen;
  ASSERT_TRUE(for_each_item(
      4, 2, [](int, std::int64_t) -> Status { return {}; },
      [&](std::int64_t done, std::int64_t total) {
        EXPECT_EQ(total, 4);
        seen.push_back(done);
      }));
  EXPECT_THAT(seen, ::testing::ElementsAre(1, 2, 3, 4));
}

}  // namespace
}  // namespace tally::measure
