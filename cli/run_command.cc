// SPDX-License-Identifier: Apache-2.0
// tally run: a model on a backend, over a data set or seeded random inputs.
#include <iostream>

#include "cli/evaluation.h"
#include "cli/npy_output.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "models/measure/find_model.h"
#include "models/measure/measure.h"
#include "reports/accounts.h"
#include "reports/host.h"
#include "reports/result_json.h"
#include "reports/result_text.h"

namespace tally::cli {
namespace {

struct RunOptions {
  CommonOptions common;
  EvaluationOptions evaluation;
  std::string backend = "sysc";
};

Status write_results(const RunOptions& options, const measure::Measurement& measurement) {
  if (!options.common.output.empty())
    TALLY_TRY(write_outputs(options.common.output, measurement.outputs));
  if (!options.common.json.empty())
    TALLY_TRY(write_file(options.common.json, result_json(measurement.result)));
  return {};
}

// Which node does how much, from the largest.
void explain(const Result& result) {
  if (!result.energy) return;
  std::cout << "  energy by node, pJ\n";
  for (const auto& [node, pj] : result.energy->by_node)
    std::cout << fmt::format("    {:<40} {:>14.0f}\n", node, pj);
}

Expected<measure::Measurement> measure_it(const RunOptions& options, measure::Graphs& graphs,
                                          Session* session, const measure::Samples& samples,
                                          const nets::BuildOptions& shape) {
  measure::MeasureOptions how;
  how.backend = options.backend;
  how.shape = shape;
  how.threads = threads_of(options.common);
  how.keep_outputs = !options.common.output.empty();
  how.build_progress = build_progress();
  if (session != nullptr) how.coefficients = &session->coefficients();
  how.progress = progress(options.common.model + " by " + options.backend);
  how.reference_progress = progress(options.common.model + " in fp32");
  return measure::measure(&graphs, session != nullptr ? &session->programs() : nullptr, samples,
                          how);
}

Expected<int> run(const RunOptions& options) {
  const HostMeter meter;
  TALLY_TRY(measure::check_backend(options.backend));
  TALLY_ASSIGN(nets::Model model, measure::find_model(options.common.model, zoo_folder()));
  TALLY_ASSIGN(const nets::BuildOptions shape, shape_of(options.common, model));
  TALLY_ASSIGN(const measure::Samples samples,
               samples_of(options.common, options.evaluation, model, shape));
  std::unique_ptr<Session> session;
  std::optional<measure::Graphs> reference;
  if (measure::is_reference(options.backend)) {
    reference.emplace(model);
  } else {
    TALLY_ASSIGN(session, Session::create(options.common, std::move(model), samples.set()));
  }
  TALLY_ASSIGN(auto measurement, measure_it(options, session ? session->graphs() : *reference,
                                            session.get(), samples, shape));
  Result& result = measurement.result;
  result.seed = options.common.seed;
  if (session) result.calibration = calibration_source(session->calibration());
  result.host = meter.measure();
  if (session) {
    if (const Status accounts = check_accounts(result, session->design()); !accounts) {
      std::cerr << "tally: " << accounts.error().message << "\n";
      return kCheckFailed;
    }
  }
  TALLY_TRY(write_results(options, measurement));
  std::cout << result_text(result);
  if (options.common.explain) explain(result);
  return kOk;
}

}  // namespace

void add_run(CommandLine app, Action* action) {
  auto options = std::make_shared<RunOptions>();
  CommandLine command = app.command("run", "a model on a backend: accuracy, speed, energy");
  add_model(command, &options->common);
  command.option("--backend", &options->backend, "reference, functional, sysc or rtl")
      .default_shown();
  add_evaluation(command, &options->evaluation);
  add_design(command, &options->common);
  add_recipe(command, &options->common);
  add_shape(command, &options->common);
  add_results(command, &options->common);
  command.option("--output", &options->common.output, "write the output values here (.npy)");
  add_running(command, &options->common);
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
