// SPDX-License-Identifier: Apache-2.0
// GPT-2 (Radford et al. 2019) as GPT2LMHeadModel stores it: learned positions, LayerNorm before
// attention and MLP, Conv1D weights (in, out), query, key and value in one tensor.
#include <cmath>

#include "models/nets/binder.h"
#include "models/nets/config_fields.h"
#include "models/nets/family.h"

namespace tally::nets {
namespace {

using ir::Value;

std::string layer_name(std::int64_t layer) { return fmt::format("h.{}", layer); }

// Older files say n_ctx where newer ones say n_positions.
Expected<std::int64_t> positions(const io::Config& config) {
  bool old = !config.has("n_positions") && config.has("n_ctx");
  return config.size(old ? "n_ctx" : "n_positions", kMaxPositions);
}

Expected<std::vector<float>> attention_scales(const io::Config& config, const ModelConfig& sizes) {
  TALLY_ASSIGN(bool scaled, config.boolean_or("scale_attn_weights", true));
  TALLY_ASSIGN(bool by_layer, config.boolean_or("scale_attn_by_inverse_layer_idx", false));
  std::vector<float> scales;
  for (std::int64_t i = 0; i < sizes.layers; ++i) {
    double scale = scaled ? 1 / std::sqrt(static_cast<double>(sizes.head_dim)) : 1;
    scales.push_back(static_cast<float>(by_layer ? scale / static_cast<double>(i + 1) : scale));
  }
  return scales;
}

Status read_config(const io::Config& config, ModelConfig* sizes) {
  TALLY_ASSIGN(sizes->hidden, config.size("n_embd", kMaxWidth));
  TALLY_ASSIGN(sizes->layers, config.size("n_layer", kMaxLayers));
  TALLY_ASSIGN(sizes->heads, config.size("n_head", kMaxWidth));
  TALLY_ASSIGN(sizes->head_dim, divided(config, "n_embd", sizes->hidden, "n_head", sizes->heads));
  sizes->kv_heads = sizes->heads;
  TALLY_ASSIGN(sizes->ffn, config.size_or("n_inner", 4 * kMaxWidth, 4 * sizes->hidden));
  TALLY_ASSIGN(sizes->outputs, config.size("vocab_size", kMaxVocabulary));
  TALLY_ASSIGN(sizes->positions, positions(config));
  TALLY_ASSIGN(sizes->eps, positive(config, "layer_norm_epsilon", 1e-5));
  TALLY_ASSIGN(sizes->activation, activation(config, "activation_function", "gelu_new"));
  TALLY_ASSIGN(sizes->attention_scales, attention_scales(config, *sizes));
  return need_boolean(config, "add_cross_attention", false);
}

Status bind_layer(Binder& binder, const ModelConfig& sizes, std::int64_t layer) {
  std::string name = layer_name(layer);
  for (const char* norm : {".ln_1", ".ln_2"})
    for (const char* part : {".weight", ".bias"})
      TALLY_TRY(binder.bind(name + norm + part, {sizes.hidden}));
  TALLY_TRY(
      binder.bind_conv1d(name + ".attn.c_attn", sizes.hidden, 3 * sizes.hidden, {"q", "k", "v"}));
  TALLY_TRY(binder.bind_conv1d(name + ".attn.c_proj", sizes.hidden, sizes.hidden, {""}));
  TALLY_TRY(binder.bind_conv1d(name + ".mlp.c_fc", sizes.hidden, sizes.ffn, {""}));
  return binder.bind_conv1d(name + ".mlp.c_proj", sizes.ffn, sizes.hidden, {""});
}

Value* build_layer(Graph& graph, Value* x, std::int64_t layer) {
  std::string name = layer_name(layer);
  Value* normed = graph.layernorm(x, name + ".ln_1");
  Value* q = graph.linear(normed, name + ".attn.c_attn.q");
  Value* k = graph.linear(normed, name + ".attn.c_attn.k");
  Value* v = graph.linear(normed, name + ".attn.c_attn.v");
  Value* attended = graph.attention(q, k, v, layer, name + ".attn");
  x = graph.add(x, graph.linear(attended, name + ".attn.c_proj"), name + ".attn.residual");
  Value* wide = graph.linear(graph.layernorm(x, name + ".ln_2"), name + ".mlp.c_fc");
  wide = graph.activation(wide, name + ".mlp.act");
  return graph.add(x, graph.linear(wide, name + ".mlp.c_proj"), name + ".mlp.residual");
}

}  // namespace

Status import_gpt2(const io::Config& config, const SharedWeights& weights, Model* model) {
  ModelConfig& sizes = model->config;
  TALLY_TRY(read_config(config, &sizes));
  TALLY_ASSIGN(bool tied, config.boolean_or("tie_word_embeddings", true));
  Binder binder(weights, {"transformer.", ""}, &model->store);
  TALLY_TRY(binder.bind_embeddings(
      {"wte.weight", "lm_head.weight", tied, config.source() + ": key 'tie_word_embeddings'"},
      {sizes.outputs, sizes.hidden}));
  TALLY_TRY(binder.bind("wpe.weight", {sizes.positions, sizes.hidden}));
  for (std::int64_t i = 0; i < sizes.layers; ++i) TALLY_TRY(bind_layer(binder, sizes, i));
  TALLY_TRY(binder.bind("ln_f.weight", {sizes.hidden}));
  return binder.bind("ln_f.bias", {sizes.hidden});
}

void build_gpt2(Graph& graph) {
  Value* x = nullptr;
  if (graph.has_embedding()) {
    Value* tokens = graph.embed("wte.weight");
    Value* places = graph.at_positions("wpe.weight", graph.config().positions, "wpe");
    x = graph.add(tokens, places, "embedding");
  } else {
    x = graph.hidden_input(graph.options().tokens);
  }
  for (std::int64_t i = graph.first_layer(); i < graph.end_layer(); ++i)
    x = build_layer(graph, x, i);
  if (!graph.has_head()) return graph.builder().output(x, "hidden");
  x = graph.layernorm(graph.head_rows(x), "ln_f");
  graph.builder().output(graph.linear(x, "lm_head"), "logits");
}

}  // namespace tally::nets
