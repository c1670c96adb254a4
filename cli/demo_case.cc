// SPDX-License-Identifier: Apache-2.0
#include "cli/demo_case.h"

#include "cli/evaluation.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/verification.h"
#include "models/measure/find_model.h"
#include "models/measure/measure.h"
#include "reports/accounts.h"
#include "reports/host.h"
#include "reports/result_text.h"

namespace tally::cli {
namespace {

// A backend, and over how many samples.
struct Part {
  const char* backend;
  std::int64_t samples;
  bool reference;
};

Expected<measure::Samples> demo_samples(const nets::Model& model, const DemoModel& demo,
                                        std::int64_t count) {
  EvaluationOptions evaluation;
  evaluation.data = demo.set;
  evaluation.count = count;
  return samples_of({}, evaluation, model, {});
}

Expected<Result> measure_part(const DemoModel& demo, const Part& part, Session& session,
                              const CommonOptions& common) {
  const HostMeter meter;
  TALLY_ASSIGN(const measure::Samples samples, demo_samples(session.model(), demo, part.samples));
  measure::MeasureOptions how;
  how.backend = part.backend;
  how.threads = threads_of(common);
  how.reference = part.reference;
  how.build_progress = build_progress();
  how.coefficients = &session.coefficients();
  how.progress = progress(fmt::format("{} on {} by {}", demo.name, common.design, part.backend));
  how.reference_progress = progress(fmt::format("{} in fp32", demo.name));
  TALLY_ASSIGN(auto measurement,
               measure::measure(&session.graphs(), &session.programs(), samples, how));
  TALLY_TRY(check_accounts(measurement.result, session.design()));
  measurement.result.host = meter.measure();
  return std::move(measurement.result);
}

Status verify_first(const DemoModel& demo, Session& session, DemoCase* result) {
  TALLY_ASSIGN(const measure::Samples samples, demo_samples(session.model(), demo, 1));
  TALLY_ASSIGN(const Program program, bound_program(session, samples, 0, {}));
  TALLY_ASSIGN(Verifier verifier, make_verifier({}, session.design()));
  TALLY_ASSIGN(const Comparison comparison, verifier.verify(program));
  const bool rtl = measure::check_backend("rtl").has_value();
  result->verification =
      comparison_text(fmt::format("{} on {}, {}", demo.name, session.design().name,
                                  comparison.difference ? "DIFFERENCE"
                                  : rtl                 ? "RTL = SystemC = functional"
                                                        : "SystemC = functional"),
                      comparison.compared);
  result->verification.pop_back();
  if (comparison.difference) result->verification += "\n" + comparison.difference->message;
  result->equal = !comparison.difference;
  return {};
}

// Outputs of the first inference are the same everywhere, those of all where all were run.
bool outputs_agree(const std::vector<Result>& results) {
  for (const Result& result : results) {
    if (result.first_output_sha256 != results.front().first_output_sha256) return false;
    if (result.inferences == results.front().inferences &&
        result.output_sha256 != results.front().output_sha256)
      return false;
  }
  return true;
}

}  // namespace

Expected<DemoCase> run_demo_case(const DemoModel& demo, const std::string& design, int threads) {
  CommonOptions common;
  common.model = demo.name;
  common.design = design;
  common.threads = threads;
  TALLY_ASSIGN(nets::Model model, measure::find_model(demo.name, zoo_folder()));
  TALLY_ASSIGN(const auto session, Session::create(common, std::move(model), nullptr));
  DemoCase result;
  const Part parts[] = {
      {"functional", demo.samples, true}, {"sysc", demo.samples, false}, {"rtl", 1, false}};
  for (const Part& part : parts) {
    if (!measure::check_backend(part.backend)) continue;
    TALLY_ASSIGN(Result measured, measure_part(demo, part, *session, common));
    result.results.push_back(std::move(measured));
  }
  // All from one measurement of the fp32 model on the same samples.
  const Accuracy& accuracy = *result.results.front().accuracy;
  for (Result& each : result.results)
    if (each.accuracy->samples == accuracy.samples) each.accuracy->reference = accuracy.reference;
  TALLY_TRY(verify_first(demo, *session, &result));
  result.equal = result.equal && outputs_agree(result.results);
  return result;
}

std::string demo_text(const DemoCase& demo) {
  const Result* timed = &demo.results.front();
  for (const Result& result : demo.results)
    if (result.backend == "sysc") timed = &result;
  return result_text(*timed) + demo.verification + "\n" +
         (demo.equal ? "" : "The machines differ.\n") + "\n";
}

}  // namespace tally::cli
