// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reports/schema.h"

#include <algorithm>
#include <array>

namespace tally {
namespace {

using Json = nlohmann::json;

constexpr std::array kKeywords = {"$schema",
                                  "title",
                                  "description",
                                  "type",
                                  "enum",
                                  "minimum",
                                  "maximum",
                                  "required",
                                  "items",
                                  "properties",
                                  "additionalProperties"};

bool is_of(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == value.type_name();
}

bool type_fits(const Json& value, const Json& type) {
  if (type.is_string()) return is_of(value, type);
  return std::ranges::any_of(type, [&](const Json& one) { return is_of(value, one); });
}

std::string object_error(const Json& value, const Json& schema, const std::string& place) {
  for (const Json& key : schema.value("required", Json::array()))
    if (!value.contains(key)) return place + " lacks " + key.dump();
  const Json properties = schema.value("properties", Json::object());
  const Json others = schema.value("additionalProperties", Json(true));
  for (const auto& [key, member] : value.items()) {
    const Json& rule = properties.contains(key) ? properties.at(key) : others;
    if (rule == Json(false)) return place + " has unknown key " + key;
    if (rule == Json(true)) continue;
    if (std::string error = schema_error(member, rule, place + "." + key); !error.empty())
      return error;
  }
  return "";
}

}  // namespace

std::string schema_error(const Json& value, const Json& schema, const std::string& place) {
  for (const auto& [keyword, rule] : schema.items())
    if (std::ranges::find(kKeywords, keyword) == kKeywords.end())
      return place + ": keyword " + keyword;
  if (schema.contains("type") && !type_fits(value, schema["type"]))
    return place + " is " + value.dump() + ", not of type " + schema["type"].dump();
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return place + " is " + value.dump() + ", not one of " + schema["enum"].dump();
  if (value.is_number() && schema.contains("minimum") && value < schema["minimum"])
    return place + " is below its minimum";
  if (value.is_number() && schema.contains("maximum") && value > schema["maximum"])
    return place + " is above its maximum";
  if (value.is_object()) return object_error(value, schema, place);
  if (value.is_array() && schema.contains("items"))
    for (const Json& item : value)
      if (std::string error = schema_error(item, schema["items"], place + "[]"); !error.empty())
        return error;
  return "";
}

}  // namespace tally
