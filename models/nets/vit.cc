// SPDX-License-Identifier: Apache-2.0
// ViT (Dosovitskiy et al. 2021) as ViTForImageClassification stores it: patches and a class token,
// LayerNorm before attention and MLP, a classifier on the class token.
#include <cmath>
#include <filesystem>

#include "models/nets/binder.h"
#include "models/nets/config_fields.h"
#include "models/nets/family.h"

namespace tally::nets {
namespace {

using ir::OpKind;
using ir::Value;

constexpr const char* kPatches = "embeddings.patch_embeddings.projection";
constexpr const char* kPreprocessor = "preprocessor_config.json";

std::string layer_name(std::int64_t layer) { return fmt::format("encoder.layer.{}", layer); }

// One number a channel; Hugging Face's default for ViT is 0.5 throughout.
Expected<std::vector<double>> channel_values(const io::Config& config, const std::string& key,
                                             std::int64_t channels) {
  if (!config.has(key)) return std::vector<double>(static_cast<std::size_t>(channels), 0.5);
  TALLY_ASSIGN(std::vector<double> values, config.numbers(key));
  if (static_cast<std::int64_t>(values.size()) != channels)
    return config.key_error(key, "{} values for {} channels", values.size(), channels);
  return values;
}

// pixel x factor, then (x - mean) / deviation, as one scale and bias a channel.
Status read_normalisation(const io::Config& config, ImageConfig* image) {
  TALLY_ASSIGN(bool rescale, config.boolean_or("do_rescale", true));
  TALLY_ASSIGN(bool normalise, config.boolean_or("do_normalize", true));
  TALLY_ASSIGN(double factor, config.number_or("rescale_factor", 1.0 / 255));
  TALLY_ASSIGN(std::vector<double> mean, channel_values(config, "image_mean", image->channels));
  TALLY_ASSIGN(std::vector<double> deviation, channel_values(config, "image_std", image->channels));
  for (std::size_t c = 0; c < mean.size(); ++c) {
    if (!(deviation[c] > 0))
      return config.key_error("image_std", "{} is not positive", deviation[c]);
    double spread = normalise ? deviation[c] : 1;
    image->scale.push_back(static_cast<float>((rescale ? factor : 1) / spread));
    image->bias.push_back(static_cast<float>(normalise ? -mean[c] / spread : 0));
    if (!std::isfinite(image->scale[c]) || !std::isfinite(image->bias[c]))
      return config.key_error("image_std", "{} gives values beyond fp32", deviation[c]);
  }
  return {};
}

Status read_preprocessor(Model* model) {
  std::string path = (std::filesystem::path(model->folder) / kPreprocessor).string();
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    TALLY_ASSIGN(io::Config config, io::Config::read(path));
    return read_normalisation(config, &model->config.image);
  }
  model->notes.push_back(
      fmt::format("{}: not there; pixels are normalised with mean 0.5 and deviation 0.5", path));
  TALLY_ASSIGN(io::Config defaults, io::Config::parse("{}", path));
  return read_normalisation(defaults, &model->config.image);
}

Status read_config(const io::Config& config, ModelConfig* sizes) {
  TALLY_ASSIGN(sizes->hidden, config.size("hidden_size", kMaxWidth));
  TALLY_ASSIGN(sizes->layers, config.size("num_hidden_layers", kMaxLayers));
  TALLY_ASSIGN(sizes->heads, config.size("num_attention_heads", kMaxWidth));
  TALLY_ASSIGN(sizes->head_dim,
               divided(config, "hidden_size", sizes->hidden, "num_attention_heads", sizes->heads));
  sizes->kv_heads = sizes->heads;
  TALLY_ASSIGN(sizes->ffn, config.size("intermediate_size", 4 * kMaxWidth));
  TALLY_ASSIGN(sizes->eps, positive(config, "layer_norm_eps", 1e-12));
  TALLY_ASSIGN(sizes->activation, activation(config, "hidden_act", "gelu"));
  auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(sizes->head_dim)));
  sizes->attention_scales.assign(static_cast<std::size_t>(sizes->layers), scale);
  ImageConfig& image = sizes->image;
  TALLY_ASSIGN(image.size, config.size("image_size", kMaxImage));
  TALLY_ASSIGN(image.patch, config.size("patch_size", kMaxImage));
  TALLY_ASSIGN(image.channels, config.size_or("num_channels", kMaxImage, 3));
  TALLY_TRY(divided(config, "image_size", image.size, "patch_size", image.patch));
  sizes->positions = image.patches() + 1;
  return {};
}

Status bind_linear(Binder& binder, const std::string& name, std::int64_t out, std::int64_t in,
                   bool bias = true) {
  TALLY_TRY(binder.bind(name + ".weight", {out, in}));
  return bias ? binder.bind(name + ".bias", {out}) : Status{};
}

Status bind_layer(Binder& binder, const ModelConfig& sizes, bool qkv_bias, std::int64_t layer) {
  std::string name = layer_name(layer);
  for (const char* norm : {".layernorm_before", ".layernorm_after"})
    for (const char* part : {".weight", ".bias"})
      TALLY_TRY(binder.bind(name + norm + part, {sizes.hidden}));
  for (const char* part : {"query", "key", "value"})
    TALLY_TRY(bind_linear(binder, name + ".attention.attention." + part, sizes.hidden, sizes.hidden,
                          qkv_bias));
  TALLY_TRY(bind_linear(binder, name + ".attention.output.dense", sizes.hidden, sizes.hidden));
  TALLY_TRY(bind_linear(binder, name + ".intermediate.dense", sizes.ffn, sizes.hidden));
  return bind_linear(binder, name + ".output.dense", sizes.hidden, sizes.ffn);
}

Status bind_embeddings(Binder& binder, const ModelConfig& sizes) {
  const ImageConfig& image = sizes.image;
  TALLY_TRY(binder.bind_reshaped("embeddings.cls_token", {1, 1, sizes.hidden}, {1, sizes.hidden}));
  TALLY_TRY(binder.bind_reshaped("embeddings.position_embeddings",
                                 {1, sizes.positions, sizes.hidden},
                                 {sizes.positions, sizes.hidden}));
  std::string name = kPatches;
  TALLY_TRY(binder.bind_reshaped(name + ".weight",
                                 {sizes.hidden, image.channels, image.patch, image.patch},
                                 {sizes.hidden, image.channels * image.patch * image.patch}));
  return binder.bind(name + ".bias", {sizes.hidden});
}

Status bind_classifier(Binder& binder, ModelConfig* sizes) {
  TALLY_ASSIGN(ir::Shape shape, binder.stored_shape("classifier.weight"));
  sizes->outputs = shape.empty() ? 0 : shape[0];
  return bind_linear(binder, "classifier", sizes->outputs, sizes->hidden);
}

Value* build_embedding(Graph& graph) {
  const ImageConfig& image = graph.config().image;
  graph.builder().set_node("embeddings.patches");
  Value* pixels =
      graph.builder().input("image", {ir::Format::kU8, {image.channels, image.size, image.size}});
  Value* patches = graph.builder().value(
      OpKind::kPatchify, {pixels},
      {{"patch", image.patch}, {"scale", image.scale}, {"bias", image.bias}}, "patches");
  Value* tokens = graph.linear(patches, kPatches);
  graph.builder().set_node("embeddings.cls_token");
  Value* cls = graph.tensor("embeddings.cls_token");
  Value* all = graph.builder().value(OpKind::kConcatRows, {cls, tokens}, {}, "tokens");
  Value* places = graph.tensor("embeddings.position_embeddings");
  return graph.add(all, places, "embeddings.position_embeddings");
}

Value* build_layer(Graph& graph, Value* x, std::int64_t layer) {
  std::string name = layer_name(layer);
  std::string attention = name + ".attention";
  Value* normed = graph.layernorm(x, name + ".layernorm_before");
  Value* q = graph.linear(normed, attention + ".attention.query");
  Value* k = graph.linear(normed, attention + ".attention.key");
  Value* v = graph.linear(normed, attention + ".attention.value");
  Value* attended = graph.attention(q, k, v, layer, attention);
  x = graph.add(x, graph.linear(attended, attention + ".output.dense"), attention + ".residual");
  Value* wide =
      graph.linear(graph.layernorm(x, name + ".layernorm_after"), name + ".intermediate.dense");
  wide = graph.activation(wide, name + ".intermediate.act");
  return graph.add(x, graph.linear(wide, name + ".output.dense"), name + ".residual");
}

}  // namespace

Status import_vit(const io::Config& config, const SharedWeights& weights, Model* model) {
  ModelConfig& sizes = model->config;
  TALLY_TRY(read_config(config, &sizes));
  TALLY_TRY(read_preprocessor(model));
  TALLY_ASSIGN(bool qkv_bias, config.boolean_or("qkv_bias", true));
  Binder binder(weights, {"vit.", ""}, &model->store);
  TALLY_TRY(bind_embeddings(binder, sizes));
  for (std::int64_t i = 0; i < sizes.layers; ++i) TALLY_TRY(bind_layer(binder, sizes, qkv_bias, i));
  for (const char* part : {"layernorm.weight", "layernorm.bias"})
    TALLY_TRY(binder.bind(part, {sizes.hidden}));
  return bind_classifier(binder, &sizes);
}

void build_vit(Graph& graph) {
  Value* x =
      graph.has_embedding() ? build_embedding(graph) : graph.hidden_input(graph.config().positions);
  for (std::int64_t i = graph.first_layer(); i < graph.end_layer(); ++i)
    x = build_layer(graph, x, i);
  if (!graph.has_head()) return graph.builder().output(x, "hidden");
  graph.builder().set_node("layernorm");
  Value* cls = graph.builder().value(OpKind::kSliceRows, {x},
                                     {{"begin", std::int64_t{0}}, {"end", std::int64_t{1}}}, "cls");
  graph.builder().output(graph.linear(graph.layernorm(cls, "layernorm"), "classifier"), "logits");
}

}  // namespace tally::nets
