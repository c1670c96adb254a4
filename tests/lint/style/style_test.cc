// SPDX-License-Identifier: Apache-2.0
// Conventions of the tree that no compiler holds: licence lines, plain ASCII, purpose sentences,
// names in the lists that refer to files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace tally {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kRoot = TALLY_SOURCE_DIR;
const std::set<std::string> kNotSource = {".git", ".venv", "build", "out", "__pycache__"};

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string name_of(const fs::path& path) { return fs::relative(path, kRoot).string(); }

bool has_extension(const fs::path& path, const std::set<std::string>& extensions) {
  return extensions.contains(path.extension().string());
}

std::vector<fs::path> source_files() {
  std::vector<fs::path> files;
  for (auto entry = fs::recursive_directory_iterator(kRoot); entry != fs::end(entry); ++entry) {
    if (entry->is_directory() && kNotSource.contains(entry->path().filename().string()))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      files.push_back(entry->path());
  }
  return files;
}

const std::set<std::string> kCode = {".h",    ".cc", ".cu", ".sv",    ".svh",
                                     ".toml", ".py", ".sh", ".cmake", ".vlt"};

// Files with code that do not say their licence in the first three lines.
TEST(Style, EveryFileSaysItsLicence) {
  std::vector<std::string> without;
  for (const fs::path& path : source_files()) {
    const bool code = has_extension(path, kCode) || path.filename() == "CMakeLists.txt";
    if (!code) continue;
    std::istringstream text(text_of(path));
    std::string line, head;
    for (int i = 0; i < 3 && std::getline(text, line); ++i) head += line;
    if (head.find("SPDX-License-Identifier: Apache-2.0") == head.npos)
      without.push_back(name_of(path));
  }
  EXPECT_THAT(without, IsEmpty());
}

TEST(Style, CodeIsPlainAscii) {
  std::vector<std::string> others;
  for (const fs::path& path : source_files()) {
    if (!has_extension(path, kCode)) continue;
    for (const unsigned char c : text_of(path))
      if (c >= 128 || c == '\r' || c == '\t') {
        others.push_back(name_of(path));
        break;
      }
  }
  EXPECT_THAT(others, IsEmpty());
}

// A header's second line is its purpose, a comment.
TEST(Style, HeadersBeginWithTheirPurpose) {
  std::vector<std::string> without;
  for (const fs::path& path : source_files()) {
    if (path.extension() != ".h" && path.extension() != ".sv") continue;
    std::istringstream text(text_of(path));
    std::string licence, purpose;
    std::getline(text, licence);
    std::getline(text, purpose);
    if (!purpose.starts_with("// ")) without.push_back(name_of(path));
  }
  EXPECT_THAT(without, IsEmpty());
}

TEST(Style, HeadersAreIncludedOnce) {
  std::vector<std::string> without;
  for (const fs::path& path : source_files())
    if (path.extension() == ".h" && text_of(path).find("#pragma once") == std::string::npos)
      without.push_back(name_of(path));
  EXPECT_THAT(without, IsEmpty());
}

// Commands and files that documents name exist: `path/with/slash.ext` in backticks.
TEST(Style, FilesThatDocumentsNameExist) {
  std::vector<std::string> missing;
  for (const fs::path& path : source_files()) {
    if (path.extension() != ".md") continue;
    const std::string text = text_of(path);
    for (std::size_t begin = 0; (begin = text.find('`', begin)) != text.npos;) {
      const std::size_t end = text.find('`', begin + 1);
      if (end == text.npos) break;
      const std::string name = text.substr(begin + 1, end - begin - 1);
      begin = end + 1;
      const std::string top = name.substr(0, name.find('/'));
      const bool plain = name.find_first_of(" *<>{}()$|,=\n") == name.npos;
      if (!plain || top == name || !fs::is_directory(kRoot / top) || kNotSource.contains(top))
        continue;
      const bool here = fs::exists(kRoot / name) || fs::exists(kRoot / (name + ".h"));
      const bool upper = name.find("NAME") != name.npos || name.find("...") != name.npos;
      if (!here && !upper) missing.push_back(name_of(path) + ": " + name);
    }
  }
  EXPECT_THAT(missing, IsEmpty());
}

}  // namespace
}  // namespace tally
