// SPDX-License-Identifier: Apache-2.0
// A model on a backend over samples, as a result: what `tally run` does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/measure/backend.h"
#include "models/measure/parallel.h"
#include "models/measure/samples.h"
#include "reports/energy/coefficients.h"
#include "reports/result.h"

namespace tally::measure {

struct MeasureOptions {
  std::string backend;
  nets::BuildOptions shape;  // `tokens` is taken from each sample
  int threads = 1;           // on backends that can
  bool keep_outputs = false;
  // With a data set: measure the fp32 reference on the same samples too.
  bool reference = true;
  BuildProgress build_progress;
  // Picojoules a count; null: no energy. Backends without time have none.
  const Coefficients* coefficients = nullptr;
  Progress progress;            // of the backend's inferences
  Progress reference_progress;  // of the reference's
};

struct Measurement {
  Result result;                      // all but energy, calibration, seed and host
  Events events;                      // summed over the inferences; zero for the reference
  std::vector<ops::Tensors> outputs;  // one a sample, if kept
};

// `programs` is null for the reference. Accuracy is measured where the samples are of a data set
// and the graph is whole. Errors name the sample.
Expected<Measurement> measure(Graphs* graphs, Programs* programs, const Samples& samples,
                              const MeasureOptions& options);

}  // namespace tally::measure
