// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/nets/tiny_models.h"

#include <random>

namespace tally::nets {
namespace {

class Maker {
 public:
  explicit Maker(TinyModel* model) : model_(model) {}

  // Uniform in centre +- spread.
  void add(const std::string& name, std::vector<std::int64_t> shape, float centre = 0,
           float spread = 0.5f) {
    std::uniform_real_distribution<float> values(centre - spread, centre + spread);
    std::size_t count = 1;
    for (std::int64_t dimension : shape) count *= static_cast<std::size_t>(dimension);
    TestTensor tensor{std::move(shape), std::vector<float>(count)};
    for (float& value : tensor.values) value = values(random_);
    model_->tensors[name] = std::move(tensor);
  }
  void add_norm(const std::string& name, std::int64_t width, bool bias) {
    add(name + ".weight", {width}, 1);
    if (bias) add(name + ".bias", {width});
  }
  void add_linear(const std::string& name, std::int64_t rows, std::int64_t columns, bool bias) {
    add(name + ".weight", {rows, columns});
    if (bias) add(name + ".bias", {rows});
  }

 private:
  TinyModel* model_;
  std::mt19937 random_{7};
};

}  // namespace

void TinyModel::rename(const std::string& from, const std::string& to) {
  tensors[to] = tensors.at(from);
  tensors.erase(from);
}

void TinyModel::strip(const std::string& prefix) {
  std::map<std::string, TestTensor> stripped;
  for (auto& [name, tensor] : tensors)
    stripped[name.starts_with(prefix) ? name.substr(prefix.size()) : name] = std::move(tensor);
  tensors = std::move(stripped);
}

void TinyModel::write(const TempFolder& folder) const {
  folder.write("config.json", config.dump());
  folder.write("model.safetensors",
               testing_files::safetensors_of(tensors, metadata.empty() ? "" : metadata.dump()));
  if (!preprocessor.is_null()) folder.write("preprocessor_config.json", preprocessor.dump());
}

Expected<Model> TinyModel::imported(const TempFolder& folder) const {
  write(folder);
  return import_model(folder.path());
}

std::string TinyModel::message() const {
  TempFolder folder;
  auto model = imported(folder);
  if (model) return "imported";
  std::string text = model.error().message;
  if (text.starts_with(folder.path())) text = text.substr(folder.path().size() + 1);
  return text;
}

TinyModel tiny_gpt2() {
  TinyModel model;
  model.config = {{"model_type", "gpt2"},
                  {"architectures", {"GPT2LMHeadModel"}},
                  {"n_embd", 8},
                  {"n_head", 2},
                  {"n_layer", 2},
                  {"n_positions", 16},
                  {"vocab_size", 11},
                  {"n_inner", nullptr},
                  {"layer_norm_epsilon", 1e-5},
                  {"activation_function", "gelu_new"}};
  Maker maker(&model);
  maker.add("transformer.wte.weight", {11, 8});
  maker.add("transformer.wpe.weight", {16, 8});
  for (int i = 0; i < 2; ++i) {
    std::string name = "transformer.h." + std::to_string(i);
    maker.add_norm(name + ".ln_1", 8, true);
    maker.add(name + ".attn.c_attn.weight", {8, 24});
    maker.add(name + ".attn.c_attn.bias", {24});
    maker.add(name + ".attn.c_proj.weight", {8, 8});
    maker.add(name + ".attn.c_proj.bias", {8});
    // Buffers of older files, which nothing uses.
    maker.add(name + ".attn.bias", {1, 1, 16, 16});
    maker.add_norm(name + ".ln_2", 8, true);
    maker.add(name + ".mlp.c_fc.weight", {8, 32});
    maker.add(name + ".mlp.c_fc.bias", {32});
    maker.add(name + ".mlp.c_proj.weight", {32, 8});
    maker.add(name + ".mlp.c_proj.bias", {8});
  }
  maker.add_norm("transformer.ln_f", 8, true);
  return model;
}

TinyModel tiny_llama() {
  TinyModel model;
  model.config = {
      {"model_type", "llama"},       {"hidden_size", 40},        {"num_hidden_layers", 2},
      {"num_attention_heads", 3},    {"num_key_value_heads", 1}, {"head_dim", 16},
      {"intermediate_size", 24},     {"vocab_size", 13},         {"max_position_embeddings", 32},
      {"rms_norm_eps", 1e-5},        {"rope_theta", 10000.0},    {"hidden_act", "silu"},
      {"tie_word_embeddings", false}};
  Maker maker(&model);
  maker.add("model.embed_tokens.weight", {13, 40});
  for (int i = 0; i < 2; ++i) {
    std::string name = "model.layers." + std::to_string(i);
    maker.add_norm(name + ".input_layernorm", 40, false);
    maker.add_linear(name + ".self_attn.q_proj", 48, 40, false);
    maker.add_linear(name + ".self_attn.k_proj", 16, 40, false);
    maker.add_linear(name + ".self_attn.v_proj", 16, 40, false);
    maker.add_linear(name + ".self_attn.o_proj", 40, 48, false);
    maker.add_norm(name + ".post_attention_layernorm", 40, false);
    maker.add_linear(name + ".mlp.gate_proj", 24, 40, false);
    maker.add_linear(name + ".mlp.up_proj", 24, 40, false);
    maker.add_linear(name + ".mlp.down_proj", 40, 24, false);
  }
  maker.add_norm("model.norm", 40, false);
  maker.add("lm_head.weight", {13, 40});
  return model;
}

TinyModel tiny_vit() {
  TinyModel model;
  model.config = {{"model_type", "vit"},      {"hidden_size", 8},        {"num_hidden_layers", 2},
                  {"num_attention_heads", 2}, {"intermediate_size", 12}, {"image_size", 6},
                  {"patch_size", 3},          {"num_channels", 2},       {"hidden_act", "gelu"},
                  {"layer_norm_eps", 1e-12},  {"qkv_bias", true}};
  model.preprocessor = {{"do_rescale", true},
                        {"rescale_factor", 1.0 / 255},
                        {"do_normalize", true},
                        {"image_mean", {0.25, 0.5}},
                        {"image_std", {0.5, 0.125}}};
  Maker maker(&model);
  maker.add("vit.embeddings.cls_token", {1, 1, 8});
  maker.add("vit.embeddings.position_embeddings", {1, 5, 8});
  maker.add("vit.embeddings.patch_embeddings.projection.weight", {8, 2, 3, 3});
  maker.add("vit.embeddings.patch_embeddings.projection.bias", {8});
  for (int i = 0; i < 2; ++i) {
    std::string name = "vit.encoder.layer." + std::to_string(i);
    maker.add_norm(name + ".layernorm_before", 8, true);
    for (const char* part : {"query", "key", "value"})
      maker.add_linear(name + ".attention.attention." + part, 8, 8, true);
    maker.add_linear(name + ".attention.output.dense", 8, 8, true);
    maker.add_norm(name + ".layernorm_after", 8, true);
    maker.add_linear(name + ".intermediate.dense", 12, 8, true);
    maker.add_linear(name + ".output.dense", 8, 12, true);
  }
  maker.add_norm("vit.layernorm", 8, true);
  maker.add_linear("classifier", 5, 8, true);
  return model;
}

}  // namespace tally::nets
