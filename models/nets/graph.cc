// SPDX-License-Identifier: Apache-2.0
#include "models/nets/graph.h"

namespace tally::nets {

using ir::Format;
using ir::OpKind;
using ir::Value;

Graph::Graph(const Model& model, const BuildOptions& options, ir::Module* module)
    : model_(model),
      options_(options),
      module_(module),
      builder_(module->add_function("main")),
      end_layer_(model.config.layers) {
  module_->store() = model.store;
  if (options.layers) std::tie(first_layer_, end_layer_) = *options.layers;
}

Value* Graph::tensor(const std::string& name) {
  auto found = module_->store().find(name);
  TALLY_CHECK(found != nullptr, "model '{}' has no tensor '{}'", model_.name, name);
  return builder_.constant(name, found->type());
}

void Graph::add_tensor(const std::string& name, ir::Tensor value) {
  module_->store().add(name, std::move(value));
}

Value* Graph::linear(Value* x, const std::string& name) {
  builder_.set_node(name);
  Value* weight = tensor(name + ".weight");
  bool has_bias = module_->store().find(name + ".bias") != nullptr;
  Value* bias = has_bias ? tensor(name + ".bias") : nullptr;
  return builder_.value(OpKind::kLinear, {x, weight, bias}, {}, name);
}

Value* Graph::layernorm(Value* x, const std::string& name) {
  builder_.set_node(name);
  Value* gamma = tensor(name + ".weight");
  Value* beta = tensor(name + ".bias");
  return builder_.value(OpKind::kLayernorm, {x, gamma, beta}, {{"eps", config().eps}}, name);
}

Value* Graph::rmsnorm(Value* x, const std::string& name) {
  builder_.set_node(name);
  Value* gamma = tensor(name + ".weight");
  return builder_.value(OpKind::kRmsnorm, {x, gamma}, {{"eps", config().eps}}, name);
}

Value* Graph::activation(Value* x, const std::string& name) {
  builder_.set_node(name);
  return builder_.value(config().activation, {x}, {}, name);
}

Value* Graph::add(Value* a, Value* b, const std::string& name) {
  builder_.set_node(name);
  return builder_.value(OpKind::kAdd, {a, b}, {}, name);
}

Value* Graph::mul(Value* a, Value* b, const std::string& name) {
  builder_.set_node(name);
  return builder_.value(OpKind::kMul, {a, b}, {}, name);
}

Value* Graph::embed(const std::string& table) {
  builder_.set_node(table);
  Value* ids = builder_.input("ids", {Format::kI32, {options_.tokens}});
  return builder_.value(OpKind::kEmbedding, {ids, tensor(table)}, {}, table);
}

Value* Graph::position() {
  if (position_ == nullptr) position_ = builder_.input("position", {Format::kI32, {1}});
  return position_;
}

Value* Graph::at_positions(const std::string& table, std::int64_t rows, const std::string& name) {
  builder_.set_node(name);
  Value* all = tensor(table);
  if (options_.decode) return builder_.value(OpKind::kEmbedding, {position(), all}, {}, name);
  if (rows == options_.tokens) return all;
  return builder_.value(OpKind::kSliceRows, {all},
                        {{"begin", std::int64_t{0}}, {"end", options_.tokens}}, name);
}

Value* Graph::hidden_input(std::int64_t rows) {
  builder_.set_node("hidden");
  return builder_.input("hidden", {Format::kF32, {rows, config().hidden}});
}

Value* Graph::through_cache(Value* rows, const std::string& name) {
  Value* cache = builder_.input(name, {Format::kF32, {options_.cache, rows->type.shape[1]}});
  Value* at =
      options_.decode ? position() : builder_.constant(ir::Tensor::of<std::int32_t>({1}, {0}));
  Value* written = builder_.value(OpKind::kCacheWrite, {cache, rows, at}, {}, name);
  builder_.output(written, name);
  return written;
}

Value* Graph::attention(Value* q, Value* k, Value* v, std::int64_t layer, const std::string& name) {
  builder_.set_node(name);
  if (options_.cache > 0) {
    Value* keys = through_cache(k, fmt::format("cache.k.{}", layer));
    Value* values = through_cache(v, fmt::format("cache.v.{}", layer));
    if (options_.decode) {
      k = keys;
      v = values;
      if (mask_ == nullptr) mask_ = builder_.input("mask", {Format::kF32, {options_.cache}});
    }
  }
  bool causal = config().is_language_model() && !options_.decode;
  return builder_.value(OpKind::kAttention, {q, k, v, mask_},
                        {{"heads", config().heads},
                         {"kv_heads", config().kv_heads},
                         {"causal", causal},
                         {"scale", config().attention_scales[static_cast<std::size_t>(layer)]}},
                        name);
}

Value* Graph::head_rows(Value* x) {
  std::int64_t rows = x->type.shape[0];
  if (options_.head == Head::kAll || rows == 1) return x;
  return builder_.value(OpKind::kSliceRows, {x}, {{"begin", rows - 1}, {"end", rows}}, "last");
}

}  // namespace tally::nets
