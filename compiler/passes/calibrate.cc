// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/calibrate.h"

#include "compiler/passes/range_finder.h"

namespace tally::passes {
namespace {

struct SiteRange {
  RangeFinder finder;
  bool symmetric = false;
};
using Finders = std::map<std::string, SiteRange>;

enum class Stage { kExtremes, kCounts };

// The sites that a value feeds.
std::multimap<const ir::Value*, std::string> sites_by_value(const ir::Module& module,
                                                            const Recipe& recipe,
                                                            Finders* finders) {
  std::multimap<const ir::Value*, std::string> names;
  for (const Site& site : static_sites(*module.main(), recipe)) {
    names.emplace(site.value, site.name);
    (*finders)[site.name].symmetric = site.symmetric;
  }
  return names;
}

Status observe(const ir::Tensor& tensor, Stage stage, const std::string& name,
               RangeFinder& finder) {
  if (stage == Stage::kCounts) {
    finder.add_counts(tensor.as<float>());
    return {};
  }
  if (Status status = finder.add_extremes(tensor.as<float>()); !status)
    return fail("at '{}' {}", name, status.error().message);
  return {};
}

Status run_sample(const CalibrationRun& run, const Recipe& recipe, Stage stage, Finders* finders) {
  TALLY_ASSIGN(const auto interpreter,
               ops::Interpreter::create(*run.module, ops::Semantics::kReference));
  const auto names = sites_by_value(*run.module, recipe, finders);
  Status status;
  const auto outputs =
      interpreter.run(run.inputs, [&](const ir::Value& value, const ir::Tensor& tensor) {
        const auto [begin, end] = names.equal_range(&value);
        for (auto site = begin; site != end && status; ++site)
          status = observe(tensor, stage, site->second, finders->at(site->second).finder);
      });
  if (!outputs) return tl::unexpected(outputs.error());
  return status;
}

}  // namespace

Expected<Calibration> calibrate(const Recipe& recipe, std::int64_t samples,
                                const CalibrationSource& source,
                                const CalibrationProgress& progress) {
  TALLY_CHECK(recipe.calibration, "recipe {} has no static site", recipe.name);
  const CalibrationMethod method = recipe.calibration->method;
  std::vector<Stage> stages = {Stage::kExtremes};
  if (RangeFinder::needs_counts(method)) stages.push_back(Stage::kCounts);
  Finders finders;
  std::int64_t done = 0;
  for (const Stage stage : stages) {
    for (std::int64_t index = 0; index < samples; ++index) {
      TALLY_ASSIGN(const CalibrationRun run, source(index));
      if (Status status = run_sample(run, recipe, stage, &finders); !status)
        return fail("calibration sample {}: {}", index, status.error().message);
      if (progress) progress(++done, samples * static_cast<std::int64_t>(stages.size()));
    }
  }
  Calibration calibration;
  for (const auto& [name, site] : finders)
    calibration.ranges[name] =
        site.finder.find(method, recipe.calibration->percentile,
                         site.symmetric ? ActivationFormat::kInt8 : ActivationFormat::kUint8);
  return calibration;
}

}  // namespace tally::passes
