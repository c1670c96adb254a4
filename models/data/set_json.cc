// SPDX-License-Identifier: Apache-2.0
#include "models/data/set_json.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

namespace tally {
namespace {

using Json = nlohmann::json;
using Ids = std::vector<std::int32_t>;

Expected<Json> parse_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return fail("{}: no such file", path);
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("{}: cannot be read", path);
  try {
    Json json = Json::parse(file);
    if (!json.is_object()) return fail("{}: a data set is a JSON object", path);
    return json;
  } catch (const Json::parse_error& error) {
    return fail("{}: not JSON (near byte {})", path, error.byte);
  }
}

// `json[key]`, an array with at least one element; `where` is the file and the enclosing element.
Expected<const Json*> array_at(const Json& json, const std::string& where, const char* key) {
  const auto found = json.find(key);
  if (found == json.end()) return fail("{}: key \"{}\" is missing", where, key);
  if (!found->is_array() || found->empty())
    return fail("{}: \"{}\" must be an array with at least one element", where, key);
  return &*found;
}

Status only_keys(const Json& json, const std::string& where,
                 std::initializer_list<std::string_view> known) {
  for (const auto& item : json.items()) {
    bool found = false;
    for (const std::string_view key : known) found = found || key == item.key();
    if (!found) return fail("{}: unknown key \"{}\"", where, item.key());
  }
  return {};
}

Expected<std::int32_t> id_of(const Json& json, const std::string& where) {
  constexpr std::uint64_t kLargest = std::numeric_limits<std::int32_t>::max();
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() > kLargest)
    return fail("{}: {} is not an integer from 0 to {}", where, json.dump(), kLargest);
  return static_cast<std::int32_t>(json.get<std::uint64_t>());
}

Expected<float> number_of(const Json& json, const std::string& where) {
  const float value = json.is_number() ? static_cast<float>(json.get<double>()) : 0.0f;
  if (!json.is_number() || !std::isfinite(value))
    return fail("{}: {} is not a number within the range of fp32", where, json.dump());
  return value;
}

Expected<Ids> ids_of(const Json& json, const std::string& where, std::size_t at_least) {
  if (!json.is_array() || json.size() < at_least)
    return fail("{}: must be an array of at least {} token id(s)", where, at_least);
  Ids ids;
  ids.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    TALLY_ASSIGN(const std::int32_t id, id_of(json[i], fmt::format("{}[{}]", where, i)));
    ids.push_back(id);
  }
  return ids;
}

Expected<std::vector<float>> numbers_of(const Json& json, const std::string& where) {
  if (!json.is_array() || json.empty())
    return fail("{}: must be an array of at least one number", where);
  std::vector<float> numbers;
  numbers.reserve(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    TALLY_ASSIGN(const float number, number_of(json[i], fmt::format("{}[{}]", where, i)));
    numbers.push_back(number);
  }
  return numbers;
}

Status read_lm(const Json& json, DataSet& set) {
  TALLY_TRY(only_keys(json, set.name, {"task", "sequences"}));
  TALLY_ASSIGN(const Json* sequences, array_at(json, set.name, "sequences"));
  for (std::size_t i = 0; i < sequences->size(); ++i) {
    const std::string where = fmt::format("{}: sequences[{}]", set.name, i);
    TALLY_ASSIGN(Ids ids, ids_of((*sequences)[i], where, 2));
    set.sequences.push_back(std::move(ids));
  }
  return {};
}

Status read_classify(const Json& json, DataSet& set) {
  TALLY_TRY(only_keys(json, set.name, {"task", "inputs", "labels"}));
  TALLY_ASSIGN(const Json* inputs, array_at(json, set.name, "inputs"));
  TALLY_ASSIGN(const Json* labels, array_at(json, set.name, "labels"));
  if (inputs->size() != labels->size())
    return fail("{}: {} inputs but {} labels", set.name, inputs->size(), labels->size());
  for (std::size_t i = 0; i < inputs->size(); ++i) {
    const std::string input = fmt::format("{}: inputs[{}]", set.name, i);
    const std::string label = fmt::format("{}: labels[{}]", set.name, i);
    TALLY_ASSIGN(std::vector<float> numbers, numbers_of((*inputs)[i], input));
    TALLY_ASSIGN(const std::int32_t id, id_of((*labels)[i], label));
    set.inputs.push_back(std::move(numbers));
    set.labels.push_back(id);
  }
  return {};
}

Expected<SentencePair> pair_of(const Json& json, const std::string& where) {
  if (!json.is_object()) return fail("{}: must be an object with a, b and score", where);
  TALLY_TRY(only_keys(json, where, {"a", "b", "score"}));
  for (const char* key : {"a", "b", "score"})
    if (!json.contains(key)) return fail("{}: key \"{}\" is missing", where, key);
  SentencePair pair;
  TALLY_ASSIGN(pair.a, ids_of(json["a"], where + ".a", 1));
  TALLY_ASSIGN(pair.b, ids_of(json["b"], where + ".b", 1));
  TALLY_TRY(number_of(json["score"], where + ".score"));
  pair.score = json["score"].get<double>();
  return pair;
}

Status read_similarity(const Json& json, DataSet& set) {
  TALLY_TRY(only_keys(json, set.name, {"task", "pairs"}));
  TALLY_ASSIGN(const Json* pairs, array_at(json, set.name, "pairs"));
  for (std::size_t i = 0; i < pairs->size(); ++i) {
    const std::string where = fmt::format("{}: pairs[{}]", set.name, i);
    TALLY_ASSIGN(SentencePair pair, pair_of((*pairs)[i], where));
    set.pairs.push_back(std::move(pair));
  }
  return {};
}

Expected<Task> task_of(const Json& json, const std::string& path) {
  const auto found = json.find("task");
  if (found == json.end()) return fail("{}: key \"task\" is missing", path);
  for (const Task task : {Task::kLm, Task::kClassify, Task::kSimilarity})
    if (*found == std::string(task_name(task))) return task;
  return fail("{}: \"task\" is {}; it must be \"lm\", \"classify\" or \"similarity\"", path,
              found->dump());
}

Status read_samples(const Json& json, DataSet& set) {
  switch (set.task) {
    case Task::kLm:
      return read_lm(json, set);
    case Task::kClassify:
      return read_classify(json, set);
    case Task::kSimilarity:
      return read_similarity(json, set);
  }
  TALLY_CHECK(false, "unknown task");
}

template <class T>
void keep_first(std::vector<T>& samples, std::size_t count) {
  if (samples.size() > count) samples.resize(count);
}

// Whole numbers are written as integers, so that ids stay ids.
Json json_of(float value) {
  if (value == std::trunc(value) && std::fabs(value) < 1e9f) return static_cast<long>(value);
  return value;
}

Json json_of(const DataSet& set) {
  Json json = {{"task", task_name(set.task)}};
  switch (set.task) {
    case Task::kLm:
      json["sequences"] = set.sequences;
      break;
    case Task::kClassify:
      for (const std::vector<float>& input : set.inputs) {
        Json numbers = Json::array();
        for (const float value : input) numbers.push_back(json_of(value));
        json["inputs"].push_back(std::move(numbers));
      }
      json["labels"] = set.labels;
      break;
    case Task::kSimilarity:
      for (const SentencePair& pair : set.pairs)
        json["pairs"].push_back({{"a", pair.a}, {"b", pair.b}, {"score", pair.score}});
      break;
  }
  return json;
}

}  // namespace

Expected<DataSet> read_set_json(const std::string& path, std::optional<std::size_t> limit) {
  TALLY_ASSIGN(const Json json, parse_file(path));
  DataSet set;
  set.name = path;
  TALLY_ASSIGN(set.task, task_of(json, path));
  TALLY_TRY(read_samples(json, set));
  const std::size_t total = set.sequences.size() + set.inputs.size() + set.pairs.size();
  TALLY_ASSIGN(set.indices, pick_samples(path, total, limit, Pick::kFirst));
  keep_first(set.sequences, set.samples());
  keep_first(set.inputs, set.samples());
  keep_first(set.labels, set.samples());
  keep_first(set.pairs, set.samples());
  return set;
}

Status write_set_json(const DataSet& set, const std::string& path) {
  const std::string partial = path + ".part";
  {
    std::ofstream file(partial, std::ios::binary);
    file << json_of(set).dump() << '\n';
    file.flush();
    if (!file) {
      std::error_code ignored;
      std::filesystem::remove(partial, ignored);
      return fail("{}: cannot be written", path);
    }
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (!error) return {};
  std::error_code ignored;
  std::filesystem::remove(partial, ignored);
  return fail("{}: cannot be written ({})", path, error.message());
}

}  // namespace tally
