// SPDX-License-Identifier: Apache-2.0
#include "models/nets/build.h"

#include "compiler/ir/verifier.h"
#include "models/nets/family.h"

namespace tally::nets {
namespace {

Status check_layers(const Model& model, const BuildOptions& options) {
  if (!options.layers) return {};
  auto [first, end] = *options.layers;
  if (first < 0 || end <= first || end > model.config.layers)
    return fail("model '{}': layers {}..{} are not within its 0..{}", model.name, first, end - 1,
                model.config.layers - 1);
  return {};
}

Status check_language_options(const Model& model, const BuildOptions& options) {
  std::int64_t longest = std::max(options.tokens, options.cache);
  if (options.tokens < 1) return fail("model '{}': {} tokens", model.name, options.tokens);
  if (longest > model.config.positions)
    return fail("model '{}': a sequence of {} tokens is longer than the {} that it allows",
                model.name, longest, model.config.positions);
  if (options.cache != 0 && options.cache < options.tokens)
    return fail("model '{}': a cache of {} rows does not hold {} tokens", model.name, options.cache,
                options.tokens);
  if (options.decode && (options.cache == 0 || options.tokens != 1))
    return fail("model '{}': decoding takes one token and a cache", model.name);
  return {};
}

Status check_options(const Model& model, const BuildOptions& options) {
  TALLY_TRY(check_layers(model, options));
  if (model.config.is_language_model()) return check_language_options(model, options);
  if (options.cache != 0 || options.decode)
    return fail("model '{}': an image model has no cache", model.name);
  return {};
}

}  // namespace

Expected<ir::Module> build(const Model& model, const BuildOptions& options) {
  TALLY_TRY(check_options(model, options));
  ir::Module module(model.name);
  Graph graph(model, options, &module);
  switch (model.config.family) {
    case Family::kGpt2:
      build_gpt2(graph);
      break;
    case Family::kLlama:
      build_llama(graph);
      break;
    case Family::kVit:
      build_vit(graph);
      break;
  }
  TALLY_TRY(verify(module));
  return module;
}

}  // namespace tally::nets
