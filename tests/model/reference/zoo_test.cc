// SPDX-License-Identifier: Apache-2.0
// The zoo's models in the fp32 reference, on their real test data.
#include <gtest/gtest.h>

#include "models/data/sets.h"
#include "models/nets/import.h"
#include "models/nets/reference.h"

namespace tally::nets {
namespace {

Accuracy accuracy(const std::string& name, const std::string& set, std::size_t samples) {
  auto model = import_model(std::string(TALLY_SOURCE_DIR) + "/models/zoo/" + name);
  EXPECT_TRUE(model) << model.error().message;
  auto data = load_set(set, samples);
  EXPECT_TRUE(data) << data.error().message;
  if (!model || !data) return {};
  EXPECT_TRUE(model->notes.empty());
  auto result = reference_accuracy(*model, *data, 2);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Accuracy{};
}

TEST(Zoo, VitFashion) {
  Accuracy top1 = accuracy("vit-fashion", "fashion-test", 10000);
  EXPECT_EQ(top1.samples, 10000);
  EXPECT_GE(top1.value, 0.88);
  std::printf("vit-fashion: top-1 %.4f on %ld images\n", top1.value, long{top1.samples});
}

TEST(Zoo, GptMini) {
  Accuracy perplexity = accuracy("gpt-mini", "kjv-test", 160);
  EXPECT_GE(perplexity.samples, 20000);
  EXPECT_LE(perplexity.value, 4.5);
  std::printf("gpt-mini: perplexity %.4f a byte on %ld bytes\n", perplexity.value,
              long{perplexity.samples});
}

}  // namespace
}  // namespace tally::nets
