// SPDX-License-Identifier: Apache-2.0
// One model on one design, as the demo shows it: the SystemC model over all samples, and all
// machines over the first, compared.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/session.h"
#include "models/measure/samples.h"
#include "models/run/inference.h"
#include "models/verify/compare.h"
#include "reports/result.h"

namespace tally::cli {

struct DemoModel {
  const char* name;
  const char* set;
  std::int64_t samples;
};

// A machine's run of the first sample, with retirement records and the memory that it left.
struct FirstRun {
  std::string backend;
  Inference inference;
  Inference::Result result;
  Host host;
};

class DemoCase {
 public:
  static Expected<std::unique_ptr<DemoCase>> create(const DemoModel& model,
                                                    const std::string& design, int threads);

  // May run beside everything else.
  Expected<FirstRun> run_first(const std::string& backend) const;
  // Accuracy, speed and energy by the SystemC model.
  Status measure();
  // Takes the first runs of functional, sysc and, where there is one, rtl: results and comparison.
  Status compare(std::vector<FirstRun> runs);

  std::string name() const;
  // In the order functional, sysc, rtl.
  const std::vector<Result>& results() const { return results_; }
  // One line: compared = total.
  const std::string& verification() const { return verification_; }
  // No difference, and every account balances.
  bool good() const { return equal_ && accounts_.has_value(); }
  std::string text() const;

 private:
  Expected<Result> first_result(const FirstRun& run) const;
  void check(const Result& result);
  Comparison compare_pairs(const std::vector<FirstRun>& runs) const;

  DemoModel model_{};
  CommonOptions common_;
  std::unique_ptr<Session> session_;
  std::optional<measure::Samples> samples_;
  const Program* program_ = nullptr;
  ops::Tensors first_inputs_;
  std::vector<Result> results_;
  std::optional<Result> measured_;
  std::string verification_;
  Status accounts_;
  bool equal_ = true;
};

}  // namespace tally::cli
