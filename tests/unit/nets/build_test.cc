// SPDX-License-Identifier: Apache-2.0
// Graphs for parts of a model, for caches, and greedy decoding with them.
#include "models/nets/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verifier.h"
#include "models/nets/generate.h"
#include "models/nets/reference.h"
#include "tests/unit/nets/tiny_models.h"

namespace tally::nets {
namespace {

using ::testing::HasSubstr;

class Build : public ::testing::TestWithParam<TinyModel (*)()> {
 protected:
  void SetUp() override {
    auto imported = GetParam()().imported(folder_);
    ASSERT_TRUE(imported) << imported.error().message;
    model_ = std::move(*imported);
  }
  ops::Tensors run(const ir::Module& module, const ops::Tensors& inputs) const {
    auto outputs = reference_runner()(module, inputs);
    EXPECT_TRUE(outputs) << outputs.error().message;
    return outputs ? *outputs : ops::Tensors{};
  }

  TempFolder folder_;
  Model model_;
};
using BuildLanguage = Build;

ir::Tensor ids_tensor(const std::vector<std::int32_t>& ids) {
  return ir::Tensor::of<std::int32_t>({static_cast<std::int64_t>(ids.size())}, ids);
}

const std::vector<std::int32_t> kIds = {3, 1, 4, 1, 5};

TEST_P(Build, TextRoundTripsAndEveryOpHasANode) {
  auto module = build(model_, {.tokens = 5});
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_TRUE(verify_level(*module, ir::kModel));
  std::string text = ir::print(*module);
  auto parsed = ir::parse(text);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(ir::print(*parsed), text);
  std::set<std::string> products;
  for (const auto& op : module->main()->ops()) {
    EXPECT_TRUE(op->kind() == ir::OpKind::kOutput || !op->node.empty()) << ir::print(*op);
    bool repeated = op->info().has(ir::kProduct) && !products.insert(op->node).second;
    EXPECT_FALSE(repeated) << op->node;
  }
}

TEST_P(Build, WrongOptions) {
  auto message = [&](const BuildOptions& options) {
    auto module = build(model_, options);
    return module ? "built" : module.error().message;
  };
  EXPECT_THAT(message({.layers = {{1, 1}}}), HasSubstr("layers 1..0 are not within its 0..1"));
  EXPECT_THAT(message({.layers = {{0, 3}}}), HasSubstr("layers 0..2 are not within its 0..1"));
  EXPECT_THAT(message({.layers = {{-1, 1}}}), HasSubstr("layers -1..0 are not within its 0..1"));
  if (!model_.config.is_language_model()) {
    EXPECT_THAT(message({.cache = 4}), HasSubstr("an image model has no cache"));
    return;
  }
  EXPECT_THAT(message({.tokens = 0}), HasSubstr("0 tokens"));
  EXPECT_THAT(message({.tokens = 33}), HasSubstr("a sequence of 33 tokens is longer than the"));
  EXPECT_THAT(message({.tokens = 1, .cache = 33}), HasSubstr("a sequence of 33 tokens"));
  EXPECT_THAT(message({.tokens = 5, .cache = 4}),
              HasSubstr("a cache of 4 rows does not hold 5 tokens"));
  EXPECT_THAT(message({.decode = true}), HasSubstr("decoding takes one token and a cache"));
  EXPECT_THAT(message({.tokens = 2, .cache = 8, .decode = true}),
              HasSubstr("decoding takes one token and a cache"));
}

INSTANTIATE_TEST_SUITE_P(Families, Build, ::testing::Values(tiny_gpt2, tiny_llama, tiny_vit));

TEST_P(BuildLanguage, PartsOfTheLayersComposeToTheWhole) {
  auto whole = build(model_, {.tokens = 5});
  auto first = build(model_, {.tokens = 5, .layers = {{0, 1}}});
  auto second = build(model_, {.tokens = 5, .layers = {{1, 2}}});
  ASSERT_TRUE(whole && first && second);
  ops::Tensors half = run(*first, {{"ids", ids_tensor(kIds)}});
  EXPECT_EQ(run(*second, {{"hidden", half.at("hidden")}}),
            run(*whole, {{"ids", ids_tensor(kIds)}}));
}

TEST_P(BuildLanguage, LastHeadIsTheLastRow) {
  auto all = build(model_, {.tokens = 5});
  auto last = build(model_, {.tokens = 5, .head = Head::kLast});
  ASSERT_TRUE(all && last);
  auto expected = run(*all, {{"ids", ids_tensor(kIds)}}).at("logits");
  auto got = run(*last, {{"ids", ids_tensor(kIds)}}).at("logits");
  ASSERT_EQ(got.shape(), (ir::Shape{1, model_.config.outputs}));
  auto row = expected.as<float>().last(static_cast<std::size_t>(model_.config.outputs));
  for (std::size_t j = 0; j < row.size(); ++j) EXPECT_NEAR(got.as<float>()[j], row[j], 1e-5);
}

TEST_P(BuildLanguage, DecodingWithACacheEqualsRecomputing) {
  auto generated = generate(model_, kIds, 11, reference_runner());
  ASSERT_TRUE(generated) << generated.error().message;
  ASSERT_EQ(generated->size(), 16u);
  Reference reference(model_);
  for (std::size_t length = kIds.size(); length < 16; ++length) {
    auto logits = reference.logits(std::span(*generated).first(length));
    ASSERT_TRUE(logits);
    auto width = static_cast<std::size_t>(model_.config.outputs);
    EXPECT_EQ(*argmax(logits->as<float>().last(width)), (*generated)[length]) << length;
  }
}

TEST_P(BuildLanguage, GenerationErrors) {
  auto message = [&](const std::vector<std::int32_t>& prompt, std::int64_t count) {
    auto ids = generate(model_, prompt, count, reference_runner());
    return ids ? "generated" : ids.error().message;
  };
  const std::vector<std::int32_t> none;
  const std::vector<std::int32_t> one = {1};
  const std::vector<std::int32_t> outside = {99};
  EXPECT_EQ(message(none, 1), "the prompt is empty");
  EXPECT_THAT(message(outside, 1), HasSubstr("the prompt holds id 99, the vocabulary of model"));
  EXPECT_THAT(message(one, 32), HasSubstr("1 and 32 tokens are more than the"));
  EXPECT_THAT(message(one, -1), HasSubstr("1 and -1 tokens"));
  EXPECT_EQ(*generate(model_, kIds, 0, reference_runner()), kIds);
  Runner broken = [](const ir::Module&, const ops::Tensors&) -> Expected<ops::Tensors> {
    return fail("machine on fire");
  };
  EXPECT_EQ(generate(model_, kIds, 1, broken).error().message, "machine on fire");
}

INSTANTIATE_TEST_SUITE_P(Families, BuildLanguage, ::testing::Values(tiny_gpt2, tiny_llama));

TEST(BuildVit, PartsOfTheLayersComposeToTheWhole) {
  TempFolder folder;
  auto model = tiny_vit().imported(folder);
  ASSERT_TRUE(model);
  auto image = ir::Tensor::of<std::uint8_t>({2, 6, 6}, std::vector<std::uint8_t>(72, 90));
  auto run = [](const ir::Module& module, const ops::Tensors& inputs) {
    return *reference_runner()(module, inputs);
  };
  auto half = run(*build(*model, {.layers = {{0, 1}}}), {{"image", image}});
  EXPECT_EQ(half.at("hidden").shape(), (ir::Shape{5, 8}));
  EXPECT_EQ(run(*build(*model, {.layers = {{1, 2}}}), half),
            run(*build(*model, {}), {{"image", image}}));
  EXPECT_THAT(generate(*model, kIds, 1, reference_runner()).error().message,
              HasSubstr("is no language model"));
}

// A cache that outgrows its bucket keeps what is in it.
TEST(Generate, CachesGrowInBuckets) {
  TempFolder folder;
  TinyModel tiny = tiny_llama();
  tiny.config["max_position_embeddings"] = 200;
  auto model = tiny.imported(folder);
  ASSERT_TRUE(model);
  std::set<std::int64_t> caches;
  Runner runner = [&](const ir::Module& module, const ops::Tensors& inputs) {
    caches.insert(inputs.at("cache.k.0").shape()[0]);
    return reference_runner()(module, inputs);
  };
  auto generated = generate(*model, kIds, 130, runner);
  ASSERT_TRUE(generated) << generated.error().message;
  EXPECT_EQ(caches, (std::set<std::int64_t>{64, 128, 192}));
  auto logits = Reference(*model).logits(std::span(*generated).first(134));
  for (std::size_t i = kIds.size() - 1; i < 134; ++i)
    EXPECT_EQ(*argmax(logits->as<float>().subspan(i * 13, 13)), (*generated)[i + 1]) << i;
}

}  // namespace
}  // namespace tally::nets
