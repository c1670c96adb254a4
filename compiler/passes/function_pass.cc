// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/function_pass.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace tally::passes {
namespace {

class FunctionPass : public ir::Pass {
 public:
  FunctionPass(std::string name, PassFunction run) : name_(std::move(name)), run_(std::move(run)) {}
  std::string name() const override { return name_; }
  Expected<bool> run(ir::Module& module) const override { return run_(module); }

 private:
  std::string name_;
  PassFunction run_;
};

}  // namespace

std::unique_ptr<ir::Pass> make_pass(std::string name, PassFunction run) {
  return std::make_unique<FunctionPass>(std::move(name), std::move(run));
}

const std::string* OptionReader::find(const std::string& name) {
  known_.insert(name);
  const auto found = options_.find(name);
  return found == options_.end() ? nullptr : &found->second;
}

Expected<int> OptionReader::choice(const std::string& name, const std::vector<std::string>& allowed,
                                   const std::string& fallback) {
  const std::string* given = find(name);
  const std::string& value = given != nullptr ? *given : fallback;
  const auto place = std::ranges::find(allowed, value);
  if (place == allowed.end())
    return fail("option '{}' is '{}', allowed: {}", name, value, fmt::join(allowed, ", "));
  return static_cast<int>(place - allowed.begin());
}

Expected<std::int64_t> OptionReader::integer(const std::string& name, std::int64_t low,
                                             std::int64_t high, std::int64_t fallback) {
  const std::string* given = find(name);
  if (given == nullptr) return fallback;
  std::int64_t value = 0;
  const char* end = given->data() + given->size();
  const auto [rest, error] = std::from_chars(given->data(), end, value);
  if (error != std::errc() || rest != end || value < low || value > high)
    return fail("option '{}' is '{}', allowed: an integer, {} to {}", name, *given, low, high);
  return value;
}

Status OptionReader::finish() const {
  for (const auto& [name, value] : options_) {
    if (known_.contains(name)) continue;
    if (known_.empty()) return fail("unknown option '{}' (it takes none)", name);
    return fail("unknown option '{}' (known: {})", name, fmt::join(known_, ", "));
  }
  return {};
}

}  // namespace tally::passes
