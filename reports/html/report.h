// SPDX-License-Identifier: Apache-2.0
// A report of results as one HTML file: no script, nothing fetched, every figure as it stands in
// the result's JSON form.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "reports/result.h"

namespace tally {

// A result and the name of its section, such as the file it is kept in.
struct NamedResult {
  std::string name;
  Result result;
};

struct ReportText {
  std::string title = "Tally report";
  // What machine comparisons printed, a line each, compared = total included. The report states
  // where there is none.
  std::vector<std::string> verification;
};

// Results in the given order. Fails without results, and where two have one name.
Expected<std::string> render_report(std::span<const NamedResult> results,
                                    const ReportText& text = {});

}  // namespace tally
