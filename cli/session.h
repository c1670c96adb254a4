// SPDX-License-Identifier: Apache-2.0
// A model with everything that the options of a command name: recipe, calibration, design,
// programs.
#pragma once

#include <memory>
#include <optional>

#include "cli/options.h"
#include "compiler/passes/calibration.h"
#include "models/data/data_set.h"
#include "models/measure/compiled.h"
#include "reports/energy/coefficients.h"
#include "reports/result.h"

namespace tally::cli {

class Session {
 public:
  // `evaluation` is the data that will be measured on, null where none: calibration data must share
  // no sample with it. Calibrates where the recipe asks for it.
  static Expected<std::unique_ptr<Session>> create(const CommonOptions& options, nets::Model model,
                                                   const DataSet* evaluation);

  measure::Graphs& graphs() { return graphs_; }
  measure::Programs& programs() { return *programs_; }
  const nets::Model& model() const { return model_; }
  const Design& design() const { return design_; }
  const Recipe& recipe() const { return recipe_; }
  // Null where the recipe needs none.
  const passes::Calibration* calibration() const { return calibration_ ? &*calibration_ : nullptr; }
  const Coefficients& coefficients() const { return *coefficients_; }

 private:
  explicit Session(nets::Model model) : model_(std::move(model)), graphs_(model_) {}
  Status load(const CommonOptions& options);
  Status calibrate(const CommonOptions& options, const DataSet* evaluation);

  nets::Model model_;
  measure::Graphs graphs_;
  Design design_;
  Recipe recipe_;
  std::optional<passes::Calibration> calibration_;
  std::optional<Coefficients> coefficients_;
  std::unique_ptr<measure::Programs> programs_;
};

// The calibration as a result names it.
std::optional<CalibrationSource> calibration_source(const passes::Calibration* calibration);

}  // namespace tally::cli
