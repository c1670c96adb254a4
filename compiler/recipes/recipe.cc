// SPDX-License-Identifier: Apache-2.0
#include "compiler/recipes/recipe.h"

#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

namespace tally {
namespace {

bool always(const Recipe&) { return true; }

bool is_static(const Recipe& recipe) {
  return recipe.activation_scales == ScaleSource::kTensor ||
         recipe.attention_scales == ScaleSource::kTensor;
}

bool by_percentile(const Recipe& recipe) {
  return is_static(recipe) && recipe.calibration->method == CalibrationMethod::kPercentile;
}

CalibrationRecipe& calibration(Recipe& recipe) {
  if (!recipe.calibration) recipe.calibration.emplace();
  return *recipe.calibration;
}

// One key. Keys are read in the order of the table; `applies` may look at those before it.
struct Key {
  const char* path;
  const char* allowed;  // for messages
  bool (*applies)(const Recipe&);
  const char* when;  // what `applies` asks, for messages
  // Takes the value; false where it is not an allowed one.
  bool (*take)(Recipe&, const toml::node&);
};

constexpr const char* kStaticOnly =
    "activations.scales or attention.scales = \"tensor\" (static scales)";

bool take_text(const toml::node& node, std::string* text) {
  if (!node.is_string()) return false;
  *text = *node.value<std::string>();
  return !text->empty();
}

// The place of the node's string in `names`.
template <class Enum>
bool take_enum(const toml::node& node, std::initializer_list<const char*> names, Enum* value) {
  std::string text;
  if (!take_text(node, &text)) return false;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return false;
  *value = static_cast<Enum>(found - names.begin());
  return true;
}

bool take_integer(const toml::node& node, std::int64_t low, std::int64_t high,
                  std::int64_t* value) {
  if (!node.is_integer()) return false;
  *value = *node.value<std::int64_t>();
  return *value >= low && *value <= high;
}

bool take_percentile(Recipe& recipe, const toml::node& node) {
  if (!node.is_number()) return false;
  const double value = *node.value<double>();
  calibration(recipe).percentile = value;
  return value >= 90 && value < 100;
}

bool take_set(Recipe& recipe, const toml::node& node) {
  if (!take_text(node, &calibration(recipe).set)) return false;
  if (recipe.calibration->set == "none") recipe.calibration->set.clear();
  return true;
}

constexpr std::int64_t kMaxBlock = 65536;
constexpr std::int64_t kMaxSamples = 1'000'000;

enum class WeightFormat { kInt8 };

constexpr Key kKeys[] = {
    {"name", "a string that is not empty", always, "",
     [](Recipe& r, const toml::node& n) { return take_text(n, &r.name); }},
    {"description", "a string that is not empty", always, "",
     [](Recipe& r, const toml::node& n) { return take_text(n, &r.description); }},
    {"weights.format", "\"int8\"", always, "",
     [](Recipe&, const toml::node& n) {
       WeightFormat format;
       return take_enum(n, {"int8"}, &format);
     }},
    {"weights.granularity", "\"channel\" or \"tensor\"", always, "",
     [](Recipe& r, const toml::node& n) {
       return take_enum(n, {"channel", "tensor"}, &r.weight_granularity);
     }},
    {"activations.format", "\"int8\" or \"uint8\"", always, "",
     [](Recipe& r, const toml::node& n) {
       return take_enum(n, {"int8", "uint8"}, &r.activation_format);
     }},
    {"activations.scales", "\"token\" or \"tensor\"", always, "",
     [](Recipe& r, const toml::node& n) {
       return take_enum(n, {"token", "tensor"}, &r.activation_scales);
     }},
    {"attention.scales", "\"token\" or \"tensor\"", always, "",
     [](Recipe& r, const toml::node& n) {
       return take_enum(n, {"token", "tensor"}, &r.attention_scales);
     }},
    {"attention.block", "an integer, 0 (the whole row) to 65536", always, "",
     [](Recipe& r, const toml::node& n) {
       return take_integer(n, 0, kMaxBlock, &r.attention_block);
     }},
    {"calibration.method", "\"minmax\", \"percentile\" or \"mse\"", is_static, kStaticOnly,
     [](Recipe& r, const toml::node& n) {
       return take_enum(n, {"minmax", "percentile", "mse"}, &calibration(r).method);
     }},
    {"calibration.percentile", "a number, at least 90 and below 100", by_percentile,
     "calibration.method = \"percentile\"", take_percentile},
    {"calibration.set", "the name of a data set, or \"none\"", is_static, kStaticOnly, take_set},
    {"calibration.samples", "an integer, 1 to 1000000", is_static, kStaticOnly,
     [](Recipe& r, const toml::node& n) {
       return take_integer(n, 1, kMaxSamples, &calibration(r).samples);
     }},
};

Status check_keys_known(const toml::table& table, const std::string& prefix,
                        const std::string& file) {
  for (const auto& [name, node] : table) {
    const std::string path = prefix + std::string(name.str());
    if (const toml::table* section = node.as_table()) {
      TALLY_TRY(check_keys_known(*section, path + ".", file));
    } else if (std::ranges::none_of(kKeys, [&](const Key& key) { return path == key.path; })) {
      return fail("{}: unknown key '{}'", file, path);
    }
  }
  return {};
}

Status read_key(const toml::table& table, const Key& key, Recipe* recipe) {
  const auto node = table.at_path(key.path);
  if (!key.applies(*recipe)) {
    if (!node) return {};
    return fail("{}: key '{}' applies only with {}", recipe->file, key.path, key.when);
  }
  if (!node) return fail("{}: key '{}' is missing ({})", recipe->file, key.path, key.allowed);
  if (!key.take(*recipe, *node.node())) {
    std::ostringstream value;
    node.node()->visit([&](const auto& typed) {
      if constexpr (toml::is_value<decltype(typed)>) value << "is " << typed << ", ";
    });
    return fail("{}: key '{}' {}allowed: {}", recipe->file, key.path, value.str(), key.allowed);
  }
  return {};
}

Status check_combinations(const Recipe& recipe) {
  if (recipe.activation_scales == ScaleSource::kToken &&
      recipe.activation_format != ActivationFormat::kInt8)
    return fail(
        "{}: key 'activations.format' is 'uint8', allowed with activations.scales = \"token\": "
        "\"int8\"",
        recipe.file);
  return {};
}

}  // namespace

std::string_view calibration_method_name(CalibrationMethod method) {
  constexpr std::string_view kNames[] = {"minmax", "percentile", "mse"};
  return kNames[static_cast<int>(method)];
}

Expected<Recipe> parse_recipe(const std::string& text, const std::string& file) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return fail("{}: line {}: {}", file, error.source().begin.line, error.description());
  }
  TALLY_TRY(check_keys_known(table, "", file));
  Recipe recipe;
  recipe.file = file;
  for (const Key& key : kKeys) TALLY_TRY(read_key(table, key, &recipe));
  TALLY_TRY(check_combinations(recipe));
  return recipe;
}

Expected<Recipe> load_recipe(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file.good() || !text.good()) return fail("{}: cannot be read", path);
  return parse_recipe(text.str(), path);
}

std::vector<std::string> recipe_names(const std::string& directory) {
  std::error_code error;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error))
    if (entry.path().extension() == ".toml") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

Expected<Recipe> find_recipe(const std::string& name_or_path, const std::string& directory) {
  const std::filesystem::path shipped = std::filesystem::path(directory) / (name_or_path + ".toml");
  if (name_or_path.find('/') == std::string::npos && std::filesystem::exists(shipped))
    return load_recipe(shipped.string());
  if (name_or_path.ends_with(".toml")) return load_recipe(name_or_path);
  return fail("recipe '{}' is neither a shipped name ({}) nor a TOML file", name_or_path,
              fmt::join(recipe_names(directory), ", "));
}

}  // namespace tally
