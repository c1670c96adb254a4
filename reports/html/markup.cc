// SPDX-License-Identifier: Apache-2.0
#include "reports/html/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tally::html {
namespace {

std::string escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  const bool control = (code < 0x20 && c != '\t' && c != '\n') || code == 0x7f;
  return control ? "&#xFFFD;" : std::string(1, c);
}

}  // namespace

std::string escape(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (char c : text) result += escaped(c);
  return result;
}

std::string exact(double value) {
  return std::isfinite(value) ? nlohmann::json(value).dump() : "not finite";
}
std::string exact(std::uint64_t value) { return std::to_string(value); }
std::string exact(std::int64_t value) { return std::to_string(value); }

std::string scaled(double value, std::string_view unit) {
  constexpr std::string_view kPrefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T"};
  constexpr int kOne = 4;
  if (!std::isfinite(value) || value == 0) return fmt::format("{} {}", value, unit);
  const double rounded = std::stod(fmt::format("{:.2e}", value));  // 999.9 counts as 1000
  const int thousands = static_cast<int>(std::floor(std::log10(std::abs(rounded)) / 3));
  const int prefix = std::clamp(thousands + kOne, 0, int(std::size(kPrefixes)) - 1);
  return fmt::format("{:.3g} {}{}", rounded / std::pow(1000.0, prefix - kOne), kPrefixes[prefix],
                     unit);
}

Cell text(std::string_view value) { return value.empty() ? none() : Cell{escape(value)}; }

Cell code(std::string_view value) {
  return value.empty() ? none() : Cell{"<code>" + escape(value) + "</code>"};
}

Cell figure(std::string exact_text, std::string_view rounded) {
  std::string markup = escape(exact_text);
  if (!rounded.empty()) markup += " <small>(" + escape(rounded) + ")</small>";
  return {std::move(markup), true};
}

Cell none() { return {"&ndash;"}; }

Table::Table(const std::vector<std::string>& headers) {
  for (const std::string& header : headers) head_ += "<th>" + escape(header) + "</th>";
}

void Table::row(const std::vector<Cell>& cells) {
  rows_ += "<tr>";
  for (const Cell& cell : cells)
    rows_ += (cell.figure ? "<td class=\"figure\">" : "<td>") + cell.markup + "</td>";
  rows_ += "</tr>\n";
}

std::string Table::html() const {
  const std::string head = head_.empty() ? "" : "<thead><tr>" + head_ + "</tr></thead>\n";
  return "<table>\n" + head + "<tbody>\n" + rows_ + "</tbody></table>\n";
}

std::string heading(int level, std::string_view value) {
  return fmt::format("<h{0}>{1}</h{0}>\n", level, escape(value));
}

std::string paragraph(std::string_view value) { return "<p>" + escape(value) + "</p>\n"; }

std::string list(const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string result = "<ul>\n";
  for (const std::string& item : items) result += "<li>" + escape(item) + "</li>\n";
  return result + "</ul>\n";
}

}  // namespace tally::html
