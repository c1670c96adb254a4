// SPDX-License-Identifier: Apache-2.0
#include "reports/html/report.h"

#include <set>

#include "reports/html/markup.h"
#include "reports/html/result_section.h"

namespace tally {
namespace {

using namespace html;

constexpr std::string_view kStyle = R"(
body { font: 15px/1.45 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #1a202c }
h1, h2, h3 { line-height: 1.2 }
h2 { border-top: 1px solid #cbd5e0; padding-top: 1em; margin-top: 2em }
table { border-collapse: collapse; margin: 0.7em 0 }
th, td { border: 1px solid #cbd5e0; padding: 0.2em 0.6em; text-align: left; vertical-align: top }
th { background: #edf2f7 }
td.figure { text-align: right; font-variant-numeric: tabular-nums }
code { word-break: break-all }
small { color: #4a5568 }
svg.bar { width: 20em; height: 0.75em; background: #f7fafc }
)";

Status check(std::span<const NamedResult> results) {
  if (results.empty()) return fail("a report needs at least one result");
  std::set<std::string> names;
  for (const NamedResult& result : results)
    if (!names.insert(result.name).second)
      return fail("a report cannot hold two results named '{}'", result.name);
  return {};
}

std::string verification_section(const std::vector<std::string>& lines) {
  const std::string title = heading(2, "Verification");
  if (lines.empty()) return title + paragraph("No comparison of machines is part of this report.");
  return title + list(lines);
}

// What names a row of the two overviews.
std::vector<Cell> identity(const NamedResult& named, std::size_t index) {
  const Result& r = named.result;
  return {{fmt::format("<a href=\"#{}\">{}</a>", section_id(index), escape(r.model))},
          text(r.design),
          text(r.recipe),
          text(r.backend)};
}

std::string accuracy_overview(std::span<const NamedResult> results) {
  Table table({"model", "design", "recipe", "backend", "set", "metric", "fp32 reference",
               "this backend", "samples"});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto& accuracy = results[i].result.accuracy;
    if (!accuracy) continue;
    auto cells = identity(results[i], i);
    cells.push_back(text(results[i].result.set));
    cells.push_back(text(accuracy->metric));
    cells.push_back(accuracy->reference ? figure(exact(*accuracy->reference)) : none());
    cells.push_back(figure(exact(accuracy->value)));
    cells.push_back(figure(exact(accuracy->samples)));
    table.row(cells);
  }
  return table.empty() ? "" : heading(2, "Accuracy") + table.html();
}

std::string work_overview(std::span<const NamedResult> results) {
  Table table({"model", "design", "recipe", "backend", "inferences", "cycles", "simulated seconds",
               "utilisation", "DRAM bytes read", "DRAM bytes written", "energy, pJ"});
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& r = results[i].result;
    const auto utilization = r.utilization();
    auto cells = identity(results[i], i);
    cells.push_back(figure(exact(r.inferences)));
    cells.push_back(r.timing ? figure(exact(r.timing->cycles)) : none());
    cells.push_back(r.timing ? figure(exact(r.timing->seconds()), scaled(r.timing->seconds(), "s"))
                             : none());
    cells.push_back(utilization ? figure(exact(*utilization)) : none());
    cells.push_back(r.timing && r.work ? figure(exact(r.work->dram.read_bytes)) : none());
    cells.push_back(r.timing && r.work ? figure(exact(r.work->dram.write_bytes)) : none());
    cells.push_back(r.energy
                        ? figure(exact(r.energy->total_pj), scaled(r.energy->total_pj * 1e-12, "J"))
                        : none());
    table.row(cells);
  }
  return heading(2, "Time, memory traffic and energy") + table.html() +
         paragraph("All totals cover the inferences named in the row.");
}

// Each set of coefficients once; results that used another design have other memory figures.
std::string coefficient_section(std::span<const NamedResult> results) {
  std::string markup;
  std::set<std::pair<std::string, std::string>> seen;
  for (const NamedResult& named : results) {
    const auto& energy = named.result.energy;
    if (!energy || !seen.emplace(energy->coefficients, energy->source).second) continue;
    markup += heading(3, fmt::format("{}, design {}", energy->coefficients, named.result.design));
    markup += list(lines_of(energy->source));
  }
  return markup.empty() ? "" : heading(2, "Energy coefficients and their sources") + markup;
}

}  // namespace

Expected<std::string> render_report(std::span<const NamedResult> results, const ReportText& text) {
  TALLY_TRY(check(results));
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
      escape(text.title) + "</title>\n<style>" + std::string(kStyle) +
      "</style>\n</head>\n<body>\n";
  page += heading(1, text.title);
  page += paragraph(
      fmt::format("Tally {}. Figures stand as in the JSON form of the results.", tally_version()));
  page += verification_section(text.verification);
  page += accuracy_overview(results);
  page += work_overview(results);
  for (std::size_t i = 0; i < results.size(); ++i)
    page += result_section(results[i].name, results[i].result, section_id(i));
  page += coefficient_section(results);
  return page + "</body>\n</html>\n";
}

}  // namespace tally
