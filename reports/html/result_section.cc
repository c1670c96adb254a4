// SPDX-License-Identifier: Apache-2.0
#include "reports/html/result_section.h"

#include <algorithm>

#include "reports/html/bars.h"
#include "reports/html/markup.h"

namespace tally::html {
namespace {

constexpr std::string_view kBusy = "#2b6cb0", kStalled = "#dd9922", kIdle = "#cbd5e0",
                           kEnergy = "#2f855a";

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

void add(Table* table, std::string_view key, const Cell& cell) { table->row({text(key), cell}); }

std::string provenance(const Result& r) {
  Table table({});
  add(&table, "program (SHA-256)", code(r.program));
  add(&table, "outputs (SHA-256)", code(r.output_sha256));
  add(&table, "outputs of the first inference (SHA-256)", code(r.first_output_sha256));
  add(&table, "tally", text(tally_version()));
  add(&table, "data set", text(r.set.empty() ? "none: seeded random inputs" : r.set));
  add(&table, "seed", figure(exact(r.seed)));
  add(&table, "inferences", figure(exact(r.inferences)));
  if (r.calibration) {
    add(&table, "calibration set", text(r.calibration->set));
    add(&table, "calibration samples", figure(exact(r.calibration->samples)));
    add(&table, "calibration samples (SHA-256)", code(r.calibration->indices_sha256));
  }
  return table.html();
}

std::string accuracy(const Accuracy& a) {
  Table table({"metric", "fp32 reference", "this backend", "samples"});
  table.row({text(a.metric), a.reference ? figure(exact(*a.reference)) : none(),
             figure(exact(a.value)), figure(exact(a.samples))});
  return heading(3, "Accuracy") + table.html();
}

std::string time(const Result& r) {
  Table table({});
  const auto utilization = r.utilization();
  if (r.timing) {
    add(&table, "cycles", figure(exact(r.timing->cycles)));
    add(&table, "clock, MHz", figure(exact(std::int64_t{r.timing->clock_mhz})));
    add(&table, "simulated seconds",
        figure(exact(r.timing->seconds()), scaled(r.timing->seconds(), "s")));
  }
  if (r.work) {
    add(&table, "products (padding not counted)", figure(exact(r.work->macs)));
    add(&table, "instructions", figure(exact(r.work->instructions)));
  }
  if (utilization) add(&table, "utilisation of the array", figure(exact(*utilization)));
  return table.empty() ? "" : heading(3, "Time and work") + table.html();
}

std::string units(const Timing& timing) {
  Table table({"unit", "busy", "stalled", "idle", "of all cycles"});
  for (int unit = 0; unit < isa::kUnits; ++unit) {
    const UnitCycles& c = timing.units[static_cast<std::size_t>(unit)];
    const double all = static_cast<double>(timing.cycles);
    const double busy = share(double(c.busy), all), stalled = share(double(c.stalled), all),
                 idle = share(double(c.idle), all);
    const std::string label =
        fmt::format("{}: {:.1f}% busy, {:.1f}% stalled, {:.1f}% idle", isa::kUnitNames[unit],
                    100 * busy, 100 * stalled, 100 * idle);
    table.row({text(isa::kUnitNames[unit]),
               figure(exact(c.busy)),
               figure(exact(c.stalled)),
               figure(exact(c.idle)),
               {bar({{busy, kBusy}, {stalled, kStalled}, {idle, kIdle}}, label)}});
  }
  return heading(3, "Units, cycles") + table.html() +
         paragraph("Bars: busy blue, stalled amber, idle grey.");
}

std::string dram(const Timing& timing, const DramCounters& d) {
  Table table({"DRAM", "read", "written"});
  table.row(
      {text("bytes of device bursts"), figure(exact(d.read_bytes)), figure(exact(d.write_bytes))});
  table.row({text("bytes requested"), figure(exact(d.requested_read_bytes)),
             figure(exact(d.requested_write_bytes))});
  Table counts({});
  add(&counts, "bytes of port beats", figure(exact(timing.bus_bytes)));
  add(&counts, "rows opened", figure(exact(d.activations)));
  add(&counts, "refreshes", figure(exact(d.refreshes)));
  return heading(3, "Memory traffic") + table.html() + counts.html();
}

std::string energy_table(const char* what, const std::map<std::string, double>& parts,
                         double total) {
  std::vector<std::pair<std::string, double>> sorted(parts.begin(), parts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &std::pair<std::string, double>::second);
  Table table({what, "energy, pJ", "of the total"});
  for (const auto& [name, pj] : sorted) {
    const double part = share(pj, total);
    table.row({text(name),
               figure(exact(pj), scaled(pj * 1e-12, "J")),
               {bar({{part, kEnergy}}, fmt::format("{}: {:.1f}%", name, 100 * part))}});
  }
  return table.html();
}

std::string energy(const Energy& e) {
  return heading(3, "Energy") +
         paragraph(fmt::format("Total: {} pJ ({}), coefficients {}.", exact(e.total_pj),
                               scaled(e.total_pj * 1e-12, "J"), e.coefficients)) +
         energy_table("unit", e.by_unit, e.total_pj) + energy_table("node", e.by_node, e.total_pj);
}

std::string generation(const Generation& g) {
  std::string ids;
  for (std::int32_t id : g.ids) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
  Table table({"inference", "tokens in", "cycles"});
  for (std::size_t i = 0; i < g.steps.size(); ++i)
    table.row({text(i == 0 ? "prefill" : fmt::format("step {}", i)),
               figure(exact(g.steps[i].tokens)),
               g.steps[i].cycles ? figure(exact(*g.steps[i].cycles)) : none()});
  return heading(3, "Generation") + paragraph("Token ids, prompt first: " + ids) + table.html();
}

std::string host(const Host& h) {
  Table table({});
  add(&table, "wall seconds", figure(exact(h.wall_seconds)));
  add(&table, "peak memory, bytes",
      figure(exact(h.peak_rss_bytes), scaled(double(h.peak_rss_bytes), "B")));
  add(&table, "instruction set", text(h.isa));
  return heading(3, "Host that simulated") + table.html();
}

std::string title(const Result& r) {
  std::string result = r.model;
  for (const std::string& part : {r.design, r.recipe, r.backend})
    if (!part.empty()) result += ", " + part;
  return result;
}

}  // namespace

std::string section_id(std::size_t index) { return fmt::format("result-{}", index + 1); }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string result_section(const std::string& name, const Result& r, const std::string& id) {
  std::string markup = fmt::format("<section id=\"{}\">\n", escape(id));
  markup += heading(2, title(r)) + "<p><code>" + escape(name) + "</code></p>\n";
  markup += provenance(r);
  if (r.accuracy) markup += accuracy(*r.accuracy);
  if (r.generation) markup += generation(*r.generation);
  markup += time(r);
  if (r.timing) markup += units(*r.timing);
  if (r.timing && r.work) markup += dram(*r.timing, r.work->dram);
  if (r.energy) markup += energy(*r.energy);
  markup += host(r.host);
  if (!r.notes.empty()) markup += heading(3, "Notes") + list(r.notes);
  return markup + "</section>\n";
}

}  // namespace tally::html
