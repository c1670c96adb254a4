// SPDX-License-Identifier: Apache-2.0
// A real LLaMA-style model against golden figures: the import, the reference, greedy decoding.
// Needs ../shared; skips without.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/data/set_json.h"
#include "models/nets/generate.h"
#include "models/nets/import.h"
#include "models/nets/reference.h"

namespace tally::nets {
namespace {

std::string data_folder() { return std::string(TALLY_SOURCE_DIR) + "/../shared/data/stories260k"; }

class Stories : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data_folder()))
      GTEST_SKIP() << "skipped: " << data_folder() << " is not there";
    auto imported = import_model(data_folder() + "/hf");
    ASSERT_TRUE(imported) << imported.error().message;
    model_ = std::move(*imported);
  }

  std::vector<std::int32_t> golden() const {
    std::ifstream file(data_folder() + "/greedy_200_ids.json");
    return nlohmann::json::parse(file).get<std::vector<std::int32_t>>();
  }

  Model model_;
};

TEST_F(Stories, LossOnEvalA) {
  auto set = read_set_json(data_folder() + "/eval_a_ids.json");
  ASSERT_TRUE(set) << set.error().message;
  auto accuracy = reference_accuracy(model_, *set, 2);
  ASSERT_TRUE(accuracy) << accuracy.error().message;
  EXPECT_EQ(accuracy->metric, "perplexity");
  EXPECT_EQ(accuracy->samples, 8633);
  EXPECT_NEAR(accuracy->loss, 1.347127, 0.5e-5);
  EXPECT_NEAR(accuracy->value, 3.8464, 0.5e-4);
}

TEST_F(Stories, GreedyTokensAreTheGoldenOnes) {
  std::vector<std::int32_t> ids = golden();
  ASSERT_EQ(ids.size(), 200u);
  auto made = generate(model_, std::span(ids).first(1), 199, reference_runner());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(*made, ids);
  auto later = generate(model_, std::span(ids).first(70), 130, reference_runner());
  ASSERT_TRUE(later) << later.error().message;
  EXPECT_EQ(*later, ids);
}

}  // namespace
}  // namespace tally::nets
