// SPDX-License-Identifier: Apache-2.0
// tally demo: the zoo's models on two designs: accuracy, speed and energy, and the proof that RTL,
// SystemC model and functional model do the same over a whole inference.
#include <iostream>

#include "cli/background.h"
#include "cli/command.h"
#include "cli/demo_case.h"
#include "models/measure/backend.h"
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

using Cases = std::vector<std::unique_ptr<DemoCase>>;

Expected<Cases> make_cases(const DemoOptions& options) {
  Cases cases;
  for (DemoModel model : kModels) {
    if (options.samples > 0) model.samples = options.samples;
    for (const char* design : kDesigns) {
      TALLY_ASSIGN(auto one, DemoCase::create(model, design, options.threads));
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

Status write_case(const DemoOptions& options, const DemoCase& demo,
                  std::vector<NamedResult>* results) {
  for (const Result& result : demo.results()) {
    const std::string name = fmt::format("{}-{}-{}", result.model, result.design, result.backend);
    TALLY_TRY(write_file(fmt::format("{}/{}.json", options.folder, name), result_json(result)));
    results->push_back({name, result});
  }
  return {};
}

// The RTL runs of all cases go on in the background, one after the other; the SystemC model, of
// which a process has one, works in front.
Status run_case(DemoCase& demo, Background<Expected<FirstRun>>& rtl) {
  TALLY_TRY(demo.measure());
  std::vector<FirstRun> runs;
  for (const char* backend : {"functional", "sysc"}) {
    TALLY_ASSIGN(auto run, demo.run_first(backend));
    runs.push_back(std::move(run));
  }
  if (measure::check_backend("rtl")) {
    TALLY_ASSIGN(auto run, rtl.take());
    runs.push_back(std::move(run));
  }
  return demo.compare(std::move(runs));
}

Expected<int> run(const DemoOptions& options) {
  TALLY_ASSIGN(const Cases cases, make_cases(options));
  Background<Expected<FirstRun>> rtl;
  if (measure::check_backend("rtl"))
    for (const auto& demo : cases) rtl.add([&demo] { return demo->run_first("rtl"); });
  std::vector<NamedResult> results;
  ReportText report;
  report.title = "Tally demo";
  bool good = true;
  for (const auto& demo : cases) {
    TALLY_TRY(run_case(*demo, rtl));
    std::cout << demo->text() << std::flush;
    TALLY_TRY(write_case(options, *demo, &results));
    report.verification.push_back(demo->verification());
    good = good && demo->good();
  }
  TALLY_ASSIGN(const std::string html, render_report(results, report));
  TALLY_TRY(write_file(options.folder + "/report.html", html));
  std::cout << fmt::format("results: {0}/*.json, report: {0}/report.html\n", options.folder);
  return good ? kOk : kCheckFailed;
}

}  // namespace

void add_demo(CommandLine app, Action* action) {
  auto options = std::make_shared<DemoOptions>();
  CommandLine command = app.command("demo", "the zoo's models on two designs");
  command.option("--output", &options->folder, "folder for results and report").default_shown();
  command.option("-n", &options->samples, "images or sequences (default: 1000 and 160)").positive();
  command.option("--threads", &options->threads, "host threads (default: all)").between(1, 1024);
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
