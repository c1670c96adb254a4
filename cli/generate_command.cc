// SPDX-License-Identifier: Apache-2.0
// tally generate: greedy decoding, prefill and each step timed.
#include <fmt/ranges.h>

#include <iostream>

#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "models/measure/find_model.h"
#include "models/measure/generate.h"
#include "reports/accounts.h"
#include "reports/host.h"
#include "reports/result_json.h"
#include "reports/result_text.h"

namespace tally::cli {
namespace {

struct GenerateCommand {
  CommonOptions common;
  std::string backend = "sysc";
  std::vector<std::int32_t> prompt;
  std::int64_t tokens = 0;
};

void print_steps(const Generation& generation, const Session* session) {
  for (std::size_t i = 0; i < generation.steps.size(); ++i) {
    const Generation::Step& step = generation.steps[i];
    if (!step.cycles) continue;
    const double seconds = static_cast<double>(*step.cycles) / (session->design().clock_mhz * 1e6);
    std::cout << fmt::format("  {:<12} {:>4} token{} {:>12} cycles  {}s\n",
                             i == 0 ? "prefill" : fmt::format("step {}", i), step.tokens,
                             step.tokens == 1 ? " " : "s", *step.cycles, scaled_text(seconds));
  }
}

Expected<Result> generate(const GenerateCommand& options, measure::Graphs& graphs,
                          Session* session) {
  measure::GenerateOptions how;
  how.backend = options.backend;
  how.build_progress = build_progress();
  how.progress = progress(options.common.model + " by " + options.backend);
  if (session != nullptr) how.coefficients = &session->coefficients();
  return measure::generate(&graphs, session != nullptr ? &session->programs() : nullptr,
                           options.prompt, options.tokens, how);
}

Expected<int> run(const GenerateCommand& options) {
  const HostMeter meter;
  TALLY_TRY(measure::check_backend(options.backend));
  TALLY_ASSIGN(nets::Model model, measure::find_model(options.common.model, zoo_folder()));
  std::unique_ptr<Session> session;
  std::optional<measure::Graphs> reference;
  if (measure::is_reference(options.backend)) {
    reference.emplace(model);
  } else {
    TALLY_ASSIGN(session, Session::create(options.common, std::move(model), nullptr));
  }
  TALLY_ASSIGN(Result result,
               generate(options, session ? session->graphs() : *reference, session.get()));
  result.host = meter.measure();
  if (session) {
    result.calibration = calibration_source(session->calibration());
    if (const Status accounts = check_accounts(result, session->design()); !accounts) {
      std::cerr << "tally: " << accounts.error().message << "\n";
      return kCheckFailed;
    }
  }
  if (!options.common.json.empty()) TALLY_TRY(write_file(options.common.json, result_json(result)));
  std::cout << fmt::format("{}\n", fmt::join(result.generation->ids, ","));
  print_steps(*result.generation, session.get());
  if (options.common.explain) std::cout << result_text(result);
  return kOk;
}

}  // namespace

void add_generate(CommandLine app, Action* action) {
  auto options = std::make_shared<GenerateCommand>();
  CommandLine command = app.command("generate", "greedy decoding, each step timed");
  add_model(command, &options->common);
  command.option("--prompt", &options->prompt, "token ids: 1,2,3").required().separated_by_commas();
  command.option("--tokens", &options->tokens, "how many tokens to add").required().positive();
  command.option("--backend", &options->backend, "reference, functional, sysc or rtl")
      .default_shown();
  add_design(command, &options->common);
  add_recipe(command, &options->common);
  add_results(command, &options->common);
  command.flag("--explain", &options->common.explain, "print the totals too");
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
