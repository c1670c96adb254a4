// SPDX-License-Identifier: Apache-2.0
// The rules of one vector run (docs/timing.md, "Rules the checker holds").
#pragma once

#include <string>
#include <vector>

#include "compiler/program/check.h"
#include "compiler/program/vector_state.h"

namespace tally {

struct RuleBreak {
  Violation violation;
  std::string message;
};

std::vector<RuleBreak> check_run(const VectorRun& run, const Design& design);

}  // namespace tally
