// SPDX-License-Identifier: Apache-2.0
#include "models/nets/score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/nets/reference.h"
#include "tests/unit/nets/tiny_models.h"

namespace tally::nets {
namespace {

using ::testing::HasSubstr;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

TEST(Score, ArgmaxIsTheFirstLargest) {
  EXPECT_EQ(*argmax(std::vector<float>{1, 3, -kInfinity, 3}), 1);
  EXPECT_EQ(argmax(std::vector<float>{1, kNan}).error().message, "a logit is NaN");
}

TEST(Score, NegativeLogLikelihood) {
  std::vector<float> logits = {1000, 1001, 999};
  double expected = std::log(1 + std::exp(1.0) + std::exp(-1.0));
  EXPECT_NEAR(*negative_log_likelihood(logits, 0), expected, 1e-12);
  EXPECT_EQ(negative_log_likelihood(logits, 3).error().message, "target 3 is not in 0..2");
  EXPECT_EQ(negative_log_likelihood(logits, -1).error().message, "target -1 is not in 0..2");
  for (float bad : {kNan, kInfinity})
    EXPECT_EQ(negative_log_likelihood(std::vector<float>{0, bad}, 0).error().message,
              "the logits have no softmax");
  EXPECT_FALSE(negative_log_likelihood(std::vector<float>{-kInfinity, -kInfinity}, 0));
}

TEST(Score, SequenceLossShiftsByOne) {
  auto logits = ir::Tensor::of<float>({3, 2}, {0, 0, 0, 1, 50, -50});
  std::vector<std::int32_t> ids = {0, 1, 0};
  auto loss = sequence_loss(logits, ids);
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->tokens, 2);
  EXPECT_NEAR(loss->total, std::log(2.0) + std::log(1 + std::exp(1.0)), 1e-12);
  EXPECT_NEAR(loss->perplexity(), std::exp(loss->total / 2), 1e-12);
  ids[1] = 2;
  EXPECT_FALSE(sequence_loss(logits, ids));
}

DataSet language_set() {
  DataSet set;
  set.name = "ids";
  set.task = Task::kLm;
  set.sequences = {{1, 2, 3}, {4, 5}, {6, 7, 8, 9}};
  set.indices = {0, 7, 9};
  return set;
}

TEST(Accuracy, PerplexityOverAllSequences) {
  TempFolder folder;
  auto model = tiny_gpt2().imported(folder);
  ASSERT_TRUE(model);
  DataSet set = language_set();
  auto accuracy = reference_accuracy(*model, set);
  ASSERT_TRUE(accuracy) << accuracy.error().message;
  EXPECT_EQ(accuracy->metric, "perplexity");
  EXPECT_EQ(accuracy->samples, 6);
  double total = 0;
  for (const auto& ids : set.sequences)
    total += sequence_loss(*Reference(*model).logits(ids), ids)->total;
  EXPECT_DOUBLE_EQ(accuracy->loss, total / 6);
  EXPECT_DOUBLE_EQ(accuracy->value, std::exp(total / 6));
  EXPECT_EQ(reference_accuracy(*model, set, 3)->loss, accuracy->loss);
}

TEST(Accuracy, ErrorsNameSetAndSample) {
  TempFolder folder;
  auto model = tiny_gpt2().imported(folder);
  ASSERT_TRUE(model);
  DataSet set = language_set();
  set.sequences[1][0] = 11;
  EXPECT_THAT(reference_accuracy(*model, set, 2).error().message,
              HasSubstr("set 'ids', sample 7: embedding"));
  set.task = Task::kClassify;
  EXPECT_THAT(reference_accuracy(*model, set).error().message,
              HasSubstr("set 'ids': its task is classify, but model"));
  DataSet none;
  none.name = "none";
  EXPECT_EQ(reference_accuracy(*model, none).error().message, "set 'none': no samples");
}

TEST(Accuracy, TopOneOfImages) {
  TempFolder folder;
  auto model = tiny_vit().imported(folder);
  ASSERT_TRUE(model);
  DataSet set;
  set.name = "images";
  set.task = Task::kClassify;
  for (int i = 0; i < 4; ++i) {
    std::vector<float> pixels(72);
    for (std::size_t j = 0; j < 72; ++j) pixels[j] = static_cast<float>((j * 31 + i * 97) % 256);
    auto image = image_input(model->config, pixels);
    auto answer = argmax(Reference(*model).logits(image->as<std::uint8_t>())->as<float>());
    set.inputs.push_back(pixels);
    set.labels.push_back(i == 2 ? (*answer + 1) % 5 : *answer);
    set.indices.push_back(static_cast<std::uint64_t>(i));
  }
  auto accuracy = reference_accuracy(*model, set, 2);
  ASSERT_TRUE(accuracy) << accuracy.error().message;
  EXPECT_EQ(accuracy->metric, "top-1");
  EXPECT_EQ(accuracy->value, 0.75);
  EXPECT_EQ(accuracy->samples, 4);
  auto broken = [&](auto change) {
    DataSet copy = set;
    change(copy);
    return reference_accuracy(*model, copy).error().message;
  };
  EXPECT_EQ(broken([](DataSet& s) { s.labels[3] = 5; }),
            "set 'images', sample 3: label 5 is not in 0..4");
  EXPECT_EQ(broken([](DataSet& s) { s.inputs[0].pop_back(); }),
            "set 'images', sample 0: 71 values are no image of [2,6,6]");
  for (float pixel : {0.5f, 256.0f, -1.0f, kNan})
    EXPECT_THAT(broken([&](DataSet& s) { s.inputs[1][3] = pixel; }),
                HasSubstr("is not an integer in 0..255"));
}

}  // namespace
}  // namespace tally::nets
