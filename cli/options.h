// SPDX-License-Identifier: Apache-2.0
// Options that several commands share, and what they name, loaded.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"
#include "compiler/design/design.h"
#include "compiler/recipes/recipe.h"
#include "models/nets/build.h"

namespace tally::cli {

struct CommonOptions {
  std::string model;
  std::string design = "base";
  std::string recipe = "int8";
  std::string json, output;  // files; empty: none
  std::string calibrate;     // data set; empty: the recipe's
  std::optional<std::int64_t> sequence;
  std::string layers;  // "A..B"; empty: all
  std::string head = "all";
  std::optional<std::int64_t> decode_at;
  std::uint64_t seed = 1;
  bool explain = false;
  int threads = 0;  // 0: as many as the host has
};

void add_model(CommandLine command, CommonOptions* options);
void add_design(CommandLine command, CommonOptions* options);
void add_recipe(CommandLine command, CommonOptions* options);  // and --calibrate
void add_shape(CommandLine command,
               CommonOptions* options);  // --sequence, --layers, --head, --decode-at
void add_results(CommandLine command, CommonOptions* options);  // --json
void add_running(CommandLine command, CommonOptions* options);  // --seed, --threads, --explain

// Tokens of a graph where no data says how many: --sequence, else the model's longest, at most 128.
inline constexpr std::int64_t kDefaultTokens = 128;

// The shape that the options ask for. Errors name the option.
Expected<nets::BuildOptions> shape_of(const CommonOptions& options, const nets::Model& model);
int threads_of(const CommonOptions& options);

Expected<Design> design_of(const CommonOptions& options);
Expected<Recipe> recipe_of(const CommonOptions& options);

}  // namespace tally::cli
