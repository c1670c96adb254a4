// SPDX-License-Identifier: Apache-2.0
#include "reports/html/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "reports/html/markup.h"
#include "reports/result_json.h"

namespace tally {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// Every number differs from every other.
Result full(std::uint64_t base = 0) {
  Result r;
  r.program = std::string(63, 'a') + std::to_string(base);
  r.model = "vit-fashion";
  r.design = "small";
  r.recipe = "int8-static";
  r.backend = "sysc";
  r.seed = base + 11;
  r.inferences = static_cast<std::int64_t>(base + 12);
  r.set = "fashion-test";
  r.accuracy = Accuracy{"top1", 0.8765, 0.8912, static_cast<std::int64_t>(base + 1013)};
  r.timing = Timing{base + 1000017, 950, 64, {}, base + 40961};
  for (std::size_t unit = 0; unit < r.timing->units.size(); ++unit)
    r.timing->units[unit] = {base + 100100 + unit, base + 200200 + unit, base + 300300 + unit};
  r.work = Work{base + 7654321, base + 4242, {}};
  r.work->dram = {base + 5001, base + 5002, base + 5003, base + 5004,
                  base + 5005, base + 5006, base + 5007, base + 5008};
  r.energy = Energy{.total_pj = 1234567.875,
                    .by_unit = {{"array", 1000000.625}, {"dram", 234567.25}},
                    .by_node = {{"h.0.mlp", 1200000.5}, {"(standby)", 34567.375}},
                    .coefficients = "45nm",
                    .source = "add: 0.1 pJ; a paper\nread: 2 pJ; a tool"};
  r.calibration = CalibrationSource{"fashion-train", std::string(64, 'c'), 65};
  r.output_sha256 = std::string(64, 'b');
  r.first_output_sha256 = std::string(64, 'd');
  r.host = Host{3.25, 123456789, "x86-64 avx2"};
  r.notes = {"first note", "second note"};
  return r;
}

std::string page(const std::vector<NamedResult>& results, const ReportText& text = {}) {
  const auto html = render_report(results, text);
  EXPECT_TRUE(html) << html.error().message;
  return html.value_or("");
}

// Calls check(path, text) for every number and string of a JSON value.
void for_each_leaf(const json& value, const std::string& path,
                   const std::function<void(const std::string&, const std::string&)>& check) {
  if (value.is_structured()) {
    for (const auto& [key, child] : value.items()) for_each_leaf(child, path + "/" + key, check);
  } else if (value.is_number()) {
    check(path, value.dump());
  } else if (value.is_string()) {
    check(path, value.get<std::string>());
  }
}

// Text of the page that stands between tags, each piece trimmed of what is in brackets.
std::set<std::string> texts_of(const std::string& html) {
  std::set<std::string> texts;
  const std::regex piece(">([^<>]+)<");
  for (std::sregex_iterator it(html.begin(), html.end(), piece), end; it != end; ++it) {
    std::string text = (*it)[1];
    while (!text.empty() && text.back() == ' ') text.pop_back();
    texts.insert(text);
  }
  return texts;
}

TEST(Report, HoldsEveryFigureOfTheResultExactly) {
  const Result result = full();
  const std::set<std::string> texts = texts_of(page({{"a.json", result}}));
  int leaves = 0;
  for_each_leaf(json::parse(result_json(result)), "", [&](const auto& path, const auto& leaf) {
    ++leaves;
    if (path == "/energy/coefficients/source") {
      EXPECT_TRUE(texts.contains("add: 0.1 pJ; a paper"));
      EXPECT_TRUE(texts.contains("read: 2 pJ; a tool"));
    } else if (path == "/energy/coefficients/id") {
      EXPECT_TRUE(texts.contains("45nm, design small"));
    } else {
      EXPECT_TRUE(texts.contains(leaf)) << path << ": " << leaf;
    }
  });
  EXPECT_GT(leaves, 55);
  EXPECT_TRUE(texts.contains("h.0.mlp"));
  EXPECT_TRUE(texts.contains("(standby)"));
}

TEST(Report, TwoResultsKeepTheirOwnFigures) {
  Result other = full(100);
  other.backend = "rtl";
  const std::string both = page({{"a.json", full()}, {"b.json", other}});
  const std::size_t second = both.find("<section id=\"result-2\">");
  ASSERT_NE(second, std::string::npos);
  EXPECT_THAT(both.substr(0, second), HasSubstr(">1000017<"));
  EXPECT_THAT(both.substr(second), HasSubstr(">1000117<"));
  EXPECT_THAT(both.substr(second), Not(HasSubstr(">1000017<")));
  EXPECT_THAT(both, HasSubstr("<a href=\"#result-2\">"));
}

TEST(Report, FiguresThatDoNotApplyAreDashesNotZeros) {
  Result reference;
  reference.model = "m";
  reference.backend = "reference";
  reference.inferences = 3;
  const std::string html = page({{"r.json", reference}});
  EXPECT_THAT(html, HasSubstr("<td class=\"figure\">3</td><td>&ndash;</td>"));
  EXPECT_THAT(html, Not(HasSubstr("Units, cycles")));
  EXPECT_THAT(html, Not(HasSubstr("<h3>Energy</h3>")));
  EXPECT_THAT(html, Not(HasSubstr("<h2>Accuracy</h2>")));
  EXPECT_THAT(html, HasSubstr("none: seeded random inputs"));
  Result infinite = full();
  infinite.accuracy->value = std::numeric_limits<double>::infinity();
  EXPECT_THAT(page({{"i.json", infinite}}), HasSubstr(">not finite<"));
}

TEST(Report, ShowsTheStepsOfAGeneration) {
  Result r = full();
  r.generation = Generation{{5, 6, 7, 8}, {{3, 9001}, {1, std::nullopt}}};
  const std::string html = page({{"g.json", r}});
  EXPECT_THAT(html, HasSubstr("<p>Token ids, prompt first: 5, 6, 7, 8</p>"));
  EXPECT_THAT(html, HasSubstr("<td>prefill</td><td class=\"figure\">3</td>"
                              "<td class=\"figure\">9001</td>"));
  EXPECT_THAT(html, HasSubstr("<td>step 1</td><td class=\"figure\">1</td><td>&ndash;</td>"));
  EXPECT_THAT(page({{"a", full()}}), Not(HasSubstr("Generation")));
}

TEST(Report, StatesWhatWasVerified) {
  const std::string line = "functional = sysc = rtl: 4242 of 4242 instructions compared";
  EXPECT_THAT(page({{"a", full()}}, {"T", {line}}), HasSubstr("<li>" + line + "</li>"));
  EXPECT_THAT(page({{"a", full()}}), HasSubstr("No comparison of machines is part"));
}

TEST(Report, EscapesEverything) {
  const std::string evil = "<script>&\"'\x01";
  const std::string safe = "&lt;script&gt;&amp;&quot;&#39;&#xFFFD;";
  EXPECT_EQ(html::escape(evil), safe);
  Result r = full();
  r.program = r.model = r.design = r.recipe = r.backend = r.set = r.output_sha256 =
      r.first_output_sha256 = evil;
  r.accuracy->metric = r.energy->coefficients = r.energy->source = r.host.isa = evil;
  r.calibration->set = r.calibration->indices_sha256 = evil;
  r.energy->by_node = {{evil, 1234567.875}};
  r.energy->by_unit = {{evil, 1234567.875}};
  r.notes = {evil};
  const std::string html = page({{evil, r}}, {evil, {evil}});
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("\x01")));
  EXPECT_THAT(html, HasSubstr("<title>" + safe + "</title>"));
  EXPECT_THAT(html, HasSubstr("aria-label=\"" + safe + ": 100.0%\""));
  const std::regex entity("&(?!(amp|lt|gt|quot|ndash|#39|#xFFFD);)");
  EXPECT_FALSE(std::regex_search(html, entity));
}

TEST(Report, StandsAloneAndHoldsNoPlaceholder) {
  const std::string html = page({{"a.json", full()}}, {"T", {"line"}});
  for (const char* word : {"<script", "<link", "<img", "<iframe", "src=", "url(", "@import",
                           "http:", "https:", "{}", "{:", "{0", "TODO", "nan", "null"})
    EXPECT_THAT(html, Not(HasSubstr(word)));
  const std::regex href("href=\"[^#]");
  EXPECT_FALSE(std::regex_search(html, href));
}

// Every tag is closed, in order.
TEST(Report, TagsNest) {
  const std::string html = page({{"a.json", full()}, {"b.json", full(100)}}, {"T", {"line"}});
  const std::set<std::string> empty = {"!DOCTYPE", "meta", "rect"};
  std::vector<std::string> open;
  const std::regex tag("<(/?)([!a-zA-Z0-9]+)[^>]*>");
  for (std::sregex_iterator it(html.begin(), html.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2];
    if (empty.contains(name)) continue;
    if ((*it)[1] != "/") {
      open.push_back(name);
      continue;
    }
    ASSERT_FALSE(open.empty()) << name;
    ASSERT_EQ(open.back(), name);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
}

TEST(Report, BarsShowTheShares) {
  Result r = full();
  r.timing->cycles = 1000;
  r.timing->units.fill({250, 500, 250});
  const std::string html = page({{"a", r}});
  EXPECT_THAT(html, HasSubstr("<rect x=\"0.00\" y=\"0\" width=\"80.00\""));
  EXPECT_THAT(html, HasSubstr("<rect x=\"80.00\" y=\"0\" width=\"160.00\""));
  EXPECT_THAT(html, HasSubstr("<rect x=\"240.00\" y=\"0\" width=\"80.00\""));
  EXPECT_THAT(html, HasSubstr("aria-label=\"matrix: 25.0% busy, 50.0% stalled, 25.0% idle\""));
}

TEST(Report, LargestPartsComeFirst) {
  Result r = full();
  r.energy->by_node = {{"a.small", 1.5}, {"b.large", 1234565.375}, {"c.middle", 2.5}};
  const std::string html = page({{"a", r}});
  EXPECT_LT(html.find(">b.large<"), html.find(">c.middle<"));
  EXPECT_LT(html.find(">c.middle<"), html.find(">a.small<"));
}

TEST(Report, RefusesNothingAndTwoOfOneName) {
  EXPECT_EQ(render_report({}).error().message, "a report needs at least one result");
  const std::vector<NamedResult> twice = {{"a", full()}, {"a", full()}};
  EXPECT_EQ(render_report(twice).error().message, "a report cannot hold two results named 'a'");
}

TEST(Scaled, PicksThePrefix) {
  EXPECT_EQ(html::scaled(1.234567e-6, "J"), "1.23 uJ");
  EXPECT_EQ(html::scaled(999, "s"), "999 s");
  EXPECT_EQ(html::scaled(1000, "B"), "1 kB");
  EXPECT_EQ(html::scaled(999999, "B"), "1 MB");
  EXPECT_EQ(html::scaled(-2.5e-3, "s"), "-2.5 ms");
  EXPECT_EQ(html::scaled(0, "s"), "0 s");
  EXPECT_EQ(html::scaled(1e-15, "J"), "0.001 pJ");
}

}  // namespace
}  // namespace tally
