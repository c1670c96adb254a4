// SPDX-License-Identifier: Apache-2.0
// The samples of one measurement as a model takes them: those of a data set, or a number of seeded
// random ones (random_inputs.h).
#pragma once

#include <optional>

#include "models/data/data_set.h"
#include "models/nets/model.h"
#include "models/ops/interpreter.h"

namespace tally::measure {

// Sum over predicted tokens of the negative log likelihood (natural), or of right images; and how
// many there were.
struct Score {
  double sum = 0;
  std::int64_t count = 0;
};

class Samples {
 public:
  // Refuses a set that the model cannot be measured on, naming set and sample: another task, ids
  // outside the vocabulary, sequences longer than the model allows, inputs that are no images of
  // the model's size, labels that are no classes.
  static Expected<Samples> from_set(const nets::Model& model, DataSet set);
  // Of `tokens` tokens each; `position` is that of a decode step.
  static Samples random(const nets::Model& model, std::int64_t count, std::int64_t tokens,
                        std::int64_t position, std::uint64_t seed);

  std::int64_t count() const { return count_; }
  // Tokens of the graph for a sample: the ids of a sequence. 1 for images.
  std::int64_t tokens(std::int64_t sample) const;
  // Of a graph for that many tokens. Samples of a set need its inputs to be "ids" or "image".
  ops::Tensors inputs(std::int64_t sample, const ir::Module& graph) const;

  // Null for random samples.
  const DataSet* set() const { return set_ ? &*set_ : nullptr; }
  // "top1" or "perplexity"; only with a set.
  std::string metric() const;
  // What the logits of a sample are worth; accumulated in double.
  Expected<Score> score(std::int64_t sample, const ir::Tensor& logits) const;
  // The metric of a sum of scores.
  double value(const Score& total) const;

 private:
  explicit Samples(const nets::ModelConfig& config) : config_(config) {}
  Status check() const;
  Status check_sequences() const;
  Status check_images() const;
  ops::Tensors set_inputs(std::size_t sample) const;

  nets::ModelConfig config_;
  std::optional<DataSet> set_;
  std::int64_t count_ = 0;
  std::int64_t random_tokens_ = 0;
  std::int64_t position_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace tally::measure
