// SPDX-License-Identifier: Apache-2.0
// What the documents say about the tree is there: links, blocks, coefficients. Paths in back
// quotes: tests/lint/style.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "reports/energy/coefficients.h"
#include "tests/unit/docs/doc_file.h"

namespace tally {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

TEST(Docs, LinksLeadSomewhere) {
  int links = 0;
  for (const DocFile& doc : all_docs()) {
    for (const std::string& target : matches(doc.text, R"(\]\(([^)#]+)[^)]*\))")) {
      if (target.starts_with("http")) continue;
      ++links;
      EXPECT_TRUE(fs::exists(source_root() / fs::path(doc.name).parent_path() / target))
          << doc.name << ": " << target;
    }
  }
  EXPECT_GT(links, 30);
}

TEST(Docs, TheBlockTableNamesEveryBlock) {
  const std::string text = doc_file("docs/architecture.md").text;
  std::string blocks;
  for (const auto& row : table_with(text, "native SystemC")) blocks += row.at(1) + " ; ";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source_root() / "rtl")) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".sv" || stem == "tally_top") continue;
    if (stem.ends_with("_pkg") && stem != "tally_isa_pkg") continue;
    ++files;
    const std::string folder = "`rtl/" + entry.path().parent_path().filename().string() + "/`";
    EXPECT_NE(blocks.find(folder), std::string::npos) << folder;
    const std::regex name("\\b" + stem.substr(6) + "\\b");
    EXPECT_TRUE(std::regex_search(blocks, name)) << stem;
  }
  EXPECT_GT(files, 40);
}

TEST(Docs, EnergyListsEveryCoefficientWithItsFigure) {
  const auto shipped = Coefficients::load(source_root() / "reports/energy/45nm.toml");
  ASSERT_TRUE(shipped) << shipped.error().message;
  std::map<std::string, std::string> documented, expected;
  for (const auto& row : table_with(doc_file("docs/energy.md").text, "coefficient"))
    documented[row.at(0)] = row.at(1);
  for (const auto& [id, coefficient] : shipped->all())
    expected["`" + id + "`"] = fmt::format("{}", coefficient.pj);
  EXPECT_EQ(documented, expected);
}

TEST(Docs, EveryFileHasALicenceLine) {
  for (const DocFile& doc : all_docs())
    EXPECT_TRUE(doc.text.starts_with("<!-- SPDX-License-Identifier: Apache-2.0 -->\n")) << doc.name;
}

}  // namespace
}  // namespace tally
