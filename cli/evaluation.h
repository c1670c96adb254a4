// SPDX-License-Identifier: Apache-2.0
// --data and -n: what a command measures on.
#pragma once

#include "cli/options.h"
#include "models/measure/samples.h"

namespace tally::cli {

struct EvaluationOptions {
  std::string data;                   // empty: seeded random inputs
  std::optional<std::int64_t> count;  // -n; all of the data, or one random input
};

void add_evaluation(CommandLine command, EvaluationOptions* options);

// Errors name the option that does not go with data.
Expected<measure::Samples> samples_of(const CommonOptions& common, const EvaluationOptions& options,
                                      const nets::Model& model, const nets::BuildOptions& shape);

}  // namespace tally::cli
