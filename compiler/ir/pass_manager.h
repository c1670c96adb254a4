// SPDX-License-Identifier: Apache-2.0
// Runs a pipeline: verifies the module before and after each pass, times each, writes the IR after
// each to a folder, and leaves passes out where asked (--passes, --skip, --bisect-limit).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/pass.h"

namespace tally::ir {

struct PassManagerOptions {
  // Names of passes to leave out.
  std::vector<std::string> skip = {};
  // Runs only this many passes of the pipeline.
  std::optional<std::size_t> bisect_limit = {};
  // Where the IR goes, as 00-input.ir, 01-PASS.ir, ...; nothing is written where empty. The folder
  // is made.
  std::string dump_folder = {};
};

struct PassRecord {
  std::string name;
  bool skipped = false;
  bool changed = false;
  double seconds = 0;
};

class PassManager {
 public:
  explicit PassManager(PassManagerOptions options = {}) : options_(std::move(options)) {}

  void add(std::unique_ptr<Pass> pass) { passes_.push_back(std::move(pass)); }
  // Adds the passes of a pipeline; an unknown name or a wrong option is an error.
  Status add_pipeline(const PassRegistry& registry, std::string_view pipeline);

  // True where any pass changed the module. An error names the pass.
  Expected<bool> run(Module& module);
  // What the last run did, one record a pass.
  const std::vector<PassRecord>& records() const { return records_; }

 private:
  Expected<PassRecord> run_pass(const Pass& pass, Module& module) const;
  Status check_skip() const;
  bool left_out(std::size_t index) const;
  Status dump(std::size_t number, const std::string& name, const Module& module) const;

  PassManagerOptions options_;
  std::vector<std::unique_ptr<Pass>> passes_;
  std::vector<PassRecord> records_;
};

}  // namespace tally::ir
