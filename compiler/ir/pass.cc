// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/pass.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace tally::ir {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-';
  });
}

// Cuts the text in front of the first `separator` that stands outside parentheses; `text` then
// starts behind it.
std::string_view take_part(std::string_view& text, char separator) {
  int depth = 0;
  std::size_t i = 0;
  for (; i < text.size() && !(depth == 0 && text[i] == separator); ++i)
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
  std::string_view part = text.substr(0, i);
  text.remove_prefix(std::min(i + 1, text.size()));
  return part;
}

Expected<PassOptions> parse_options(std::string_view text) {
  PassOptions options;
  while (!text.empty()) {
    std::string_view option = take_part(text, ',');
    std::size_t equals = option.find('=');
    if (equals == option.npos || !is_name(option.substr(0, equals)))
      return fail("option '{}' is not NAME=VALUE", option);
    if (!options.emplace(option.substr(0, equals), option.substr(equals + 1)).second)
      return fail("option '{}' is given twice", option.substr(0, equals));
  }
  return options;
}

Expected<PassCall> parse_call(std::string_view text) {
  std::size_t open = std::min(text.find('('), text.size());
  PassCall call{std::string(text.substr(0, open)), {}};
  if (!is_name(call.name))
    return fail("pass '{}' in the pipeline is not NAME or NAME(OPTIONS)", text);
  if (open == text.size()) return call;
  if (!text.ends_with(')')) return fail("pass '{}' lacks its ')'", text);
  auto options = parse_options(text.substr(open + 1, text.size() - open - 2));
  if (!options) return fail("pass '{}': {}", call.name, options.error().message);
  call.options = std::move(*options);
  return call;
}

}  // namespace

Expected<std::vector<PassCall>> parse_pipeline(std::string_view text) {
  std::vector<PassCall> calls;
  while (!text.empty()) {
    bool more = false;
    std::string_view part = take_part(text, ',');
    more = part.data() + part.size() + 1 == text.data() && text.empty();
    TALLY_ASSIGN(PassCall call, parse_call(part));
    calls.push_back(std::move(call));
    if (more) return fail("the pipeline ends in a comma");
  }
  return calls;
}

std::string pipeline_text(const std::vector<PassCall>& calls) {
  std::vector<std::string> parts;
  for (const PassCall& call : calls) {
    std::vector<std::string> options;
    for (const auto& [name, value] : call.options) options.push_back(name + "=" + value);
    parts.push_back(options.empty() ? call.name
                                    : fmt::format("{}({})", call.name, fmt::join(options, ",")));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

void PassRegistry::add(const std::string& name, Factory factory) {
  TALLY_CHECK(factories_.emplace(name, std::move(factory)).second, "pass '{}' twice", name);
}

Expected<std::unique_ptr<Pass>> PassRegistry::make(const PassCall& call) const {
  auto found = factories_.find(call.name);
  if (found == factories_.end())
    return fail("unknown pass '{}' (known: {})", call.name, fmt::join(names(), ", "));
  auto pass = found->second(call.options);
  if (!pass) return fail("pass '{}': {}", call.name, pass.error().message);
  return pass;
}

std::vector<std::string> PassRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, factory] : factories_) names.push_back(name);
  return names;
}

}  // namespace tally::ir
