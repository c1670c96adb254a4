// SPDX-License-Identifier: Apache-2.0
// Reads and writes data sets as JSON, the form in which users bring their own:
//   {"task":"lm","sequences":[[ids]]}
//   {"task":"classify","inputs":[[numbers]],"labels":[ids]}
//   {"task":"similarity","pairs":[{"a":[ids],"b":[ids],"score":number}]}
// Ids and labels are integers 0..2^31-1; numbers are finite and rounded to fp32.
#pragma once

#include <optional>
#include <string>

#include "models/data/data_set.h"

namespace tally {

// The first `limit` samples (all without a limit); the set's name is the path. Checks the whole
// file, also what the limit leaves out. Errors name the file and the key or element.
Expected<DataSet> read_set_json(const std::string& path,
                                std::optional<std::size_t> limit = std::nullopt);

// Writes the samples in memory; reading gives the same samples, numbered from 0. The file appears
// complete or not at all.
Status write_set_json(const DataSet& set, const std::string& path);

}  // namespace tally
