// SPDX-License-Identifier: Apache-2.0
#include "cli/demo_case.h"

#include "cli/evaluation.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/verification.h"
#include "models/measure/account_energy.h"
#include "models/measure/find_model.h"
#include "models/measure/measure.h"
#include "reports/accounts.h"
#include "reports/host.h"
#include "reports/result_text.h"

namespace tally::cli {
namespace {

MachineRun machine_run(const FirstRun& run) {
  return {.name = run.backend,
          .timed = run.backend != "functional",
          .result = run.result.run,
          .image = &run.inference.dram(),
          .faults = {}};
}

}  // namespace

Expected<std::unique_ptr<DemoCase>> DemoCase::create(const DemoModel& model,
                                                     const std::string& design, int threads) {
  auto demo = std::make_unique<DemoCase>();
  demo->model_ = model;
  demo->common_.model = model.name;
  demo->common_.design = design;
  demo->common_.threads = threads;
  TALLY_ASSIGN(nets::Model imported, measure::find_model(model.name, zoo_folder()));
  EvaluationOptions evaluation;
  evaluation.data = model.set;
  evaluation.count = model.samples;
  TALLY_ASSIGN(demo->samples_, samples_of({}, evaluation, imported, {}));
  TALLY_ASSIGN(demo->session_,
               Session::create(demo->common_, std::move(imported), demo->samples_->set()));
  nets::BuildOptions shape;
  shape.tokens = demo->samples_->tokens(0);
  TALLY_ASSIGN(const auto graph, demo->session_->graphs().get(shape));
  demo->first_inputs_ = demo->samples_->inputs(0, *graph);
  TALLY_ASSIGN(demo->program_, demo->session_->programs().get(shape));
  return demo;
}

std::string DemoCase::name() const { return fmt::format("{} on {}", model_.name, common_.design); }

Expected<FirstRun> DemoCase::run_first(const std::string& backend) const {
  const HostMeter meter;
  TALLY_ASSIGN(auto machine, measure::make_machine(backend, session_->design(), build_progress()));
  TALLY_ASSIGN(Inference inference, Inference::create(*program_, session_->design()));
  RunOptions options;
  options.records = options.hashes = true;
  TALLY_ASSIGN(auto result, inference.run(first_inputs_, options, machine.get()));
  TALLY_TRY(measure::check_finished(backend, result.run));
  return FirstRun{backend, std::move(inference), std::move(result), meter.measure()};
}

Status DemoCase::measure() {
  const HostMeter meter;
  measure::MeasureOptions how;
  how.backend = "sysc";
  how.threads = threads_of(common_);
  how.coefficients = &session_->coefficients();
  how.progress = progress(name() + " by sysc");
  how.reference_progress = progress(fmt::format("{} in fp32", model_.name));
  TALLY_ASSIGN(auto measurement,
               measure::measure(&session_->graphs(), &session_->programs(), *samples_, how));
  measurement.result.host = meter.measure();
  measured_ = std::move(measurement.result);
  check(*measured_);
  return {};
}

void DemoCase::check(const Result& result) {
  if (accounts_) accounts_ = check_accounts(result, session_->design());
}

Expected<Result> DemoCase::first_result(const FirstRun& run) const {
  Result result;
  result.model = model_.name;
  result.notes = session_->model().notes;
  result.backend = run.backend;
  result.program = program_->sha256();
  result.inferences = 1;
  result.set = model_.set;
  TALLY_ASSIGN(const measure::Score score, samples_->score(0, run.result.outputs.at("logits")));
  result.accuracy = Accuracy{samples_->metric(), samples_->value(score), std::nullopt, score.count};
  measure::OutputHash hash;
  hash.add(run.result.outputs);
  hash.write(&result);
  measure::Totals totals;
  totals.add(run.result.run, *program_);
  totals.write(session_->design(), &result);
  if (result.timing) {
    TALLY_ASSIGN(result.energy,
                 measure::account_energy({{program_, {1, first_inputs_}}}, totals,
                                         session_->design(), session_->coefficients()));
  }
  result.host = run.host;
  return result;
}

// Machines with time among themselves, then each with the functional model, which comes first.
Comparison DemoCase::compare_pairs(const std::vector<FirstRun>& runs) const {
  std::vector<MachineRun> all, timed;
  for (const FirstRun& run : runs) {
    all.push_back(machine_run(run));
    if (all.back().timed) timed.push_back(all.back());
  }
  Comparison comparison = compare_runs(*program_, all);
  if (timed.size() > 1) {
    Comparison times = compare_runs(*program_, timed);
    comparison.compared += times.compared;
    if (times.difference) comparison.difference = std::move(times.difference);
  }
  return comparison;
}

Status DemoCase::compare(std::vector<FirstRun> runs) {
  for (const FirstRun& run : runs) {
    TALLY_ASSIGN(Result result, first_result(run));
    check(result);
    equal_ = equal_ && result.output_sha256 == measured_->first_output_sha256;
    if (run.backend == "sysc") result = *measured_;
    results_.push_back(std::move(result));
  }
  const Comparison comparison = compare_pairs(runs);
  equal_ = equal_ && !comparison.difference;
  const char* verdict = !equal_           ? "DIFFERENCE"
                        : runs.size() > 2 ? "RTL = SystemC = functional"
                                          : "SystemC = functional";
  verification_ = comparison_text(fmt::format("{}, {}", name(), verdict), comparison.compared);
  if (comparison.difference) verification_ += comparison.difference->message + "\n";
  verification_.pop_back();
  return {};
}

std::string DemoCase::text() const {
  // A figure whose account does not balance is not shown.
  const std::string figures = accounts_
                                  ? result_text(*measured_)
                                  : fmt::format("{}: {}\n", name(), accounts_.error().message);
  return figures + verification_ + "\n\n";
}

}  // namespace tally::cli
