// SPDX-License-Identifier: Apache-2.0
// Horizontal bars as inline SVG.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tally::html {

inline constexpr double kBarWidth = 320;  // user units of a whole bar

struct BarPart {
  double share;  // of the whole bar; 0 to 1
  std::string_view colour;
};

// The parts side by side from the left. `label` says in words what the bar shows.
std::string bar(const std::vector<BarPart>& parts, std::string_view label);

}  // namespace tally::html
