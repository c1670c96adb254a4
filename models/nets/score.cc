// SPDX-License-Identifier: Apache-2.0
#include "models/nets/score.h"

#include <algorithm>
#include <cmath>

namespace tally::nets {

Expected<std::int32_t> argmax(std::span<const float> logits) {
  if (std::ranges::any_of(logits, [](float x) { return std::isnan(x); }))
    return fail("a logit is NaN");
  return static_cast<std::int32_t>(std::ranges::max_element(logits) - logits.begin());
}

Expected<double> negative_log_likelihood(std::span<const float> logits, std::int32_t target) {
  if (target < 0 || static_cast<std::size_t>(target) >= logits.size())
    return fail("target {} is not in 0..{}", target, logits.size() - 1);
  double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (float logit : logits) sum += std::exp(logit - largest);
  double loss = largest + std::log(sum) - logits[static_cast<std::size_t>(target)];
  if (std::isnan(loss)) return fail("the logits have no softmax");
  return loss;
}

double LossSum::perplexity() const { return std::exp(mean()); }

Expected<LossSum> sequence_loss(const ir::Tensor& logits, std::span<const std::int32_t> ids) {
  auto width = static_cast<std::size_t>(logits.shape()[1]);
  TALLY_CHECK(logits.shape()[0] == static_cast<std::int64_t>(ids.size()), "{} rows for {} ids",
              logits.shape()[0], ids.size());
  LossSum sum;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    auto row = logits.as<float>().subspan(i * width, width);
    TALLY_ASSIGN(double loss, negative_log_likelihood(row, ids[i + 1]));
    sum.total += loss;
    ++sum.tokens;
  }
  return sum;
}

}  // namespace tally::nets
