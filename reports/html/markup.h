// SPDX-License-Identifier: Apache-2.0
// Pieces of HTML as text. All that comes from a result goes through escape().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tally::html {

// For element content and quoted attributes; control characters become U+FFFD.
std::string escape(std::string_view text);

// The figure as it stands in the result's JSON form.
std::string exact(double value);
std::string exact(std::uint64_t value);
std::string exact(std::int64_t value);

// Three significant digits with a prefix: 1234567 pJ is "1.23 uJ" for scaled(1.234567e-6, "J").
std::string scaled(double value, std::string_view unit);

// A table cell: markup, and whether it is a figure (right-aligned).
struct Cell {
  std::string markup;
  bool figure = false;
};
Cell text(std::string_view value);
// An identifier: fixed-width, may break anywhere.
Cell code(std::string_view value);
// A figure, exact, with `rounded` in small print behind it if not empty.
Cell figure(std::string exact_text, std::string_view rounded = {});
// What does not apply.
Cell none();

class Table {
 public:
  explicit Table(const std::vector<std::string>& headers);
  void row(const std::vector<Cell>& cells);
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::string head_, rows_;
};

std::string heading(int level, std::string_view value);
std::string paragraph(std::string_view value);
// An empty list is no markup.
std::string list(const std::vector<std::string>& items);

}  // namespace tally::html
