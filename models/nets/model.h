// SPDX-License-Identifier: Apache-2.0
// An imported transformer: its sizes and its weights, in the one form that the graph builder
// (build.h) takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/ir/op_info.h"
#include "compiler/ir/tensor_store.h"

namespace tally::nets {

enum class Family { kGpt2, kLlama, kVit };

// As `model_type` in config.json: "gpt2", "llama", "vit".
std::string_view family_name(Family family);

// A patch encoder's input.
struct ImageConfig {
  std::int64_t channels = 0;
  std::int64_t size = 0;  // pixels in height and in width
  std::int64_t patch = 0;
  // pixel byte x scale + bias, one a channel: rescaling and normalisation in one.
  std::vector<float> scale;
  std::vector<float> bias;

  std::int64_t patches() const { return (size / patch) * (size / patch); }
};

struct ModelConfig {
  Family family = Family::kGpt2;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t ffn = 0;
  std::int64_t outputs = 0;    // vocabulary, or classes
  std::int64_t positions = 0;  // longest sequence
  float eps = 0;
  ir::OpKind activation = ir::OpKind::kGeluErf;
  // Scale of the scores, one a layer.
  std::vector<float> attention_scales;
  // LLaMA: radians a position of each of the head_dim / 2 pairs.
  std::vector<float> rope_frequencies;
  ImageConfig image;  // ViT

  bool is_language_model() const { return family != Family::kVit; }
};

struct Model {
  std::string name;    // of the folder
  std::string folder;  // as given
  ModelConfig config;
  // fp32 tensors under the names of Hugging Face without the family's prefix, matrices as (out,
  // in).
  ir::TensorStore store;
  // What a person should be told.
  std::vector<std::string> notes;
};

}  // namespace tally::nets
