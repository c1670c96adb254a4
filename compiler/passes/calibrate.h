// SPDX-License-Identifier: Apache-2.0
// Measures the ranges of a static recipe's sites by running the fp32 reference over samples: once
// for minmax, twice for percentile and mse.
#pragma once

#include <functional>
#include <memory>

#include "compiler/passes/calibration.h"
#include "models/ops/interpreter.h"

namespace tally::passes {

// One run of the reference. Samples of different lengths come with modules of their own; sites are
// the same by name.
struct CalibrationRun {
  std::shared_ptr<const ir::Module> module;  // model level
  ops::Tensors inputs;
};

// Sample `index`; called once a pass over the samples.
using CalibrationSource = std::function<Expected<CalibrationRun>(std::int64_t index)>;
// Told after each run: runs done and runs in all.
using CalibrationProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// The ranges; what they were measured on is left to the caller to fill in. The recipe has static
// sites. Errors: of a run, and of a value that is not finite, naming sample and site.
Expected<Calibration> calibrate(const Recipe& recipe, std::int64_t samples,
                                const CalibrationSource& source,
                                const CalibrationProgress& progress = {});

}  // namespace tally::passes
