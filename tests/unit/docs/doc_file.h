// SPDX-License-Identifier: Apache-2.0
// Reads the project's Markdown for the tests that hold it to the tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tally {

struct DocFile {
  std::string name;  // from the root, "docs/timing.md"
  std::string text;
};

std::filesystem::path source_root();
std::string read_text(const std::filesystem::path& path);
DocFile doc_file(const std::string& name);
// README.md, CHANGELOG.md and all Markdown under docs/.
std::vector<DocFile> all_docs();

// The fenced block that begins with ```language; aborts the test's process where there is none.
std::string fenced_block(const std::string& text, const std::string& language);
// Rows of the table whose head holds `column`, cells trimmed, head and rule left out.
std::vector<std::vector<std::string>> table_with(const std::string& text,
                                                 const std::string& column);

}  // namespace tally
