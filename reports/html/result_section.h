// SPDX-License-Identifier: Apache-2.0
// The section of one result: every figure of the result object, with bars for unit states and
// energy.
#pragma once

#include <string>
#include <vector>

#include "reports/result.h"

namespace tally::html {

// The anchor of the section at `index`.
std::string section_id(std::size_t index);
std::string result_section(const std::string& name, const Result& result, const std::string& id);
std::vector<std::string> lines_of(std::string_view text);

}  // namespace tally::html
