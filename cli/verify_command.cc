// SPDX-License-Identifier: Apache-2.0
// tally verify: the same program on several machines, compared instruction by instruction.
#include <iostream>

#include "cli/evaluation.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/verification.h"
#include "models/measure/bind_inputs.h"
#include "models/measure/find_model.h"

namespace tally::cli {
namespace {

struct VerifyOptions {
  CommonOptions common;
  EvaluationOptions evaluation;
  std::vector<std::string> designs;  // random: any number; empty: base
  std::vector<std::string> backends;
  std::uint64_t programs = 1000;
  std::string save = "out/verify";
  std::string waveform;
  std::uint64_t around = 200;  // cycles of the waveform before and after
};

Expected<Verifier> verifier_of(const VerifyOptions& options, const Design& design) {
  return make_verifier(options.backends, design);
}

// A difference: what, and the waveform around it where one was asked for.
Expected<int> report(const VerifyOptions& options, const Program& program, const std::string& what,
                     const Comparison& comparison, Verifier* verifier) {
  std::cout << comparison_text(what, comparison.compared);
  if (!comparison.difference) return kOk;
  std::cout << comparison.difference->message << "\n";
  if (!options.waveform.empty()) {
    TALLY_TRY(verifier->write_waveform(program, comparison.difference->cycle, options.around,
                                       options.waveform));
    std::cout << fmt::format("waveform: {}\n", options.waveform);
  }
  return kCheckFailed;
}

Expected<int> verify_file(const VerifyOptions& options) {
  TALLY_ASSIGN(const Program program, load_program(options.common.model));
  TALLY_ASSIGN(const Design design,
               options.designs.empty() ? tally::design_of(program) : design_of(options.common));
  TALLY_TRY(check_design(program, design));
  TALLY_ASSIGN(Verifier verifier, verifier_of(options, design));
  TALLY_ASSIGN(const Comparison comparison, verifier.verify(program));
  return report(options, program, fmt::format("{} on {}", options.common.model, design.name),
                comparison, &verifier);
}

Expected<int> verify_model(const VerifyOptions& options) {
  TALLY_ASSIGN(nets::Model model, measure::find_model(options.common.model, zoo_folder()));
  TALLY_ASSIGN(const nets::BuildOptions shape, shape_of(options.common, model));
  TALLY_ASSIGN(const measure::Samples samples,
               samples_of(options.common, options.evaluation, model, shape));
  TALLY_ASSIGN(const auto session,
               Session::create(options.common, std::move(model), samples.set()));
  TALLY_ASSIGN(Verifier verifier, verifier_of(options, session->design()));
  const auto line = progress("verifying " + options.common.model);
  Compared compared;
  const std::string what = fmt::format("{} on {}", session->model().name, session->design().name);
  for (std::int64_t i = 0; i < samples.count(); ++i) {
    TALLY_ASSIGN(const Program program, bound_program(*session, samples, i, shape));
    TALLY_ASSIGN(const Comparison comparison, verifier.verify(program));
    compared += comparison.compared;
    if (comparison.difference) return report(options, program, what, comparison, &verifier);
    if (line) line(i + 1, samples.count());
  }
  std::cout << comparison_text(what, compared);
  return kOk;
}

Expected<int> verify_random_programs(const VerifyOptions& options) {
  std::vector<std::unique_ptr<Verifier>> verifiers;
  std::vector<Verifier*> pointers;
  for (const std::string& name :
       options.designs.empty() ? std::vector<std::string>{"base"} : options.designs) {
    TALLY_ASSIGN(const Design design, find_design(name, designs_folder()));
    TALLY_ASSIGN(Verifier verifier, verifier_of(options, design));
    verifiers.push_back(std::make_unique<Verifier>(std::move(verifier)));
    pointers.push_back(verifiers.back().get());
  }
  RandomOptions how;
  how.programs = options.programs;
  how.seed = options.common.seed;
  how.save_directory = options.save;
  if (const auto line = progress("random programs"))
    how.progress = [line](std::uint64_t done, std::uint64_t total) {
      line(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    };
  TALLY_ASSIGN(const RandomReport report, verify_random(pointers, how));
  std::cout << fmt::format("seed {}: ", options.common.seed) << report_text(report);
  return report.ok() ? kOk : kCheckFailed;
}

Expected<int> run(VerifyOptions options) {
  if (options.common.model == "random") return verify_random_programs(options);
  if (options.designs.size() > 1) return fail("--design: one design, but for 'random'");
  if (!options.designs.empty()) options.common.design = options.designs.front();
  return options.common.model.ends_with(".tally") ? verify_file(options) : verify_model(options);
}

}  // namespace

void add_verify(CommandLine app, Action* action) {
  auto options = std::make_shared<VerifyOptions>();
  CommandLine command =
      app.command("verify", "compare machines: values, cycles and events of every instruction");
  command
      .option("MODEL|FILE|random", &options->common.model,
              "a model, a program (.tally), or random programs")
      .required();
  command
      .option("--backends", &options->backends,
              "machines with time, compared with the functional model (default: sysc,rtl)")
      .separated_by_commas();
  command
      .option("--design", &options->designs,
              "shipped designs or TOML files; several for random (default: base)")
      .separated_by_commas();
  add_recipe(command, &options->common);
  add_evaluation(command, &options->evaluation);
  add_shape(command, &options->common);
  command.option("--programs", &options->programs, "random: how many").default_shown().positive();
  command.option("--seed", &options->common.seed, "of random programs or inputs").default_shown();
  command.option("--save", &options->save, "folder for a failing random program").default_shown();
  command.option("--waveform", &options->waveform, "FST file around a difference (rtl)");
  command.option("--around", &options->around, "cycles of it before and after").default_shown();
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
