// SPDX-License-Identifier: Apache-2.0
#include "models/data/sets.h"

#include <filesystem>

#include "models/data/fashion_mnist.h"
#include "models/data/set_json.h"

namespace tally {
namespace {

std::string name_list() {
  std::string names;
  for (const SetInfo& set : named_sets()) names += (names.empty() ? "" : ", ") + set.name;
  return names;
}

}  // namespace

const std::vector<SetInfo>& named_sets() {
  static const std::vector<SetInfo> sets = {
      {"fashion-test", "Fashion-MNIST, the 10,000 test images"},
      {"fashion-train", "Fashion-MNIST, the 60,000 training images"},
      {"kjv-test", "King James text, the held-out last 298,239 bytes, in sequences"},
      {"kjv-train", "King James text, the first 4,000,000 bytes, in sequences"},
  };
  return sets;
}

Expected<DataSet> load_set(const std::string& name_or_path, std::optional<std::size_t> limit,
                           std::size_t context) {
  if (name_or_path == "fashion-test") return load_fashion_mnist(Split::kTest, limit);
  if (name_or_path == "fashion-train") return load_fashion_mnist(Split::kTrain, limit);
  if (name_or_path == "kjv-test") return load_kjv(Split::kTest, context, limit);
  if (name_or_path == "kjv-train") return load_kjv(Split::kTrain, context, limit);
  std::error_code ignored;
  if (!std::filesystem::exists(name_or_path, ignored))
    return fail("{}: neither a data set ({}) nor a file", name_or_path, name_list());
  return read_set_json(name_or_path, limit);
}

}  // namespace tally
