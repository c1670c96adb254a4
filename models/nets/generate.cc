// SPDX-License-Identifier: Apache-2.0
#include "models/nets/generate.h"

#include <algorithm>
#include <map>
#include <memory>

#include "models/nets/score.h"

namespace tally::nets {
namespace {

using ir::Module;
using ir::Tensor;

bool is_cache(const std::string& name) { return name.starts_with("cache."); }

Tensor zeros(const ir::Shape& shape) {
  return Tensor::of(shape, std::vector<float>(static_cast<std::size_t>(ir::element_count(shape))));
}

// The cache with zero rows behind, up to `rows`.
Tensor grown(const Tensor& cache, std::int64_t rows) {
  auto old = cache.as<float>();
  std::vector<float> values(old.begin(), old.end());
  values.resize(static_cast<std::size_t>(rows * cache.shape()[1]));
  return Tensor::of({rows, cache.shape()[1]}, std::move(values));
}

class Decoder {
 public:
  Decoder(const Model& model, const Runner& runner) : model_(model), runner_(runner) {}

  // Logits of the last row.
  Expected<std::int32_t> prefill(std::span<const std::int32_t> ids) {
    auto tokens = static_cast<std::int64_t>(ids.size());
    rows_ = bucket(tokens);
    TALLY_ASSIGN(const Module* module,
                 module({.tokens = tokens, .head = Head::kLast, .cache = rows_}));
    for (const ir::Op* input : module->main()->inputs()) {
      const auto& name = input->get<std::string>("name");
      if (is_cache(name)) caches_[name] = zeros(input->result()->type.shape);
    }
    return step(*module, {{"ids", Tensor::of<std::int32_t>({tokens}, {ids.begin(), ids.end()})}});
  }

  // The token behind `id`, which stands at `position`.
  Expected<std::int32_t> decode(std::int32_t id, std::int64_t position) {
    if (position >= rows_) grow(bucket(position + 1));
    TALLY_ASSIGN(const Module* module, module({.cache = rows_, .decode = true}));
    std::vector<float> mask(static_cast<std::size_t>(rows_));
    std::fill_n(mask.begin(), position + 1, 1.0f);
    auto place = static_cast<std::int32_t>(position);
    return step(*module, {{"ids", Tensor::of<std::int32_t>({1}, {id})},
                          {"position", Tensor::of<std::int32_t>({1}, {place})},
                          {"mask", Tensor::of({rows_}, std::move(mask))}});
  }

 private:
  std::int64_t bucket(std::int64_t rows) const {
    std::int64_t whole = (rows + kCacheBucket - 1) / kCacheBucket * kCacheBucket;
    return std::min(whole, model_.config.positions);
  }

  void grow(std::int64_t rows) {
    for (auto& [name, cache] : caches_) cache = grown(cache, rows);
    rows_ = rows;
  }

  Expected<const Module*> module(const BuildOptions& options) {
    auto& slot = modules_[{options.decode, options.cache}];
    if (slot == nullptr) {
      TALLY_ASSIGN(Module built, build(model_, options));
      slot = std::make_unique<const Module>(std::move(built));
    }
    return slot.get();
  }

  Expected<std::int32_t> step(const Module& module, ops::Tensors inputs) {
    inputs.insert(caches_.begin(), caches_.end());
    TALLY_ASSIGN(ops::Tensors outputs, runner_(module, inputs));
    for (auto& [name, cache] : caches_) cache = outputs.at(name);
    return argmax(outputs.at("logits").as<float>());
  }

  const Model& model_;
  const Runner& runner_;
  std::int64_t rows_ = 0;
  ops::Tensors caches_;
  std::map<std::pair<bool, std::int64_t>, std::unique_ptr<const Module>> modules_;
};

}  // namespace

Runner reference_runner() {
  return [](const Module& module, const ops::Tensors& inputs) -> Expected<ops::Tensors> {
    TALLY_ASSIGN(ops::Interpreter interpreter,
                 ops::Interpreter::create(module, ops::Semantics::kReference));
    return interpreter.run(inputs);
  };
}

Expected<std::vector<std::int32_t>> generate(const Model& model,
                                             std::span<const std::int32_t> prompt,
                                             std::int64_t count, const Runner& runner) {
  if (!model.config.is_language_model()) return fail("model '{}' is no language model", model.name);
  if (prompt.empty()) return fail("the prompt is empty");
  for (const std::int32_t id : prompt)
    if (id < 0 || id >= model.config.outputs)
      return fail("the prompt holds id {}, the vocabulary of model '{}' has {}", id, model.name,
                  model.config.outputs);
  auto length = static_cast<std::int64_t>(prompt.size());
  if (count < 0 || count > model.config.positions - length)
    return fail("model '{}': {} and {} tokens are more than the {} that it allows", model.name,
                length, count, model.config.positions);
  std::vector<std::int32_t> ids(prompt.begin(), prompt.end());
  Decoder decoder(model, runner);
  for (std::int64_t i = 0; i < count; ++i) {
    auto next = i == 0 ? decoder.prefill(prompt) : decoder.decode(ids.back(), length + i - 1);
    if (!next) return tl::unexpected(next.error());
    ids.push_back(*next);
  }
  return ids;
}

}  // namespace tally::nets
