// SPDX-License-Identifier: Apache-2.0
// The fp32 reference of an imported model: its graph before any lowering, interpreted. One graph a
// sequence length, made when first needed. May be called from several threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "models/data/data_set.h"
#include "models/nets/build.h"
#include "models/nets/score.h"
#include "models/ops/interpreter.h"

namespace tally::nets {

class Reference {
 public:
  // The model outlives the reference.
  explicit Reference(const Model& model) : model_(model) {}

  // Logits f32[ids, vocabulary] of a language model. An id outside the vocabulary is an error.
  Expected<ir::Tensor> logits(std::span<const std::int32_t> ids);
  // Logits f32[1, classes] of an image, bytes [channels, height, width].
  Expected<ir::Tensor> logits(std::span<const std::uint8_t> image);

 private:
  struct Graph {
    std::unique_ptr<const ir::Module> module;
    ops::Interpreter interpreter;
  };
  Expected<const Graph*> graph(std::int64_t tokens);
  Expected<ir::Tensor> run(std::int64_t tokens, const std::string& input, ir::Tensor value);

  const Model& model_;
  std::mutex mutex_;
  std::map<std::int64_t, std::unique_ptr<const Graph>> graphs_;
};

struct Accuracy {
  std::string metric;        // "perplexity" or "top-1"
  double value = 0;          // perplexity of a token; share of right answers, 0 to 1
  double loss = 0;           // nats a token; 0 for top-1
  std::int64_t samples = 0;  // predicted tokens, or images
};

// The image of a sample of a classification set, as the input of a ViT; an error where it is no
// image of that size or a value is no byte.
Expected<ir::Tensor> image_input(const ModelConfig& config, std::span<const float> pixels);

// The reference's accuracy on a set: perplexity over all tokens but the first of each sequence
// (task lm), top-1 (classify), on `threads` threads. The result does not depend on the threads. An
// error where model and task do not fit, or a sample is not one of the model's; it names the set
// and the sample.
Expected<Accuracy> reference_accuracy(const Model& model, const DataSet& set, int threads = 1);

}  // namespace tally::nets
