// SPDX-License-Identifier: Apache-2.0
// LLaMA (Touvron et al. 2023) as LlamaForCausalLM stores it: RMSNorm, rotary positions, grouped key
// and value heads, SwiGLU.
#include <cmath>

#include "models/nets/binder.h"
#include "models/nets/config_fields.h"
#include "models/nets/family.h"
#include "models/nets/rope.h"

namespace tally::nets {
namespace {

using ir::Value;

std::string layer_name(std::int64_t layer) { return fmt::format("layers.{}", layer); }

Expected<std::int64_t> head_dim(const io::Config& config, const ModelConfig& sizes) {
  std::int64_t width = 0;
  if (config.has("head_dim")) {
    TALLY_ASSIGN(width, config.size("head_dim", kMaxWidth));
  } else {
    TALLY_ASSIGN(width,
                 divided(config, "hidden_size", sizes.hidden, "num_attention_heads", sizes.heads));
  }
  if (width % 2 != 0)
    return config.key_error("head_dim", "{} is odd; rotary positions need pairs", width);
  return width;
}

Status read_config(const io::Config& config, ModelConfig* sizes) {
  TALLY_ASSIGN(sizes->hidden, config.size("hidden_size", kMaxWidth));
  TALLY_ASSIGN(sizes->layers, config.size("num_hidden_layers", kMaxLayers));
  TALLY_ASSIGN(sizes->heads, config.size("num_attention_heads", kMaxWidth));
  TALLY_ASSIGN(sizes->kv_heads, config.size_or("num_key_value_heads", kMaxWidth, sizes->heads));
  TALLY_TRY(
      divided(config, "num_attention_heads", sizes->heads, "num_key_value_heads", sizes->kv_heads));
  TALLY_ASSIGN(sizes->head_dim, head_dim(config, *sizes));
  TALLY_ASSIGN(sizes->ffn, config.size("intermediate_size", 4 * kMaxWidth));
  TALLY_ASSIGN(sizes->outputs, config.size("vocab_size", kMaxVocabulary));
  TALLY_ASSIGN(sizes->positions, config.size("max_position_embeddings", kMaxPositions));
  TALLY_ASSIGN(sizes->eps, positive(config, "rms_norm_eps", 1e-6));
  TALLY_ASSIGN(sizes->activation, activation(config, "hidden_act", "silu"));
  TALLY_ASSIGN(sizes->rope_frequencies, rope_frequencies(config, sizes->head_dim));
  auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(sizes->head_dim)));
  sizes->attention_scales.assign(static_cast<std::size_t>(sizes->layers), scale);
  TALLY_ASSIGN(double rotated, config.number_or("partial_rotary_factor", 1));
  if (rotated != 1)
    return config.key_error("partial_rotary_factor", "{} is not supported", rotated);
  return {};
}

struct Biases {
  bool attention = false;
  bool mlp = false;
};

Status bind_linear(Binder& binder, const std::string& name, std::int64_t out, std::int64_t in,
                   bool bias) {
  TALLY_TRY(binder.bind(name + ".weight", {out, in}));
  return bias ? binder.bind(name + ".bias", {out}) : Status{};
}

Status bind_layer(Binder& binder, const ModelConfig& sizes, const Biases& biases,
                  std::int64_t layer) {
  std::string name = layer_name(layer);
  std::int64_t width = sizes.heads * sizes.head_dim;
  std::int64_t kv_width = sizes.kv_heads * sizes.head_dim;
  TALLY_TRY(binder.bind(name + ".input_layernorm.weight", {sizes.hidden}));
  TALLY_TRY(binder.bind(name + ".post_attention_layernorm.weight", {sizes.hidden}));
  std::string attention = name + ".self_attn.";
  TALLY_TRY(bind_linear(binder, attention + "q_proj", width, sizes.hidden, biases.attention));
  TALLY_TRY(bind_linear(binder, attention + "k_proj", kv_width, sizes.hidden, biases.attention));
  TALLY_TRY(bind_linear(binder, attention + "v_proj", kv_width, sizes.hidden, biases.attention));
  TALLY_TRY(bind_linear(binder, attention + "o_proj", sizes.hidden, width, biases.attention));
  TALLY_TRY(bind_linear(binder, name + ".mlp.gate_proj", sizes.ffn, sizes.hidden, biases.mlp));
  TALLY_TRY(bind_linear(binder, name + ".mlp.up_proj", sizes.ffn, sizes.hidden, biases.mlp));
  return bind_linear(binder, name + ".mlp.down_proj", sizes.hidden, sizes.ffn, biases.mlp);
}

// Cosines and sines for the tokens, or for every row of the cache to choose from.
struct Rotation {
  Value* cos;
  Value* sin;
};

Rotation add_rotation(Graph& graph) {
  const BuildOptions& options = graph.options();
  std::int64_t rows = options.decode ? options.cache : options.tokens;
  RopeTables tables = rope_tables(graph.config().rope_frequencies, rows);
  graph.add_tensor("rope.cos", tables.cos);
  graph.add_tensor("rope.sin", tables.sin);
  return {graph.at_positions("rope.cos", rows, "rope.cos"),
          graph.at_positions("rope.sin", rows, "rope.sin")};
}

Value* rotate(Graph& graph, Value* x, const Rotation& rotation, std::int64_t heads,
              const std::string& name) {
  graph.builder().set_node(name);
  return graph.builder().value(ir::OpKind::kRope, {x, rotation.cos, rotation.sin},
                               {{"heads", heads}}, name);
}

Value* build_layer(Graph& graph, Value* x, const Rotation& rotation, std::int64_t layer) {
  std::string name = layer_name(layer);
  std::string attention = name + ".self_attn";
  Value* normed = graph.rmsnorm(x, name + ".input_layernorm");
  Value* q = graph.linear(normed, attention + ".q_proj");
  Value* k = graph.linear(normed, attention + ".k_proj");
  Value* v = graph.linear(normed, attention + ".v_proj");
  q = rotate(graph, q, rotation, graph.config().heads, attention + ".q_rope");
  k = rotate(graph, k, rotation, graph.config().kv_heads, attention + ".k_rope");
  Value* attended = graph.attention(q, k, v, layer, attention);
  x = graph.add(x, graph.linear(attended, attention + ".o_proj"), attention + ".residual");
  normed = graph.rmsnorm(x, name + ".post_attention_layernorm");
  Value* gate = graph.activation(graph.linear(normed, name + ".mlp.gate_proj"), name + ".mlp.act");
  Value* product = graph.mul(gate, graph.linear(normed, name + ".mlp.up_proj"), name + ".mlp.gate");
  return graph.add(x, graph.linear(product, name + ".mlp.down_proj"), name + ".mlp.residual");
}

}  // namespace

Status import_llama(const io::Config& config, const SharedWeights& weights, Model* model) {
  ModelConfig& sizes = model->config;
  TALLY_TRY(read_config(config, &sizes));
  Biases biases;
  TALLY_ASSIGN(biases.attention, config.boolean_or("attention_bias", false));
  TALLY_ASSIGN(biases.mlp, config.boolean_or("mlp_bias", false));
  TALLY_ASSIGN(bool tied, config.boolean_or("tie_word_embeddings", false));
  Binder binder(weights, {"model.", ""}, &model->store);
  TALLY_TRY(binder.bind_embeddings({"embed_tokens.weight", "lm_head.weight", tied,
                                    config.source() + ": key 'tie_word_embeddings'"},
                                   {sizes.outputs, sizes.hidden}));
  for (std::int64_t i = 0; i < sizes.layers; ++i) TALLY_TRY(bind_layer(binder, sizes, biases, i));
  return binder.bind("norm.weight", {sizes.hidden});
}

void build_llama(Graph& graph) {
  Value* x = graph.has_embedding() ? graph.embed("embed_tokens.weight")
                                   : graph.hidden_input(graph.options().tokens);
  Rotation rotation = add_rotation(graph);
  for (std::int64_t i = graph.first_layer(); i < graph.end_layer(); ++i)
    x = build_layer(graph, x, rotation, i);
  if (!graph.has_head()) return graph.builder().output(x, "hidden");
  x = graph.rmsnorm(graph.head_rows(x), "norm");
  graph.builder().output(graph.linear(x, "lm_head"), "logits");
}

}  // namespace tally::nets
