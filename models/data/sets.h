// SPDX-License-Identifier: Apache-2.0
// One door to all data: the named sets of the zoo, and JSON files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/data/data_set.h"
#include "models/data/kjv.h"

namespace tally {

struct SetInfo {
  std::string name;
  std::string about;  // one line for `tally list`
};

// fashion-test, fashion-train, kjv-test, kjv-train.
const std::vector<SetInfo>& named_sets();

// The set of that name, or else the JSON file (set_json.h) at that path; `limit` samples, or all.
// `context` is the sequence length of the KJV sets, ignored by others. Where neither a set nor a
// file is so named, the error lists the names.
Expected<DataSet> load_set(const std::string& name_or_path,
                           std::optional<std::size_t> limit = std::nullopt,
                           std::size_t context = kKjvContext);

}  // namespace tally
