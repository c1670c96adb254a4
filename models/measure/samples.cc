// SPDX-License-Identifier: Apache-2.0
#include "models/measure/samples.h"

#include <cmath>

#include "models/measure/random_inputs.h"
#include "models/nets/reference.h"
#include "models/nets/score.h"

namespace tally::measure {
Expected<Samples> Samples::from_set(const nets::Model& model, DataSet set) {
  const Task wanted = model.config.is_language_model() ? Task::kLm : Task::kClassify;
  if (set.task != wanted)
    return fail("data set '{}' is of task {}, but model '{}' of family {} is measured by task {}",
                set.name, task_name(set.task), model.name, nets::family_name(model.config.family),
                task_name(wanted));
  Samples samples(model.config);
  samples.count_ = static_cast<std::int64_t>(set.samples());
  samples.set_ = std::move(set);
  TALLY_TRY(samples.check());
  return samples;
}

Samples Samples::random(const nets::Model& model, std::int64_t count, std::int64_t tokens,
                        std::int64_t position, std::uint64_t seed) {
  Samples samples(model.config);
  samples.count_ = count;
  samples.random_tokens_ = model.config.is_language_model() ? tokens : 1;
  samples.position_ = position;
  samples.seed_ = seed;
  return samples;
}

Status Samples::check() const {
  return set_->task == Task::kLm ? check_sequences() : check_images();
}

Status Samples::check_sequences() const {
  for (std::size_t i = 0; i < set_->sequences.size(); ++i) {
    const auto& ids = set_->sequences[i];
    if (static_cast<std::int64_t>(ids.size()) > config_.positions)
      return fail("data set '{}': sequence {} has {} tokens, the model allows {}", set_->name, i,
                  ids.size(), config_.positions);
    for (const std::int32_t id : ids)
      if (id < 0 || id >= config_.outputs)
        return fail("data set '{}': sequence {} holds id {}, the model's vocabulary has {}",
                    set_->name, i, id, config_.outputs);
  }
  return {};
}

Status Samples::check_images() const {
  for (std::size_t i = 0; i < set_->inputs.size(); ++i) {
    if (const auto image = nets::image_input(config_, set_->inputs[i]); !image)
      return fail("data set '{}': input {}: {}", set_->name, i, image.error().message);
    if (set_->labels[i] >= config_.outputs)
      return fail("data set '{}': label {} is {}, the model has {} classes", set_->name, i,
                  set_->labels[i], config_.outputs);
  }
  return {};
}

std::int64_t Samples::tokens(std::int64_t sample) const {
  if (!set_) return random_tokens_;
  if (set_->task != Task::kLm) return 1;
  return static_cast<std::int64_t>(set_->sequences[static_cast<std::size_t>(sample)].size());
}

ops::Tensors Samples::set_inputs(std::size_t sample) const {
  if (set_->task == Task::kLm) {
    const auto& ids = set_->sequences[sample];
    return {{"ids", ir::Tensor::of<std::int32_t>({static_cast<std::int64_t>(ids.size())}, ids)}};
  }
  auto image = nets::image_input(config_, set_->inputs[sample]);
  TALLY_CHECK(image, "sample {} was checked", sample);
  return {{"image", std::move(*image)}};
}

ops::Tensors Samples::inputs(std::int64_t sample, const ir::Module& graph) const {
  if (set_) return set_inputs(static_cast<std::size_t>(sample));
  std::uint64_t state = seed_;
  return random_inputs(graph, config_.outputs, position_,
                       next_random(state) + static_cast<std::uint64_t>(sample));
}

std::string Samples::metric() const { return set_->task == Task::kLm ? "perplexity" : "top1"; }

Expected<Score> Samples::score(std::int64_t sample, const ir::Tensor& logits) const {
  const auto index = static_cast<std::size_t>(sample);
  if (set_->task == Task::kLm) {
    TALLY_ASSIGN(const nets::LossSum loss, nets::sequence_loss(logits, set_->sequences[index]));
    return Score{loss.total, loss.tokens};
  }
  TALLY_ASSIGN(const std::int32_t best, nets::argmax(logits.as<float>()));
  return Score{best == set_->labels[index] ? 1.0 : 0.0, 1};
}

double Samples::value(const Score& total) const {
  const double mean = total.sum / static_cast<double>(total.count);
  return set_->task == Task::kLm ? std::exp(mean) : mean;
}

}  // namespace tally::measure
