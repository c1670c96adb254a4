// SPDX-License-Identifier: Apache-2.0
// The weights of a Hugging Face folder: model.safetensors, or the shards that
// model.safetensors.index.json names (the index rules where both are there).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/io/safetensors.h"

namespace tally::io {

class Weights {
 public:
  // Opens and checks every shard. Errors name the shard and the tensor.
  static Expected<std::shared_ptr<const Weights>> open(const std::string& folder);

  bool has(const std::string& name) const { return places_.contains(name); }
  // Shape as stored. `name` is one that has() knows, here and below.
  const ir::Shape& shape(const std::string& name) const;
  // The file that holds the tensor, for messages.
  const std::string& file(const std::string& name) const { return places_.at(name)->path(); }
  // In fp32; see Safetensors::load().
  Expected<ir::Tensor> load(const std::string& name) const { return places_.at(name)->load(name); }
  Status check_finite(const std::string& name) const {
    return places_.at(name)->check_finite(name);
  }

  // The stored name that __metadata__ gives for a tensor that is stored once under another name.
  std::optional<std::string> alias(const std::string& name) const;
  // What a person should be told: files in the folder that are ignored.
  const std::vector<std::string>& notes() const { return notes_; }
  // The single file or the index, for messages about missing tensors.
  const std::string& source() const { return source_; }

 private:
  Weights() = default;
  Status open_single(const std::string& path);
  Status open_index(const std::string& folder, const std::string& index);
  Status add_shards(const std::map<std::string, std::vector<std::string>>& shards,
                    const std::string& folder);
  void note_stray_files(const std::string& folder);

  std::string source_;
  std::map<std::string, std::shared_ptr<const Safetensors>> files_;
  std::map<std::string, const Safetensors*> places_;
  std::vector<std::string> notes_;
};

}  // namespace tally::io
