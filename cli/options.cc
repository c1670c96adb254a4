// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <thread>

#include "cli/paths.h"
#include "models/nets/generate.h"

namespace tally::cli {
namespace {

// "A..B": layers A to B, both counted, the first being 0.
Expected<std::pair<std::int64_t, std::int64_t>> parse_layers(const std::string& text) {
  std::int64_t first = 0, last = 0;
  const char* end = text.data() + text.size();
  const auto [middle, error] = std::from_chars(text.data(), end, first);
  const bool dots = error == std::errc() && std::string_view(middle, end).starts_with("..");
  if (!dots) return fail("--layers '{}' is not A..B", text);
  const auto [rest, error2] = std::from_chars(middle + 2, end, last);
  if (error2 != std::errc() || rest != end) return fail("--layers '{}' is not A..B", text);
  return std::pair(first, last + 1);
}

}  // namespace

void add_model(CommandLine command, CommonOptions* options) {
  command.option("MODEL", &options->model, "a model of the zoo or a Hugging Face folder")
      .required();
}

void add_design(CommandLine command, CommonOptions* options) {
  command.option("--design", &options->design, "a shipped design or a TOML file").default_shown();
}

void add_recipe(CommandLine command, CommonOptions* options) {
  command.option("--recipe", &options->recipe, "a shipped recipe or a TOML file").default_shown();
  command.option("--calibrate", &options->calibrate,
                 "data set that static scales are measured on (default: the recipe's)");
}

void add_shape(CommandLine command, CommonOptions* options) {
  command.option("--sequence", &options->sequence, "tokens, where no data is given").positive();
  command.option("--layers", &options->layers, "A..B: only layers A to B (from 0)");
  command.option("--head", &options->head, "rows of the logits: last or all")
      .default_shown()
      .one_of({"last", "all"});
  command
      .option("--decode-at", &options->decode_at,
              "one decoding step with the token at this position (from 0)")
      .not_negative();
}

void add_results(CommandLine command, CommonOptions* options) {
  command.option("--json", &options->json, "write the result object here");
}

void add_running(CommandLine command, CommonOptions* options) {
  command.option("--seed", &options->seed, "of random inputs").default_shown();
  command.option("--threads", &options->threads, "host threads (default: all)").between(1, 1024);
  command.flag("--explain", &options->explain, "say what was done in more detail");
}

Expected<nets::BuildOptions> shape_of(const CommonOptions& options, const nets::Model& model) {
  nets::BuildOptions shape;
  if (!options.layers.empty()) {
    TALLY_ASSIGN(shape.layers, parse_layers(options.layers));
  }
  shape.head = options.head == "last" ? nets::Head::kLast : nets::Head::kAll;
  if (!model.config.is_language_model()) {
    if (options.decode_at || options.sequence)
      return fail("model '{}' is an image model: --{} does not apply", model.name,
                  options.decode_at ? "decode-at" : "sequence");
    return shape;
  }
  const std::int64_t longest = model.config.positions;
  shape.tokens = options.sequence.value_or(std::min(longest, kDefaultTokens));
  if (options.decode_at) {
    if (options.sequence) return fail("--decode-at and --sequence exclude each other");
    if (*options.decode_at >= longest)
      return fail("--decode-at {}: model '{}' has positions 0 to {}", *options.decode_at,
                  model.name, longest - 1);
    const std::int64_t bucket = nets::kCacheBucket;
    shape.tokens = 1;
    shape.decode = true;
    shape.cache = std::min((*options.decode_at / bucket + 1) * bucket, longest);
  }
  return shape;
}

int threads_of(const CommonOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

Expected<Design> design_of(const CommonOptions& options) {
  return find_design(options.design, designs_folder());
}

Expected<Recipe> recipe_of(const CommonOptions& options) {
  return find_recipe(options.recipe, recipes_folder());
}

}  // namespace tally::cli
