// SPDX-License-Identifier: Apache-2.0
// tally list: what ships with Tally, one name a line with one line about it.
#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/paths.h"
#include "compiler/design/design.h"
#include "compiler/recipes/recipe.h"
#include "models/data/sets.h"
#include "models/measure/backend.h"
#include "models/measure/find_model.h"
#include "models/nets/import.h"

namespace tally::cli {
namespace {

void print(const std::string& name, const std::string& about) {
  std::cout << fmt::format("{:<16} {}\n", name, about);
}

Expected<int> list_models() {
  for (const std::string& name : measure::zoo_models(zoo_folder())) {
    TALLY_ASSIGN(const nets::Model model, nets::import_model(zoo_folder() + "/" + name));
    const nets::ModelConfig& config = model.config;
    print(name, fmt::format("{}: {} layers, width {}, {} heads, {} outputs",
                            nets::family_name(config.family), config.layers, config.hidden,
                            config.heads, config.outputs));
  }
  return kOk;
}

Expected<int> list_designs() {
  for (const std::string& name : recipe_names(designs_folder())) {
    TALLY_ASSIGN(const Design design, find_design(name, designs_folder()));
    print(name, design.description);
  }
  return kOk;
}

Expected<int> list_recipes() {
  for (const std::string& name : recipe_names(recipes_folder())) {
    TALLY_ASSIGN(const Recipe recipe, find_recipe(name, recipes_folder()));
    print(name, recipe.description);
  }
  return kOk;
}

Expected<int> list_backends() {
  for (const measure::BackendInfo& info : measure::backends())
    print(info.name, info.about + (info.available ? "" : " (not in this build)"));
  return kOk;
}

Expected<int> list_data() {
  for (const SetInfo& set : named_sets()) print(set.name, set.about);
  return kOk;
}

struct Kind {
  const char* name;
  Expected<int> (*list)();
};
constexpr Kind kKinds[] = {{"models", list_models},
                           {"designs", list_designs},
                           {"recipes", list_recipes},
                           {"backends", list_backends},
                           {"data", list_data}};

Expected<int> list(const std::string& name) {
  for (const Kind& kind : kKinds)
    if (name == kind.name) return kind.list();
  return fail("list: '{}' is none of models, designs, recipes, backends, data", name);
}

}  // namespace

void add_list(CommandLine app, Action* action) {
  auto what = std::make_shared<std::string>();
  CommandLine command = app.command("list", "what ships with Tally");
  command.option("WHAT", what.get(), "models, designs, recipes, backends or data").required();
  command.when_chosen([what, action] { *action = [what] { return list(*what); }; });
}

}  // namespace tally::cli
