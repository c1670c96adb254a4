// SPDX-License-Identifier: Apache-2.0
// One model on one design, as the demo shows it.
#pragma once

#include <string>
#include <vector>

#include "models/base/error.h"
#include "reports/result.h"

namespace tally::cli {

struct DemoModel {
  const char* name;
  const char* set;
  std::int64_t samples;
};

struct DemoCase {
  std::vector<Result> results;  // functional, sysc and, where this build has it, rtl
  std::string verification;     // compared = total
  bool equal = true;            // no difference, equal outputs
};

// Functional and SystemC over all samples, RTL and the comparison over the first. A violated
// account is an error.
Expected<DemoCase> run_demo_case(const DemoModel& model, const std::string& design, int threads);

std::string demo_text(const DemoCase& demo);

}  // namespace tally::cli
