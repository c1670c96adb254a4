// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/pass_manager.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "compiler/ir/printer.h"
#include "compiler/ir/verifier.h"

namespace tally::ir {

Status PassManager::add_pipeline(const PassRegistry& registry, std::string_view pipeline) {
  TALLY_ASSIGN(std::vector<PassCall> calls, parse_pipeline(pipeline));
  for (const PassCall& call : calls) {
    TALLY_ASSIGN(std::unique_ptr<Pass> pass, registry.make(call));
    add(std::move(pass));
  }
  return {};
}

Expected<bool> PassManager::run(Module& module) {
  records_.clear();
  TALLY_TRY(check_skip());
  TALLY_TRY(verify(module));
  TALLY_TRY(dump(0, "input", module));
  bool changed = false;
  for (std::size_t i = 0; i < passes_.size(); ++i) {
    if (left_out(i)) {
      records_.push_back({passes_[i]->name(), true});
      continue;
    }
    TALLY_ASSIGN(PassRecord record, run_pass(*passes_[i], module));
    changed |= record.changed;
    records_.push_back(record);
    TALLY_TRY(dump(i + 1, record.name, module));
  }
  return changed;
}

Expected<PassRecord> PassManager::run_pass(const Pass& pass, Module& module) const {
  auto begin = std::chrono::steady_clock::now();
  auto changed = pass.run(module);
  if (!changed) return fail("pass {}: {}", pass.name(), changed.error().message);
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (Status status = verify(module); !status)
    return fail("after pass {}: {}", pass.name(), status.error().message);
  return PassRecord{pass.name(), false, *changed, elapsed.count()};
}

Status PassManager::check_skip() const {
  for (const std::string& name : options_.skip)
    if (std::ranges::none_of(passes_, [&](const auto& pass) { return pass->name() == name; }))
      return fail("cannot skip '{}': no such pass in the pipeline", name);
  return {};
}

bool PassManager::left_out(std::size_t index) const {
  if (options_.bisect_limit && index >= *options_.bisect_limit) return true;
  return std::ranges::find(options_.skip, passes_[index]->name()) != options_.skip.end();
}

Status PassManager::dump(std::size_t number, const std::string& name, const Module& module) const {
  if (options_.dump_folder.empty()) return {};
  std::filesystem::path folder = options_.dump_folder;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  std::filesystem::path path = folder / fmt::format("{:02}-{}.ir", number, name);
  std::ofstream file(path);
  file << print(module);
  file.flush();
  if (!file) return fail("{}: cannot be written", path.string());
  return {};
}

}  // namespace tally::ir
