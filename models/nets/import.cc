// SPDX-License-Identifier: Apache-2.0
#include "models/nets/import.h"

#include <filesystem>

#include "models/nets/family.h"

namespace tally::nets {
namespace {

namespace fs = std::filesystem;

struct FamilyRow {
  std::string_view name;
  Family family;
  Status (*import)(const io::Config&, const SharedWeights&, Model*);
};
constexpr FamilyRow kFamilies[] = {{"gpt2", Family::kGpt2, import_gpt2},
                                   {"llama", Family::kLlama, import_llama},
                                   {"vit", Family::kVit, import_vit}};

Expected<FamilyRow> find_family(const io::Config& config) {
  TALLY_ASSIGN(std::string name, config.string("model_type"));
  for (const FamilyRow& row : kFamilies)
    if (row.name == name) return row;
  return config.key_error("model_type", "'{}' is not supported (known: gpt2, llama, vit)", name);
}

std::string folder_name(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

std::string_view family_name(Family family) {
  for (const FamilyRow& row : kFamilies)
    if (row.family == family) return row.name;
  TALLY_CHECK(false, "family {}", static_cast<int>(family));
  return {};
}

Expected<Model> import_model(const std::string& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) return fail("{}: no such folder", folder);
  TALLY_ASSIGN(io::Config config, io::Config::read((fs::path(folder) / "config.json").string()));
  TALLY_ASSIGN(FamilyRow row, find_family(config));
  TALLY_ASSIGN(SharedWeights weights, io::Weights::open(folder));
  Model model;
  model.name = folder_name(folder);
  model.folder = folder;
  model.config.family = row.family;
  model.notes = weights->notes();
  TALLY_TRY(row.import(config, weights, &model));
  return model;
}

}  // namespace tally::nets
