// SPDX-License-Identifier: Apache-2.0
// JSON of others, strictly: one value, no duplicate keys, bounded depth. Messages name the source
// and the byte.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "models/base/error.h"

namespace tally::io {

Expected<nlohmann::json> parse_json(std::string_view text, const std::string& source);

// The JSON object in a file.
Expected<nlohmann::json> read_json_object(const std::string& path);

}  // namespace tally::io
