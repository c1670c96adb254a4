// SPDX-License-Identifier: Apache-2.0
// A pass made from a function, and the reader of its options.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "compiler/ir/pass.h"

namespace tally::passes {

using PassFunction = std::function<Expected<bool>(ir::Module&)>;

std::unique_ptr<ir::Pass> make_pass(std::string name, PassFunction run);

// Reads the options of one pass; each is read once, finish() refuses those that nothing read.
class OptionReader {
 public:
  explicit OptionReader(const ir::PassOptions& options) : options_(options) {}

  // The place of the option's value in `allowed`; that of `fallback` where it is absent.
  Expected<int> choice(const std::string& name, const std::vector<std::string>& allowed,
                       const std::string& fallback);
  Expected<std::int64_t> integer(const std::string& name, std::int64_t low, std::int64_t high,
                                 std::int64_t fallback);
  Status finish() const;

 private:
  const std::string* find(const std::string& name);

  const ir::PassOptions& options_;
  std::set<std::string> known_;
};

}  // namespace tally::passes
