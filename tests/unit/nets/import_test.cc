// SPDX-License-Identifier: Apache-2.0
// Malformed models: one message that names file and key or tensor, for each way to be wrong.
#include "models/nets/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/nets/tiny_models.h"

namespace tally::nets {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Import, TinyModelsAreGood) {
  EXPECT_EQ(tiny_gpt2().message(), "imported");
  EXPECT_EQ(tiny_llama().message(), "imported");
  EXPECT_EQ(tiny_vit().message(), "imported");
}

TEST(Import, NamesTheModelByItsFolder) {
  TempFolder folder;
  auto model = tiny_gpt2().imported(folder);
  ASSERT_TRUE(model);
  std::string name = std::filesystem::path(folder.path()).filename().string();
  EXPECT_EQ(model->name, name);
  EXPECT_EQ(import_model(folder.path() + "/")->name, name);
  EXPECT_EQ(family_name(model->config.family), "gpt2");
}

TEST(Import, FoldersAndConfigs) {
  TempFolder folder;
  EXPECT_EQ(import_model(folder.file("none")).error().message,
            folder.file("none") + ": no such folder");
  EXPECT_EQ(import_model(folder.path()).error().message,
            folder.file("config.json") + ": No such file or directory");
  auto message = [&](const std::string& config) {
    folder.write("config.json", config);
    return import_model(folder.path()).error().message;
  };
  std::string path = folder.file("config.json");
  EXPECT_EQ(message(""), path + ": empty file");
  EXPECT_EQ(message("model_type: gpt2"), path + ": not JSON (byte 1)");
  EXPECT_EQ(message(std::string(100, '\xff')), path + ": not JSON (byte 1)");
  EXPECT_EQ(message("[]"), path + ": not a JSON object");
  EXPECT_EQ(message("{}"), path + ": key 'model_type': missing");
  EXPECT_EQ(message(R"({"model_type":"mamba","architectures":["GPT2LMHeadModel"]})"),
            path + ": key 'model_type': 'mamba' is not supported (known: gpt2, llama, vit)");
  EXPECT_EQ(message(R"({"model_type":3})"), path + ": key 'model_type': 3 is not a string");
  EXPECT_THAT(message(R"({"model_type":"gpt2"})"),
              HasSubstr("model.safetensors: no such file, and no model.safetensors.index.json"));
}

struct Change {
  std::string key;
  json value;  // discarded: the key is removed
  std::string message;
};
const json kRemoved = json::value_t::discarded;

void check_changes(const TinyModel& good, const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    TinyModel model = good;
    if (change.value.is_discarded())
      model.config.erase(change.key);
    else
      model.config[change.key] = change.value;
    EXPECT_THAT(model.message(), StartsWith("config.json: key '" + change.message))
        << change.key << " " << change.value;
  }
}

// Every size: missing, a string, zero, negative, a fraction, absurd.
void check_sizes(const TinyModel& good, const std::vector<std::string>& keys) {
  for (const std::string& key : keys)
    check_changes(good, {{key, kRemoved, key + "': missing"},
                         {key, "8", key + "': \"8\" is not an integer"},
                         {key, 0, key + "': 0 is not in 1.."},
                         {key, -8, key + "': -8 is not in 1.."},
                         {key, 8.5, key + "': 8.5 is not an integer"},
                         {key, std::int64_t{1} << 62, key + "': 4611686018427387904 is not in 1.."},
                         {key, json::array({8}), key + "': [8] is not an integer"}});
}

TEST(Import, Gpt2Config) {
  TinyModel good = tiny_gpt2();
  check_sizes(good, {"n_embd", "n_head", "n_layer", "n_positions", "vocab_size"});
  check_changes(good,
                {{"n_head", 3, "n_embd': 8 is not a multiple of key 'n_head' (3)"},
                 {"n_inner", "32", "n_inner': \"32\" is not an integer"},
                 {"layer_norm_epsilon", 0, "layer_norm_epsilon': 0 is not positive"},
                 {"layer_norm_epsilon", "x", "layer_norm_epsilon': \"x\" is not a number"},
                 {"layer_norm_epsilon", 1e300, "layer_norm_epsilon': 1e+300 is not positive"},
                 {"activation_function", 1, "activation_function': 1 is not a string"},
                 {"activation_function", "mish",
                  "activation_function': activation function "
                  "'mish' is not supported (known: "},
                 {"scale_attn_weights", 1, "scale_attn_weights': 1 is not true or false"},
                 {"scale_attn_by_inverse_layer_idx", 1, "scale_attn_by_inverse_layer_idx': 1"},
                 {"tie_word_embeddings", "yes", "tie_word_embeddings': \"yes\" is not true"},
                 {"add_cross_attention", true, "add_cross_attention': true is not supported"}});
}

TEST(Import, OldGpt2ConfigsSayNctx) {
  TinyModel model = tiny_gpt2();
  model.config.erase("n_positions");
  model.config["n_ctx"] = 16;
  EXPECT_EQ(model.message(), "imported");
}

TEST(Import, LlamaConfig) {
  TinyModel good = tiny_llama();
  check_sizes(good, {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
                     "vocab_size", "max_position_embeddings"});
  check_changes(
      good, {{"head_dim", kRemoved,
              "hidden_size': 40 is not a multiple of key 'num_attention_heads' (3)"},
             {"head_dim", 0, "head_dim': 0 is not in 1.."},
             {"head_dim", 15, "head_dim': 15 is odd; rotary positions need pairs"},
             {"num_key_value_heads", 2,
              "num_attention_heads': 3 is not a multiple of key 'num_key_value_heads' (2)"},
             {"num_key_value_heads", 0, "num_key_value_heads': 0 is not in 1.."},
             {"rms_norm_eps", -1, "rms_norm_eps': -1 is not positive"},
             {"rope_theta", 0, "rope_theta': 0 is not positive"},
             {"hidden_act", "relu6", "hidden_act': activation function 'relu6' is not supported"},
             {"attention_bias", 1, "attention_bias': 1 is not true or false"},
             {"mlp_bias", 1, "mlp_bias': 1 is not true or false"},
             {"tie_word_embeddings", 1, "tie_word_embeddings': 1 is not true or false"},
             {"partial_rotary_factor", 0.5, "partial_rotary_factor': 0.5 is not supported"},
             {"rope_scaling", "linear", "rope_scaling': \"linear\" is not an object"},
             {"rope_scaling", {{"factor", 2}}, "rope_scaling.rope_type': missing"},
             {"rope_scaling",
              {{"type", "yarn"}},
              "rope_scaling.type': 'yarn' is not supported (known: default, linear, llama3)"},
             {"rope_scaling",
              {{"rope_type", "dynamic"}},
              "rope_scaling.rope_type': 'dynamic' is not supported"},
             {"rope_scaling", {{"type", "linear"}}, "rope_scaling.factor': missing"},
             {"rope_scaling",
              {{"type", "linear"}, {"factor", 0}},
              "rope_scaling.factor': 0 is not positive"},
             {"rope_scaling",
              {{"type", "llama3"}, {"factor", 8}},
              "rope_scaling.low_freq_factor': missing"},
             {"rope_scaling",
              {{"type", "llama3"},
               {"factor", 8},
               {"low_freq_factor", 4},
               {"high_freq_factor", 4},
               {"original_max_position_embeddings", 8192}},
              "rope_scaling.high_freq_factor': 4 is not above low_freq_factor (4)"}});
}

TEST(Import, VitConfig) {
  TinyModel good = tiny_vit();
  check_sizes(good, {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
                     "image_size", "patch_size"});
  check_changes(good,
                {{"num_attention_heads", 3,
                  "hidden_size': 8 is not a multiple of key 'num_attention_heads' (3)"},
                 {"patch_size", 4, "image_size': 6 is not a multiple of key 'patch_size' (4)"},
                 {"num_channels", 0, "num_channels': 0 is not in 1.."},
                 {"layer_norm_eps", 0, "layer_norm_eps': 0 is not positive"},
                 {"hidden_act", "x", "hidden_act': activation function 'x' is not supported"},
                 {"qkv_bias", 1, "qkv_bias': 1 is not true or false"}});
}

TEST(Import, VitPreprocessor) {
  auto with = [](const std::string& key, const json& value) {
    TinyModel model = tiny_vit();
    model.preprocessor[key] = value;
    return model.message();
  };
  std::string file = "preprocessor_config.json: key '";
  EXPECT_EQ(with("image_mean", {0.5}), file + "image_mean': 1 values for 2 channels");
  EXPECT_EQ(with("image_std", {0.5, 0}), file + "image_std': 0 is not positive");
  EXPECT_EQ(with("image_std", {0.5, 1e-300}), file + "image_std': 1e-300 gives values beyond fp32");
  EXPECT_EQ(with("image_std", "x"), file + "image_std': \"x\" is not a list of numbers");
  EXPECT_EQ(with("do_rescale", 1), file + "do_rescale': 1 is not true or false");
  EXPECT_EQ(with("do_normalize", 1), file + "do_normalize': 1 is not true or false");
  EXPECT_EQ(with("rescale_factor", "x"), file + "rescale_factor': \"x\" is not a number");
  TinyModel model = tiny_vit();
  model.preprocessor = json::array();
  EXPECT_EQ(model.message(), "preprocessor_config.json: not a JSON object");
}

// Every tensor that a model needs: missing, of another shape, with a NaN.
void check_tensors(const TinyModel& good, const std::string& prefix, const std::string& unused) {
  for (const auto& [name, tensor] : good.tensors) {
    if (!unused.empty() && name.find(unused) != name.npos) continue;
    std::string bare = name.starts_with(prefix) ? name.substr(prefix.size()) : name;
    TinyModel missing = good;
    missing.tensors.erase(name);
    EXPECT_THAT(missing.message(),
                StartsWith("model.safetensors: tensor '" + bare + "' is missing"));
    TinyModel reshaped = good;
    reshaped.tensors[name].shape = {1, static_cast<std::int64_t>(tensor.values.size()), 1};
    if (name != "classifier.weight") {
      EXPECT_THAT(reshaped.message(),
                  StartsWith(fmt::format("model.safetensors: tensor '{}' is [1,{},1], not [", name,
                                         tensor.values.size())));
    }
    TinyModel poisoned = good;
    poisoned.tensors[name].values.back() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(poisoned.message(),
              fmt::format("model.safetensors: tensor '{}': element {} is NaN or infinite", name,
                          tensor.values.size() - 1));
  }
}

TEST(Import, Gpt2Tensors) { check_tensors(tiny_gpt2(), "transformer.", "attn.bias"); }
TEST(Import, LlamaTensors) { check_tensors(tiny_llama(), "model.", ""); }
TEST(Import, VitTensors) { check_tensors(tiny_vit(), "vit.", ""); }

TEST(Import, ClassifierOfAnotherShape) {
  TinyModel model = tiny_vit();
  model.tensors["classifier.weight"].shape = {40};
  EXPECT_EQ(model.message(), "model.safetensors: tensor 'classifier.weight' is [40], not [40,8]");
  model.tensors["classifier.weight"] = {{}, {1}};
  EXPECT_EQ(model.message(), "model.safetensors: tensor 'classifier.weight' is [], not [0,8]");
}

TEST(Import, ATensorUnderBothNames) {
  TinyModel model = tiny_gpt2();
  model.tensors["ln_f.weight"] = model.tensors["transformer.ln_f.weight"];
  EXPECT_EQ(
      model.message(),
      "model.safetensors: tensors 'transformer.ln_f.weight' and 'ln_f.weight' are both there");
}

TEST(Import, TruncatedAndRandomWeights) {
  TempFolder folder;
  TinyModel model = tiny_gpt2();
  model.write(folder);
  std::string good = folder.read("model.safetensors");
  for (std::size_t length :
       {std::size_t{0}, std::size_t{7}, good.size() / 10, good.size() / 2, good.size() - 1}) {
    folder.write("model.safetensors", good.substr(0, length));
    auto refused = import_model(folder.path());
    ASSERT_FALSE(refused) << length;
    EXPECT_THAT(refused.error().message, StartsWith(folder.file("model.safetensors")));
  }
}

TEST(Import, RopeScalingAndParametersOfNewerFiles) {
  TempFolder folder;
  TinyModel model = tiny_llama();
  auto frequencies = [&] {
    auto imported = model.imported(folder);
    EXPECT_TRUE(imported) << imported.error().message;
    return imported->config.rope_frequencies;
  };
  std::vector<float> plain = frequencies();
  ASSERT_EQ(plain.size(), 8u);
  EXPECT_EQ(plain[0], 1);
  EXPECT_FLOAT_EQ(plain[4], 0.01f);
  model.config["rope_scaling"] = {{"type", "linear"}, {"factor", 4}};
  std::vector<float> quarter = frequencies();
  for (std::size_t j = 0; j < 8; ++j) EXPECT_EQ(quarter[j], plain[j] / 4);
  model.config["rope_scaling"] = {{"rope_type", "default"}};
  EXPECT_EQ(frequencies(), plain);
  model.config.erase("rope_scaling");
  model.config.erase("rope_theta");
  model.config["rope_parameters"] = {
      {"rope_type", "linear"}, {"factor", 4}, {"rope_theta", 10000.0}};
  EXPECT_EQ(frequencies(), quarter);
}

}  // namespace
}  // namespace tally::nets
