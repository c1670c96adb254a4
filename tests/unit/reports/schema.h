// SPDX-License-Identifier: Apache-2.0
// Checks a JSON value against the part of JSON Schema draft 7 that docs/result.schema.json uses:
// type, enum, minimum, maximum, required, properties, additionalProperties, items.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tally {

// Empty, or the first place that breaks the schema. A keyword outside the part is reported too.
std::string schema_error(const nlohmann::json& value, const nlohmann::json& schema,
                         const std::string& place = "result");

}  // namespace tally
