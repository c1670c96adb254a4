// SPDX-License-Identifier: Apache-2.0
#include "cli/session.h"

#include "cli/paths.h"
#include "cli/progress.h"
#include "models/measure/calibrate_model.h"

namespace tally::cli {

Expected<std::unique_ptr<Session>> Session::create(const CommonOptions& options, nets::Model model,
                                                   const DataSet* evaluation) {
  std::unique_ptr<Session> session(new Session(std::move(model)));
  TALLY_TRY(session->load(options));
  if (session->recipe_.needs_calibration()) TALLY_TRY(session->calibrate(options, evaluation));
  session->programs_ = std::make_unique<measure::Programs>(
      &session->graphs_, session->recipe_, session->design_, session->calibration());
  return session;
}

Status Session::load(const CommonOptions& options) {
  TALLY_ASSIGN(design_, design_of(options));
  TALLY_ASSIGN(recipe_, recipe_of(options));
  TALLY_ASSIGN(Coefficients coefficients,
               Coefficients::load(energy_folder() + "/" + design_.energy + ".toml"));
  coefficients_ = std::move(coefficients);
  if (!options.calibrate.empty() && !recipe_.needs_calibration())
    return fail("recipe '{}' takes no calibration data: --calibrate does not apply", recipe_.name);
  return {};
}

Status Session::calibrate(const CommonOptions& options, const DataSet* evaluation) {
  const std::string& set = options.calibrate.empty() ? recipe_.calibration->set : options.calibrate;
  if (set.empty()) return fail("recipe '{}' needs calibration data: --calibrate SET", recipe_.name);
  TALLY_ASSIGN(calibration_, measure::calibrate_model(&graphs_, recipe_, set, evaluation,
                                                      progress("calibrating on " + set)));
  return {};
}

std::optional<CalibrationSource> calibration_source(const passes::Calibration* calibration) {
  if (calibration == nullptr) return std::nullopt;
  return CalibrationSource{calibration->set, calibration->indices_sha256, calibration->samples};
}

}  // namespace tally::cli
