// SPDX-License-Identifier: Apache-2.0
#include "models/measure/find_model.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "models/nets/import.h"

namespace tally::measure {

namespace fs = std::filesystem;

std::vector<std::string> zoo_models(const std::string& zoo) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(zoo, error))
    if (fs::exists(entry.path() / "config.json", error))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

Expected<nets::Model> find_model(const std::string& name_or_path, const std::string& zoo) {
  const std::vector<std::string> names = zoo_models(zoo);
  if (std::ranges::find(names, name_or_path) != names.end())
    return nets::import_model((fs::path(zoo) / name_or_path).string());
  std::error_code error;
  if (fs::is_directory(name_or_path, error)) return nets::import_model(name_or_path);
  for (const char* ending : {".onnx", ".gguf"})
    if (name_or_path.ends_with(ending))
      return fail("{}: {} files are not read yet; give a Hugging Face folder", name_or_path,
                  ending);
  return fail("model '{}' is neither in the zoo ({}) nor a folder", name_or_path,
              fmt::join(names, ", "));
}

}  // namespace tally::measure
