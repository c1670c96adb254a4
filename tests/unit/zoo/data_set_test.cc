// SPDX-License-Identifier: Apache-2.0
#include "models/data/data_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/sha256.h"

namespace tally {
namespace {

using testing::ElementsAre;

DataSet lm_set(std::vector<std::vector<std::int32_t>> sequences) {
  DataSet set;
  set.task = Task::kLm;
  set.sequences = std::move(sequences);
  for (std::size_t i = 0; i < set.sequences.size(); ++i) set.indices.push_back(i);
  return set;
}

TEST(PickSamples, FirstOrSpreadEvenly) {
  EXPECT_THAT(*pick_samples("s", 10, 4, Pick::kFirst), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(*pick_samples("s", 10, 4, Pick::kSpread), ElementsAre(0, 2, 5, 7));
  EXPECT_THAT(*pick_samples("s", 3, std::nullopt, Pick::kSpread), ElementsAre(0, 1, 2));
}

TEST(PickSamples, RefusesNoneAndTooMany) {
  EXPECT_EQ(pick_samples("kjv-test", 10, 0, Pick::kFirst).error().message,
            "kjv-test: asked for 0 samples; take at least 1");
  EXPECT_EQ(pick_samples("kjv-test", 10, 11, Pick::kSpread).error().message,
            "kjv-test: asked for 11 samples, but it has 10");
}

TEST(DataSet, IndicesHashIsThatOfTheirLines) {
  DataSet set;
  set.indices = {0, 7, 1234567890123};
  const std::string lines = "0\n7\n1234567890123\n";
  Sha256 hash;
  hash.update(lines.data(), lines.size());
  EXPECT_EQ(indices_sha256(set), hash.hex());
}

TEST(DataSet, SharedSampleIsFoundByContent) {
  const DataSet a = lm_set({{1, 2}, {3, 4, 5}});
  const DataSet b = lm_set({{3, 4}, {9, 9}, {3, 4, 5}});
  const auto shared = first_shared_sample(a, b);
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->in_a, 1u);
  EXPECT_EQ(shared->in_b, 2u);
  EXPECT_FALSE(first_shared_sample(a, lm_set({{1, 2, 3}, {4, 5}})));
}

TEST(DataSet, SharedSampleLooksAtInputsAndPairs) {
  DataSet images;
  images.task = Task::kClassify;
  images.inputs = {{1.0f, 2.0f}};
  images.labels = {0};
  images.indices = {5};
  DataSet relabelled = images;
  relabelled.labels = {1};
  EXPECT_TRUE(first_shared_sample(images, relabelled));
  EXPECT_FALSE(first_shared_sample(images, lm_set({{1, 2}})));

  DataSet pairs;
  pairs.task = Task::kSimilarity;
  pairs.pairs = {{{1, 2}, {3}, 0.5}};
  pairs.indices = {0};
  DataSet shifted = pairs;
  shifted.pairs = {{{1}, {2, 3}, 0.5}};
  EXPECT_TRUE(first_shared_sample(pairs, pairs));
  EXPECT_FALSE(first_shared_sample(pairs, shifted));
}

}  // namespace
}  // namespace tally
