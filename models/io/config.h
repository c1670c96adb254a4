// SPDX-License-Identifier: Apache-2.0
// Typed reading of a JSON configuration. Every message names file and key; a key that is null
// counts as absent, as in the files that Hugging Face writes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"

namespace tally::io {

class Config {
 public:
  // The JSON object in a file.
  static Expected<Config> read(const std::string& path);
  // An object given as text; `source` names it in messages.
  static Expected<Config> parse(std::string_view text, const std::string& source);

  const std::string& source() const { return source_; }
  bool has(const std::string& key) const;

  // Required values. Integers lie in 1..maximum: sizes of a model are positive.
  Expected<std::int64_t> size(const std::string& key, std::int64_t maximum) const;
  Expected<std::string> string(const std::string& key) const;

  // Values with a default.
  Expected<std::int64_t> size_or(const std::string& key, std::int64_t maximum,
                                 std::int64_t fallback) const;
  Expected<double> number_or(const std::string& key, double fallback) const;
  Expected<bool> boolean_or(const std::string& key, bool fallback) const;
  Expected<std::string> string_or(const std::string& key, const std::string& fallback) const;

  // A required finite number; a list of finite numbers.
  Expected<double> number(const std::string& key) const;
  Expected<std::vector<double>> numbers(const std::string& key) const;
  // A nested object, absent where the key is.
  Expected<std::optional<Config>> object(const std::string& key) const;

  // "FILE: key 'KEY': " and the message.
  template <class... Args>
  tl::unexpected<Error> key_error(const std::string& key, fmt::format_string<Args...> format,
                                  Args&&... args) const {
    return fail("{}: key '{}{}': {}", source_, prefix_, key,
                fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  struct Node;
  Config(std::string source, std::string prefix, std::shared_ptr<const Node> node)
      : source_(std::move(source)), prefix_(std::move(prefix)), node_(std::move(node)) {}

  std::string source_;
  // Keys of the enclosing objects, each followed by a dot.
  std::string prefix_;
  std::shared_ptr<const Node> node_;
};

}  // namespace tally::io
