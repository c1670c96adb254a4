// SPDX-License-Identifier: Apache-2.0
#include "reports/html/bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/html/markup.h"

namespace tally::html {

std::string bar(const std::vector<BarPart>& parts, std::string_view label) {
  constexpr int kHeight = 12;
  std::string result =
      fmt::format("<svg class=\"bar\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                  kBarWidth, kHeight, escape(label));
  double left = 0;
  for (const BarPart& part : parts) {
    const double width = kBarWidth * std::clamp(part.share, 0.0, 1.0);
    result += fmt::format("<rect x=\"{:.2f}\" y=\"0\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>",
                          left, width, kHeight, part.colour);
    left += width;
  }
  return result + "</svg>";
}

}  // namespace tally::html
