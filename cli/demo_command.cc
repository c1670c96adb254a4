// SPDX-License-Identifier: Apache-2.0
// tally demo: the zoo's models on two designs: accuracy, speed and energy, and the proof that RTL,
// SystemC model and functional model do the same over a whole inference.
#include <iostream>

#include "cli/command.h"
#include "cli/demo_case.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "reports/html/report.h"
#include "reports/result_json.h"

namespace tally::cli {
namespace {

constexpr DemoModel kModels[] = {{"vit-fashion", "fashion-test", 1000},
                                 {"gpt-mini", "kjv-test", 160}};
constexpr const char* kDesigns[] = {"base", "small"};

struct DemoOptions {
  std::string folder = "out/demo";
  std::int64_t samples = 0;  // 0: as in kModels
  int threads = 0;
};

Status write_case(const DemoOptions& options, const DemoCase& demo,
                  std::vector<NamedResult>* results) {
  for (const Result& result : demo.results) {
    const std::string name = fmt::format("{}-{}-{}", result.model, result.design, result.backend);
    TALLY_TRY(write_file(fmt::format("{}/{}.json", options.folder, name), result_json(result)));
    results->push_back({name, result});
  }
  return {};
}

Expected<int> run(const DemoOptions& options) {
  std::vector<NamedResult> results;
  ReportText report;
  report.title = "Tally demo";
  bool equal = true;
  for (const DemoModel& model : kModels) {
    for (const char* design : kDesigns) {
      DemoModel wanted = model;
      if (options.samples > 0) wanted.samples = options.samples;
      TALLY_ASSIGN(const DemoCase demo, run_demo_case(wanted, design, options.threads));
      std::cout << demo_text(demo) << std::flush;
      TALLY_TRY(write_case(options, demo, &results));
      report.verification.push_back(demo.verification);
      equal = equal && demo.equal;
    }
  }
  TALLY_ASSIGN(const std::string html, render_report(results, report));
  TALLY_TRY(write_file(options.folder + "/report.html", html));
  std::cout << fmt::format("results: {0}/*.json, report: {0}/report.html\n", options.folder);
  return equal ? kOk : kCheckFailed;
}

}  // namespace

void add_demo(CLI::App& app, Action* action) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App* command = app.add_subcommand("demo", "the zoo's models on two designs");
  command->add_option("--output", options->folder, "folder for results and report")
      ->capture_default_str();
  command->add_option("-n", options->samples, "images or sequences (default: 1000 and 160)")
      ->check(CLI::PositiveNumber);
  command->add_option("--threads", options->threads, "host threads (default: all)")
      ->check(CLI::Range(1, 1024));
  command->callback([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
