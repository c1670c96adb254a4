// SPDX-License-Identifier: Apache-2.0
// A result for a person: a few lines, numbers with units.
#pragma once

#include <string>

#include "reports/result.h"

namespace tally {

std::string result_text(const Result& result);

// "89.30 %" for top1, "3.412" for others.
std::string accuracy_text(const std::string& metric, double value);
// Three significant digits with k, M, G, T: "6.42 M".
std::string scaled_text(double value);

}  // namespace tally
