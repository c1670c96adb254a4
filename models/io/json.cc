// SPDX-License-Identifier: Apache-2.0
#include "models/io/json.h"

#include <set>
#include <vector>

#include "models/io/mapped_file.h"

namespace tally::io {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

// Deepest nesting of brackets outside strings; of malformed text an upper estimate is enough.
int nesting(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

// Notes the first key that an object holds twice.
class DuplicateKeys {
 public:
  bool operator()(int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) open_.emplace_back();
    if (event == json::parse_event_t::object_end) open_.pop_back();
    if (event == json::parse_event_t::key) {
      auto key = parsed.get<std::string>();
      if (!open_.back().insert(key).second && first_.empty()) first_ = key;
    }
    return true;
  }
  const std::string& first() const { return first_; }

 private:
  std::vector<std::set<std::string>> open_;
  std::string first_;
};

}  // namespace

Expected<json> parse_json(std::string_view text, const std::string& source) {
  if (nesting(text) > kMaxDepth)
    return fail("{}: JSON nested more than {} deep", source, kMaxDepth);
  DuplicateKeys duplicates;
  json value;
  try {
    value = json::parse(text, std::ref(duplicates));
  } catch (const json::parse_error& error) {
    return fail("{}: not JSON (byte {})", source, error.byte);
  } catch (const json::exception&) {
    return fail("{}: not JSON (a number out of range)", source);
  }
  if (!duplicates.first().empty()) return fail("{}: key '{}' twice", source, duplicates.first());
  return value;
}

Expected<json> read_json_object(const std::string& path) {
  TALLY_ASSIGN(auto file, MappedFile::open(path));
  if (file->bytes().empty()) return fail("{}: empty file", path);
  if (file->bytes().size() > kMaxFileBytes) return fail("{}: more than 64 MiB of JSON", path);
  std::string_view text(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
  TALLY_ASSIGN(json value, parse_json(text, path));
  if (!value.is_object()) return fail("{}: not a JSON object", path);
  return value;
}

}  // namespace tally::io
