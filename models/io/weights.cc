// SPDX-License-Identifier: Apache-2.0
#include "models/io/weights.h"

#include <algorithm>
#include <filesystem>

#include "models/io/json.h"

namespace tally::io {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// A file of the folder itself: no separators, no parent.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == name.npos;
}

// File name -> tensors that the index places there.
Expected<std::map<std::string, std::vector<std::string>>> read_index(const std::string& index) {
  TALLY_ASSIGN(json value, read_json_object(index));
  auto found = value.find("weight_map");
  if (found == value.end() || !found->is_object() || found->empty())
    return fail("{}: key 'weight_map' is missing, empty or not an object", index);
  std::map<std::string, std::vector<std::string>> shards;
  for (const auto& [name, shard] : found->items()) {
    if (!shard.is_string() || !is_plain_name(shard.get<std::string>()))
      return fail("{}: tensor '{}': its shard is not the name of a file in the folder", index,
                  name);
    shards[shard.get<std::string>()].push_back(name);
  }
  return shards;
}

}  // namespace

Expected<std::shared_ptr<const Weights>> Weights::open(const std::string& folder) {
  std::shared_ptr<Weights> weights(new Weights);
  fs::path index = fs::path(folder) / kIndex;
  fs::path single = fs::path(folder) / kSingle;
  if (is_file(index))
    TALLY_TRY(weights->open_index(folder, index.string()));
  else
    TALLY_TRY(weights->open_single(single.string()));
  weights->note_stray_files(folder);
  return std::shared_ptr<const Weights>(weights);
}

Status Weights::open_single(const std::string& path) {
  if (!is_file(path)) return fail("{}: no such file, and no {} beside it", path, kIndex);
  source_ = path;
  TALLY_ASSIGN(Safetensors opened, Safetensors::open(path));
  auto file = std::make_shared<const Safetensors>(std::move(opened));
  files_[kSingle] = file;
  for (const auto& [name, entry] : file->entries()) places_[name] = file.get();
  return {};
}

Status Weights::open_index(const std::string& folder, const std::string& index) {
  source_ = index;
  TALLY_ASSIGN(auto shards, read_index(index));
  return add_shards(shards, folder);
}

Status Weights::add_shards(const std::map<std::string, std::vector<std::string>>& shards,
                           const std::string& folder) {
  for (const auto& [shard, tensors] : shards)
    if (!is_file(fs::path(folder) / shard))
      return fail(
          "{}: shard '{}', which holds tensor '{}', is not in the folder (incomplete download?)",
          source_, shard, tensors.front());
  for (const auto& [shard, tensors] : shards) {
    TALLY_ASSIGN(Safetensors opened, Safetensors::open((fs::path(folder) / shard).string()));
    auto file = std::make_shared<const Safetensors>(std::move(opened));
    files_[shard] = file;
    for (const std::string& name : tensors) {
      if (file->find(name) == nullptr)
        return fail("{}: tensor '{}' is not in shard '{}' (incomplete download, or a stale index?)",
                    source_, name, shard);
      places_[name] = file.get();
    }
  }
  return {};
}

void Weights::note_stray_files(const std::string& folder) {
  std::vector<std::string> stray;
  std::error_code error;
  for (const auto& item : fs::directory_iterator(folder, error)) {
    std::string name = item.path().filename().string();
    if (name.ends_with(".safetensors") && !files_.contains(name)) stray.push_back(name);
  }
  std::ranges::sort(stray);
  for (const std::string& name : stray)
    notes_.push_back(fmt::format("{}: ignored: {} does not name it",
                                 (fs::path(folder) / name).string(),
                                 fs::path(source_).filename().string()));
}

const ir::Shape& Weights::shape(const std::string& name) const {
  return places_.at(name)->find(name)->shape;
}

std::optional<std::string> Weights::alias(const std::string& name) const {
  for (const auto& [file_name, file] : files_) {
    auto found = file->metadata().find(name);
    if (found != file->metadata().end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace tally::io
