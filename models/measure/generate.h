// SPDX-License-Identifier: Apache-2.0
// Greedy decoding on a backend: a prefill, then a step a token (models/nets/generate.h), each
// timed.
#pragma once

#include <span>

#include "models/measure/measure.h"

namespace tally::measure {

struct GenerateOptions {
  std::string backend;
  BuildProgress build_progress;
  Progress progress;  // of the tokens to be made
  const Coefficients* coefficients = nullptr;
};

// `programs` is null for the reference. The result covers all inferences.
Expected<Result> generate(Graphs* graphs, Programs* programs, std::span<const std::int32_t> prompt,
                          std::int64_t tokens, const GenerateOptions& options);

}  // namespace tally::measure
