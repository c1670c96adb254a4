// SPDX-License-Identifier: Apache-2.0
// Imported tiny models give the logits of the same formula in plain double precision.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "models/nets/reference.h"
#include "tests/unit/nets/plain_nets.h"

namespace tally::nets {
namespace {

using ::testing::HasSubstr;

const std::vector<std::int32_t> kIds = {3, 1, 4, 1, 5, 9, 2, 6, 5};

ir::Tensor logits(const TinyModel& tiny, const std::vector<std::int32_t>& ids = kIds) {
  TempFolder folder;
  auto model = tiny.imported(folder);
  EXPECT_TRUE(model) << model.error().message;
  if (!model) return ir::Tensor::of<float>({1, 1}, {0});
  auto result = Reference(*model).logits(ids);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : ir::Tensor::of<float>({1, 1}, {0});
}

void expect_close(const ir::Tensor& got, const Rows& expected) {
  ASSERT_EQ(got.shape()[0], static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(got.shape()[1], static_cast<std::int64_t>(expected[0].size()));
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t j = 0; j < expected[i].size(); ++j) {
      float value = got.as<float>()[i * expected[i].size() + j];
      EXPECT_TRUE(std::abs(value - expected[i][j]) <= 2e-5 * (1 + std::abs(expected[i][j])))
          << i << "," << j << ": " << value << " " << expected[i][j];
    }
}

TEST(Forward, Gpt2) {
  TinyModel tiny = tiny_gpt2();
  ir::Tensor y = logits(tiny);
  expect_close(y, plain_gpt2(tiny, kIds));
  TinyModel bare = tiny;
  bare.strip("transformer.");
  EXPECT_EQ(logits(bare), y);
}

TEST(Forward, LlamaWithHeadDimAndOneKvHead) {
  TinyModel tiny = tiny_llama();
  ir::Tensor y = logits(tiny);
  expect_close(y, plain_llama(tiny, kIds));
  TinyModel bare = tiny;
  bare.strip("model.");
  EXPECT_EQ(logits(bare), y);
}

TEST(Forward, LlamaWithoutKvHeadsHasAsManyAsHeads) {
  TinyModel tiny = tiny_llama();
  tiny.config["num_attention_heads"] = 4;
  tiny.config.erase("num_key_value_heads");
  tiny.config.erase("head_dim");
  for (int i = 0; i < 2; ++i)
    for (const char* part : {"q", "k", "v", "o"}) {
      auto& tensor =
          tiny.tensors["model.layers." + std::to_string(i) + ".self_attn." + part + "_proj.weight"];
      tensor.shape = {40, 40};
      auto given = tensor.values;
      tensor.values.resize(1600);
      for (std::size_t j = 0; j < 1600; ++j) tensor.values[j] = given[j * 7 % given.size()];
    }
  expect_close(logits(tiny), plain_llama(tiny, kIds));
}

TEST(Forward, LlamaBiases) {
  TinyModel tiny = tiny_llama();
  tiny.config["attention_bias"] = true;
  tiny.config["mlp_bias"] = true;
  EXPECT_EQ(tiny.message(),
            "model.safetensors: tensor 'layers.0.self_attn.q_proj.bias' is missing");
  for (auto& [name, tensor] : std::map(tiny.tensors))
    if (name.ends_with("_proj.weight")) {
      std::vector<float> bias(static_cast<std::size_t>(tensor.shape[0]));
      for (std::size_t j = 0; j < bias.size(); ++j) bias[j] = tensor.values[j] - 0.1f;
      tiny.tensors[name.substr(0, name.size() - 6) + "bias"] = {{tensor.shape[0]}, bias};
    }
  expect_close(logits(tiny), plain_llama(tiny, kIds));
}

TEST(Forward, Vit) {
  TinyModel tiny = tiny_vit();
  std::vector<std::uint8_t> image(72);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<std::uint8_t>(i * 37 % 256);
  auto run = [&](const TinyModel& model) {
    TempFolder folder;
    auto imported = model.imported(folder);
    EXPECT_TRUE(imported) << imported.error().message;
    EXPECT_TRUE(imported->notes.empty());
    return *Reference(*imported).logits(image);
  };
  ir::Tensor y = run(tiny);
  expect_close(y, plain_vit(tiny, image));
  TinyModel bare = tiny;
  bare.strip("vit.");
  EXPECT_EQ(run(bare), y);
}

TEST(Forward, VitWithoutPreprocessorSaysSo) {
  TinyModel tiny = tiny_vit();
  tiny.preprocessor = nullptr;
  TempFolder folder;
  auto model = tiny.imported(folder);
  ASSERT_TRUE(model) << model.error().message;
  ASSERT_EQ(model->notes.size(), 1u);
  EXPECT_THAT(model->notes[0], HasSubstr("preprocessor_config.json: not there; pixels are "
                                         "normalised with mean 0.5 and deviation 0.5"));
  EXPECT_FLOAT_EQ(model->config.image.scale[0], 2.0f / 255);
  EXPECT_EQ(model->config.image.bias[1], -1);
}

// Case 05: aliases of the two forms of GELU.
TEST(Forward, ActivationAliases) {
  TinyModel tiny = tiny_gpt2();
  auto with = [&](const std::string& name) {
    tiny.config["activation_function"] = name;
    return logits(tiny);
  };
  ir::Tensor tanh = with("gelu_new");
  EXPECT_EQ(with("gelu_pytorch_tanh"), tanh);
  EXPECT_EQ(with("gelu_fast"), tanh);
  ir::Tensor erf = with("gelu");
  EXPECT_NE(erf, tanh);
  expect_close(erf, plain_gpt2(tiny, kIds, true));
  tiny.config["activation_function"] = "sigmoid";
  TempFolder folder;
  auto logistic = tiny.imported(folder);
  ASSERT_TRUE(logistic) << logistic.error().message;
  EXPECT_EQ(logistic->config.activation, ir::OpKind::kSigmoid);
  for (const char* name : {"gelu_10", "mish", "quick_gelu"}) {
    tiny.config["activation_function"] = name;
    EXPECT_THAT(tiny.message(), HasSubstr(fmt::format("config.json: key 'activation_function': "
                                                      "activation function '{}' is not supported",
                                                      name)));
  }
}

// Case 01: a tied weight in five forms.
void check_tied(TinyModel tiny, const std::string& embedding, const std::string& missing_pair) {
  tiny.config["tie_word_embeddings"] = true;
  tiny.tensors.erase("lm_head.weight");
  ir::Tensor only_embedding = logits(tiny);

  TinyModel aliased = tiny;
  aliased.metadata = {{"format", "pt"}, {"lm_head.weight", embedding}};
  EXPECT_EQ(logits(aliased), only_embedding);

  TinyModel both = tiny;
  both.tensors["lm_head.weight"] = both.tensors.at(embedding);
  EXPECT_EQ(logits(both), only_embedding);

  TinyModel only_head = tiny;
  only_head.rename(embedding, "lm_head.weight");
  EXPECT_EQ(logits(only_head), only_embedding);

  TinyModel head_with_alias = only_head;
  head_with_alias.metadata = {{embedding, "lm_head.weight"}};
  EXPECT_EQ(logits(head_with_alias), only_embedding);

  both.tensors["lm_head.weight"].values[17] += 1;
  EXPECT_THAT(both.message(),
              HasSubstr(fmt::format(
                  "model.safetensors: tensors '{}' and 'lm_head.weight' differ, but", embedding)));
  EXPECT_THAT(both.message(),
              HasSubstr("config.json: key 'tie_word_embeddings' says that they are one"));

  TinyModel none = tiny;
  none.tensors.erase(embedding);
  EXPECT_EQ(none.message(), "model.safetensors: tensor '" + missing_pair);

  TinyModel untied = tiny;
  untied.config["tie_word_embeddings"] = false;
  EXPECT_EQ(untied.message(), "model.safetensors: tensor 'lm_head.weight' is missing");
  both.config["tie_word_embeddings"] = false;
  EXPECT_NE(logits(both), only_embedding);
}

TEST(Forward, TiedEmbeddings) {
  check_tied(tiny_gpt2(), "transformer.wte.weight",
             "wte.weight' is missing, and so is 'lm_head.weight'");
  check_tied(tiny_llama(), "model.embed_tokens.weight",
             "embed_tokens.weight' is missing, and so is 'lm_head.weight'");
}

// Case 06: shards that agree with their index give the bits of the single file.
TEST(Forward, Shards) {
  TinyModel tiny = tiny_llama();
  ir::Tensor whole = logits(tiny);
  TempFolder folder;
  tiny.write(folder);
  std::filesystem::remove(folder.file("model.safetensors"));
  std::map<std::string, TestTensor> parts[2];
  nlohmann::json map;
  int turn = 0;
  for (const auto& [name, tensor] : tiny.tensors) {
    int part = turn++ % 2;
    parts[part][name] = tensor;
    map[name] = fmt::format("model-0000{}-of-00002.safetensors", part + 1);
  }
  for (int part = 0; part < 2; ++part)
    folder.write(fmt::format("model-0000{}-of-00002.safetensors", part + 1),
                 testing_files::safetensors_of(parts[part]));
  folder.write("model.safetensors.index.json", nlohmann::json{{"weight_map", map}}.dump());
  folder.write("model.safetensors", testing_files::safetensors_of({{"stray", {{1}, {0}}}}));
  auto model = import_model(folder.path());
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(*Reference(*model).logits(kIds), whole);
  ASSERT_EQ(model->notes.size(), 1u);
  EXPECT_THAT(model->notes[0], HasSubstr("model.safetensors: ignored"));
  std::filesystem::remove(folder.file("model-00002-of-00002.safetensors"));
  EXPECT_THAT(import_model(folder.path()).error().message,
              HasSubstr("shard 'model-00002-of-00002.safetensors'"));
}

TEST(Forward, LayerScalesOfGpt2) {
  TempFolder folder;
  TinyModel tiny = tiny_gpt2();
  tiny.config["scale_attn_by_inverse_layer_idx"] = true;
  auto model = tiny.imported(folder);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->config.attention_scales, (std::vector<float>{0.5f, 0.25f}));
  tiny.config["scale_attn_weights"] = false;
  EXPECT_EQ(tiny.imported(folder)->config.attention_scales, (std::vector<float>{1.0f, 0.5f}));
}

TEST(Forward, RefusesIdsOutsideTheVocabulary) {
  TempFolder folder;
  auto model = tiny_gpt2().imported(folder);
  ASSERT_TRUE(model);
  Reference reference(*model);
  EXPECT_THAT(reference.logits(std::vector<std::int32_t>{1, 11}).error().message,
              HasSubstr("id 11 at position 1 is not in 0..10"));
  EXPECT_THAT(reference.logits(std::vector<std::int32_t>(17, 1)).error().message,
              HasSubstr("a sequence of 17 tokens is longer than the 16 that it allows"));
}

}  // namespace
}  // namespace tally::nets
