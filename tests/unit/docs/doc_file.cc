// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/docs/doc_file.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "models/base/error.h"

namespace tally {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line.substr(1));
  for (std::string cell; std::getline(text, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    const std::size_t last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

}  // namespace

std::filesystem::path source_root() { return TALLY_SOURCE_DIR; }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  TALLY_CHECK(file.good(), "{} cannot be read", path.string());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

DocFile doc_file(const std::string& name) { return {name, read_text(source_root() / name)}; }

std::vector<DocFile> all_docs() {
  std::vector<DocFile> docs = {doc_file("README.md"), doc_file("CHANGELOG.md")};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root() / "docs"))
    if (entry.path().extension() == ".md")
      docs.push_back(doc_file(std::filesystem::relative(entry.path(), source_root())));
  std::ranges::sort(docs, {}, &DocFile::name);
  return docs;
}

std::string fenced_block(const std::string& text, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  const std::size_t begin = text.find(fence);
  TALLY_CHECK(begin != std::string::npos, "no block of {}", language);
  const std::size_t first = begin + fence.size();
  return text.substr(first, text.find("```", first) - first);
}

std::vector<std::vector<std::string>> table_with(const std::string& text,
                                                 const std::string& column) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      if (inside) break;
      continue;
    }
    const auto cells = cells_of(line);
    inside = inside || std::ranges::find(cells, column) != cells.end();
    if (inside) rows.push_back(cells);
  }
  TALLY_CHECK(rows.size() > 2, "no table with a column {}", column);
  return {rows.begin() + 2, rows.end()};
}

}  // namespace tally
