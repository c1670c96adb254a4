// SPDX-License-Identifier: Apache-2.0
// Calibration of a model on a named data set: the ranges of a static recipe.
#pragma once

#include "compiler/passes/calibrate.h"
#include "models/measure/compiled.h"
#include "models/measure/parallel.h"
#include "models/measure/samples.h"

namespace tally::measure {

// Takes the recipe's number of samples from `set`. Refuses a set that shares a sample with
// `evaluation` (null: nothing is measured), naming both.
Expected<passes::Calibration> calibrate_model(Graphs* graphs, const Recipe& recipe,
                                              const std::string& set, const DataSet* evaluation,
                                              const Progress& progress);

}  // namespace tally::measure
