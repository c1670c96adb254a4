// SPDX-License-Identifier: Apache-2.0
// Short forms for tests that parse a module, run a pass and look at what comes out.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "compiler/ir/parser.h"
#include "compiler/ir/pass_manager.h"
#include "compiler/ir/printer.h"
#include "compiler/passes/registry.h"

namespace tally::passes {

// The lines of one function "main", as a module.
inline ir::Module parse_body(const std::string& body) {
  auto module = ir::parse("module \"test\" {\nfunc @main {\n" + body + "}\n}\n");
  EXPECT_TRUE(module) << (module ? "" : module.error().message);
  if (module) return std::move(*module);
  ir::Module broken("broken");
  broken.add_function("main");
  return broken;
}

// Runs a pipeline under the manager, which verifies before and after each pass.
inline Expected<bool> run_pipeline(ir::Module& module, const std::string& pipeline,
                                   const Calibration* calibration = nullptr) {
  ir::PassManager manager;
  TALLY_TRY(manager.add_pipeline(make_registry(calibration), pipeline));
  return manager.run(module);
}

// The ops of main, one line each, as printed.
inline std::string body_text(const ir::Module& module) {
  std::string text;
  for (const auto& op : module.main()->ops()) text += ir::print(*op) + "\n";
  return text;
}

// body -> pipeline -> body.
inline std::string transformed(const std::string& body, const std::string& pipeline,
                               const Calibration* calibration = nullptr) {
  ir::Module module = parse_body(body);
  const auto changed = run_pipeline(module, pipeline, calibration);
  EXPECT_TRUE(changed) << (changed ? "" : changed.error().message);
  return body_text(module);
}

inline std::string pipeline_error(const std::string& body, const std::string& pipeline,
                                  const Calibration* calibration = nullptr) {
  ir::Module module = parse_body(body);
  const auto changed = run_pipeline(module, pipeline, calibration);
  EXPECT_FALSE(changed);
  return changed ? "" : changed.error().message;
}

inline std::vector<ir::OpKind> kinds(const ir::Module& module) {
  std::vector<ir::OpKind> kinds;
  for (const auto& op : module.main()->ops()) kinds.push_back(op->kind());
  return kinds;
}

}  // namespace tally::passes
