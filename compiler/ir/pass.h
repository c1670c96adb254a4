// SPDX-License-Identifier: Apache-2.0
// A pass changes a module and keeps no state between runs. Passes are made by name and options from
// a registry.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/ir/ir.h"

namespace tally::ir {

class Pass {
 public:
  virtual ~Pass() = default;
  // As in the registry.
  virtual std::string name() const = 0;
  // True where the module was changed. An error is one of the user's input, and names the node.
  virtual Expected<bool> run(Module& module) const = 0;
};

using PassOptions = std::map<std::string, std::string>;

// One entry of a pipeline: a name and its options, as in `tile(rows=64)`.
struct PassCall {
  std::string name;
  PassOptions options;
  bool operator==(const PassCall&) const = default;
};

// "a,b(x=1,y=2)" as calls; an error names the part that is malformed. Empty text is an empty
// pipeline.
Expected<std::vector<PassCall>> parse_pipeline(std::string_view text);
std::string pipeline_text(const std::vector<PassCall>& calls);

class PassRegistry {
 public:
  // Makes the pass or says which option is wrong.
  using Factory = std::function<Expected<std::unique_ptr<Pass>>(const PassOptions&)>;

  void add(const std::string& name, Factory factory);
  Expected<std::unique_ptr<Pass>> make(const PassCall& call) const;
  std::vector<std::string> names() const;

 private:
  std::map<std::string, Factory> factories_;
};

}  // namespace tally::ir
