// SPDX-License-Identifier: Apache-2.0
// What the families' graphs are put together from: layers that take their weights from the model by
// name.
#pragma once

#include <string>

#include "compiler/ir/builder.h"
#include "models/nets/build.h"

namespace tally::nets {

class Graph {
 public:
  Graph(const Model& model, const BuildOptions& options, ir::Module* module);

  const ModelConfig& config() const { return model_.config; }
  const BuildOptions& options() const { return options_; }
  std::int64_t first_layer() const { return first_layer_; }
  std::int64_t end_layer() const { return end_layer_; }
  // The graph begins with the first layer, ends with the last.
  bool has_embedding() const { return first_layer_ == 0; }
  bool has_head() const { return end_layer_ == config().layers; }

  ir::Builder& builder() { return builder_; }
  ir::Value* tensor(const std::string& name);

  // NAME.weight and, where the model has it, NAME.bias; the node is NAME.
  ir::Value* linear(ir::Value* x, const std::string& name);
  ir::Value* layernorm(ir::Value* x, const std::string& name);
  ir::Value* rmsnorm(ir::Value* x, const std::string& name);
  ir::Value* activation(ir::Value* x, const std::string& name);
  ir::Value* add(ir::Value* a, ir::Value* b, const std::string& name);
  ir::Value* mul(ir::Value* a, ir::Value* b, const std::string& name);

  // ids -> rows of the table.
  ir::Value* embed(const std::string& table);
  // Rows of `table`, f32[rows >= positions, width], for the positions of the tokens.
  ir::Value* at_positions(const std::string& table, std::int64_t rows, const std::string& name);
  // Input `hidden`, where the first layers are left out.
  ir::Value* hidden_input(std::int64_t rows);
  // Self attention of a layer; k and v go through the cache if there is one.
  ir::Value* attention(ir::Value* q, ir::Value* k, ir::Value* v, std::int64_t layer,
                       const std::string& name);
  // The row that the head works on, or all.
  ir::Value* head_rows(ir::Value* x);
  // Adds a tensor that the graph makes itself.
  void add_tensor(const std::string& name, ir::Tensor value);

 private:
  ir::Value* position();
  ir::Value* through_cache(ir::Value* rows, const std::string& name);

  const Model& model_;
  const BuildOptions& options_;
  ir::Module* module_;
  ir::Builder builder_;
  std::int64_t first_layer_ = 0;
  std::int64_t end_layer_ = 0;
  ir::Value* position_ = nullptr;
  ir::Value* mask_ = nullptr;
};

}  // namespace tally::nets
