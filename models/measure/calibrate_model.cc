// SPDX-License-Identifier: Apache-2.0
#include "models/measure/calibrate_model.h"

#include "models/data/sets.h"

namespace tally::measure {
namespace {

Status check_disjoint(const DataSet& calibration, const DataSet* evaluation) {
  if (evaluation == nullptr) return {};
  const auto shared = first_shared_sample(calibration, *evaluation);
  if (!shared) return {};
  return fail("calibration set '{}' and evaluation set '{}' share a sample ({} and {})",
              calibration.name, evaluation->name, calibration.indices[shared->in_a],
              evaluation->indices[shared->in_b]);
}

}  // namespace

Expected<passes::Calibration> calibrate_model(Graphs* graphs, const Recipe& recipe,
                                              const std::string& set_name,
                                              const DataSet* evaluation, const Progress& progress) {
  TALLY_ASSIGN(DataSet set,
               load_set(set_name, static_cast<std::size_t>(recipe.calibration->samples)));
  TALLY_TRY(check_disjoint(set, evaluation));
  passes::Calibration calibration;
  const std::string sha = indices_sha256(set);
  TALLY_ASSIGN(const Samples samples, Samples::from_set(graphs->model(), std::move(set)));
  const auto source = [&](std::int64_t index) -> Expected<passes::CalibrationRun> {
    nets::BuildOptions shape;
    shape.tokens = samples.tokens(index);
    TALLY_ASSIGN(const auto graph, graphs->get(shape));
    return passes::CalibrationRun{graph, samples.inputs(index, *graph)};
  };
  TALLY_ASSIGN(calibration, passes::calibrate(recipe, samples.count(), source, progress));
  calibration.set = set_name;
  calibration.indices_sha256 = sha;
  calibration.samples = samples.count();
  return calibration;
}

}  // namespace tally::measure
