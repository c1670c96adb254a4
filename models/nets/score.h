// SPDX-License-Identifier: Apache-2.0
// Accuracy from logits, whichever backend made them: sums in binary64.
#pragma once

#include <cstdint>
#include <span>

#include "compiler/ir/tensor.h"

namespace tally::nets {

// The first largest value. An error where one is NaN.
Expected<std::int32_t> argmax(std::span<const float> logits);

// Negative log-likelihood of `target` under softmax of the logits, in nats. An error where a logit
// is NaN or +infinity, all are -infinity, or the target is not an index.
Expected<double> negative_log_likelihood(std::span<const float> logits, std::int32_t target);

struct LossSum {
  double total = 0;  // nats
  std::int64_t tokens = 0;

  double mean() const { return total / static_cast<double>(tokens); }
  double perplexity() const;
};

// The loss of a sequence: row i of f32[tokens, vocabulary] predicts ids[i + 1].
Expected<LossSum> sequence_loss(const ir::Tensor& logits, std::span<const std::int32_t> ids);

}  // namespace tally::nets
