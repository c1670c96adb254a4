// SPDX-License-Identifier: Apache-2.0
#include "models/nets/reference.h"

#include <cmath>

#include "models/nets/parallel.h"

namespace tally::nets {

using ir::Tensor;

Expected<const Reference::Graph*> Reference::graph(std::int64_t tokens) {
  std::lock_guard lock(mutex_);
  if (auto found = graphs_.find(tokens); found != graphs_.end()) return found->second.get();
  TALLY_ASSIGN(ir::Module module, build(model_, {.tokens = tokens}));
  auto kept = std::make_unique<ir::Module>(std::move(module));
  TALLY_ASSIGN(ops::Interpreter interpreter,
               ops::Interpreter::create(*kept, ops::Semantics::kReference));
  auto& slot = graphs_[tokens];
  slot = std::make_unique<const Graph>(Graph{std::move(kept), std::move(interpreter)});
  return slot.get();
}

Expected<Tensor> Reference::run(std::int64_t tokens, const std::string& input, Tensor value) {
  TALLY_ASSIGN(const Graph* graph, graph(tokens));
  TALLY_ASSIGN(ops::Tensors outputs, graph->interpreter.run({{input, std::move(value)}}));
  return outputs.at("logits");
}

Expected<Tensor> Reference::logits(std::span<const std::int32_t> ids) {
  auto tokens = static_cast<std::int64_t>(ids.size());
  return run(tokens, "ids", Tensor::of<std::int32_t>({tokens}, {ids.begin(), ids.end()}));
}

Expected<Tensor> Reference::logits(std::span<const std::uint8_t> image) {
  const ImageConfig& config = model_.config.image;
  ir::Shape shape = {config.channels, config.size, config.size};
  if (static_cast<std::int64_t>(image.size()) != ir::element_count(shape))
    return fail("model '{}': {} bytes are no image of {}", model_.name, image.size(),
                ir::shape_text(shape));
  return run(model_.config.positions, "image",
             Tensor::of<std::uint8_t>(shape, {image.begin(), image.end()}));
}

Expected<Tensor> image_input(const ModelConfig& config, std::span<const float> pixels) {
  ir::Shape shape = {config.image.channels, config.image.size, config.image.size};
  if (static_cast<std::int64_t>(pixels.size()) != ir::element_count(shape))
    return fail("{} values are no image of {}", pixels.size(), ir::shape_text(shape));
  std::vector<std::uint8_t> bytes;
  for (float pixel : pixels) {
    if (!(pixel >= 0 && pixel <= 255) || pixel != std::floor(pixel))
      return fail("pixel value {} is not an integer in 0..255", pixel);
    bytes.push_back(static_cast<std::uint8_t>(pixel));
  }
  return Tensor::of(shape, std::move(bytes));
}

namespace {

// What one sample adds.
struct SampleScore {
  LossSum loss;
  bool right = false;
};

Expected<SampleScore> score_sequence(Reference& reference, const DataSet& set, std::size_t i) {
  SampleScore score;
  TALLY_ASSIGN(Tensor logits, reference.logits(set.sequences[i]));
  TALLY_ASSIGN(score.loss, sequence_loss(logits, set.sequences[i]));
  return score;
}

Expected<SampleScore> score_image(Reference& reference, const Model& model, const DataSet& set,
                                  std::size_t i) {
  if (set.labels[i] < 0 || set.labels[i] >= model.config.outputs)
    return fail("label {} is not in 0..{}", set.labels[i], model.config.outputs - 1);
  TALLY_ASSIGN(Tensor image, image_input(model.config, set.inputs[i]));
  TALLY_ASSIGN(Tensor logits, reference.logits(image.as<std::uint8_t>()));
  TALLY_ASSIGN(std::int32_t answer, argmax(logits.as<float>()));
  return SampleScore{{}, answer == set.labels[i]};
}

Status check_task(const Model& model, const DataSet& set) {
  Task wanted = model.config.is_language_model() ? Task::kLm : Task::kClassify;
  if (set.task != wanted)
    return fail("set '{}': its task is {}, but model '{}' does {}", set.name, task_name(set.task),
                model.name, task_name(wanted));
  if (set.samples() == 0) return fail("set '{}': no samples", set.name);
  return {};
}

Accuracy summarise(const std::vector<SampleScore>& scores, Task task) {
  LossSum loss;
  std::int64_t right = 0;
  for (const SampleScore& score : scores) {
    loss.total += score.loss.total;
    loss.tokens += score.loss.tokens;
    right += score.right;
  }
  if (task == Task::kLm) return {"perplexity", loss.perplexity(), loss.mean(), loss.tokens};
  auto samples = static_cast<std::int64_t>(scores.size());
  return {"top-1", static_cast<double>(right) / static_cast<double>(samples), 0, samples};
}

}  // namespace

Expected<Accuracy> reference_accuracy(const Model& model, const DataSet& set, int threads) {
  TALLY_TRY(check_task(model, set));
  Reference reference(model);
  std::vector<Expected<SampleScore>> scores(set.samples());
  parallel_for(set.samples(), threads, [&](std::size_t i) {
    scores[i] = set.task == Task::kLm ? score_sequence(reference, set, i)
                                      : score_image(reference, model, set, i);
  });
  std::vector<SampleScore> good;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (!scores[i])
      return fail("set '{}', sample {}: {}", set.name, set.indices[i], scores[i].error().message);
    good.push_back(*scores[i]);
  }
  return summarise(good, set.task);
}

}  // namespace tally::nets
