// SPDX-License-Identifier: Apache-2.0
#include "models/io/config.h"

#include <cmath>

#include "models/io/json.h"

namespace tally::io {

using nlohmann::json;

struct Config::Node {
  json object;

  // Null where the key is absent or null.
  const json* find(const std::string& key) const {
    auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }
};

namespace {

// A short text of a value for messages.
std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

}  // namespace

Expected<Config> Config::read(const std::string& path) {
  TALLY_ASSIGN(json object, read_json_object(path));
  return Config(path, "", std::make_shared<const Node>(Node{std::move(object)}));
}

Expected<Config> Config::parse(std::string_view text, const std::string& source) {
  TALLY_ASSIGN(json object, parse_json(text, source));
  if (!object.is_object()) return fail("{}: not a JSON object", source);
  return Config(source, "", std::make_shared<const Node>(Node{std::move(object)}));
}

bool Config::has(const std::string& key) const { return node_->find(key) != nullptr; }

Expected<std::int64_t> Config::size(const std::string& key, std::int64_t maximum) const {
  const json* value = node_->find(key);
  if (value == nullptr) return key_error(key, "missing");
  if (!value->is_number_integer()) return key_error(key, "{} is not an integer", shown(*value));
  // Unsigned values above int64 read as negative; both are out of range.
  auto number = value->get<std::int64_t>();
  if (number < 1 || number > maximum)
    return key_error(key, "{} is not in 1..{}", shown(*value), maximum);
  return number;
}

Expected<std::int64_t> Config::size_or(const std::string& key, std::int64_t maximum,
                                       std::int64_t fallback) const {
  if (!has(key)) return fallback;
  return size(key, maximum);
}

Expected<double> Config::number(const std::string& key) const {
  const json* value = node_->find(key);
  if (value == nullptr) return key_error(key, "missing");
  if (!value->is_number()) return key_error(key, "{} is not a number", shown(*value));
  return value->get<double>();
}

Expected<double> Config::number_or(const std::string& key, double fallback) const {
  if (!has(key)) return fallback;
  return number(key);
}

Expected<std::vector<double>> Config::numbers(const std::string& key) const {
  const json* value = node_->find(key);
  if (value == nullptr) return key_error(key, "missing");
  std::vector<double> numbers;
  bool good = value->is_array();
  if (good)
    for (const json& element : *value) {
      good &= element.is_number();
      if (good) numbers.push_back(element.get<double>());
    }
  if (!good) return key_error(key, "{} is not a list of numbers", shown(*value));
  return numbers;
}

Expected<bool> Config::boolean_or(const std::string& key, bool fallback) const {
  const json* value = node_->find(key);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) return key_error(key, "{} is not true or false", shown(*value));
  return value->get<bool>();
}

Expected<std::string> Config::string(const std::string& key) const {
  const json* value = node_->find(key);
  if (value == nullptr) return key_error(key, "missing");
  if (!value->is_string()) return key_error(key, "{} is not a string", shown(*value));
  return value->get<std::string>();
}

Expected<std::string> Config::string_or(const std::string& key, const std::string& fallback) const {
  if (!has(key)) return fallback;
  return string(key);
}

Expected<std::optional<Config>> Config::object(const std::string& key) const {
  const json* value = node_->find(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_object()) return key_error(key, "{} is not an object", shown(*value));
  return Config(source_, prefix_ + key + ".", std::make_shared<const Node>(Node{*value}));
}

}  // namespace tally::io
