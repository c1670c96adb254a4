// SPDX-License-Identifier: Apache-2.0
#include "models/measure/measure.h"

#include "models/measure/account_energy.h"
#include "models/measure/totals.h"

namespace tally::measure {
namespace {

struct SampleOutcome {
  Score score;
  std::optional<RunResult> run;
  const Program* program = nullptr;
  ops::Tensors inputs, outputs;
};

// What a pass over the samples is to do.
struct Pass {
  Graphs* graphs;
  const Samples& samples;
  nets::BuildOptions shape;
  bool scored;
  std::vector<std::unique_ptr<Executor>> executors;  // one a thread
};

Expected<SampleOutcome> run_sample(const Pass& pass, int thread, std::int64_t index) {
  nets::BuildOptions shape = pass.shape;
  shape.tokens = pass.samples.tokens(index);
  TALLY_ASSIGN(const auto graph, pass.graphs->get(shape));
  SampleOutcome outcome;
  outcome.inputs = pass.samples.inputs(index, *graph);
  auto executed = pass.executors[static_cast<std::size_t>(thread)]->run(shape, outcome.inputs);
  if (!executed) return fail("sample {}: {}", index, executed.error().message);
  if (pass.scored) {
    TALLY_ASSIGN(outcome.score, pass.samples.score(index, executed->outputs.at("logits")));
  }
  outcome.run = std::move(executed->run);
  outcome.program = executed->program;
  outcome.outputs = std::move(executed->outputs);
  return outcome;
}

// In the order of the samples.
Expected<std::vector<SampleOutcome>> run_all(const Pass& pass, const Progress& progress) {
  std::vector<SampleOutcome> outcomes(static_cast<std::size_t>(pass.samples.count()));
  TALLY_TRY(for_each_item(
      pass.samples.count(), static_cast<int>(pass.executors.size()),
      [&](int thread, std::int64_t index) -> Status {
        TALLY_ASSIGN(outcomes[static_cast<std::size_t>(index)], run_sample(pass, thread, index));
        return {};
      },
      progress));
  return outcomes;
}

double total_value(const Samples& samples, const std::vector<SampleOutcome>& outcomes,
                   std::int64_t* count) {
  Score total;
  for (const SampleOutcome& outcome : outcomes) {
    total.sum += outcome.score.sum;
    total.count += outcome.score.count;
  }
  *count = total.count;
  return samples.value(total);
}

Expected<double> reference_value(Graphs* graphs, const Samples& samples,
                                 const MeasureOptions& options) {
  Pass pass{graphs, samples, options.shape, true, {}};
  for (int i = 0; i < options.threads; ++i)
    pass.executors.push_back(make_reference_executor(graphs));
  TALLY_ASSIGN(const auto outcomes, run_all(pass, options.reference_progress));
  std::int64_t count = 0;
  return total_value(samples, outcomes, &count);
}

Expected<std::vector<std::unique_ptr<Executor>>> make_executors(Graphs* graphs, Programs* programs,
                                                                const MeasureOptions& options) {
  std::vector<std::unique_ptr<Executor>> executors;
  const int threads = is_concurrent(options.backend) ? options.threads : 1;
  for (int i = 0; i < threads; ++i) {
    if (is_reference(options.backend)) {
      executors.push_back(make_reference_executor(graphs));
    } else {
      TALLY_ASSIGN(auto executor,
                   make_machine_executor(options.backend, programs, options.build_progress));
      executors.push_back(std::move(executor));
    }
  }
  return executors;
}

bool is_scored(const Samples& samples, const nets::BuildOptions& shape) {
  return samples.set() != nullptr && !shape.layers &&
         (shape.head == nets::Head::kAll || samples.set()->task != Task::kLm);
}

Status add_accuracy(Graphs* graphs, const Samples& samples, const MeasureOptions& options,
                    const std::vector<SampleOutcome>& outcomes, Result* result) {
  Accuracy accuracy;
  accuracy.metric = samples.metric();
  accuracy.value = total_value(samples, outcomes, &accuracy.samples);
  if (is_reference(options.backend)) {
    accuracy.reference = accuracy.value;
  } else if (options.reference) {
    TALLY_ASSIGN(accuracy.reference, reference_value(graphs, samples, options));
  }
  result->accuracy = accuracy;
  return {};
}

}  // namespace

Expected<Measurement> measure(Graphs* graphs, Programs* programs, const Samples& samples,
                              const MeasureOptions& options) {
  Pass pass{graphs, samples, options.shape, is_scored(samples, options.shape), {}};
  TALLY_ASSIGN(pass.executors, make_executors(graphs, programs, options));
  TALLY_ASSIGN(auto outcomes, run_all(pass, options.progress));

  Measurement measurement;
  Result& result = measurement.result;
  result.model = graphs->model().name;
  result.notes = graphs->model().notes;
  result.backend = options.backend;
  result.inferences = samples.count();
  if (samples.set() != nullptr) result.set = samples.set()->name;
  OutputHash hash;
  Totals totals;
  ProgramUses uses;
  for (SampleOutcome& outcome : outcomes) {
    hash.add(outcome.outputs);
    if (outcome.run) {
      totals.add(*outcome.run, *outcome.program);
      ProgramUse& use = uses[outcome.program];
      if (use.runs++ == 0) use.inputs = std::move(outcome.inputs);
    }
    if (options.keep_outputs) measurement.outputs.push_back(std::move(outcome.outputs));
  }
  hash.write(&result);
  if (programs != nullptr) {
    result.program = programs->sha256();
    totals.write(programs->design(), &result);
    if (options.coefficients != nullptr && result.timing) {
      TALLY_ASSIGN(result.energy,
                   account_energy(uses, totals, programs->design(), *options.coefficients));
    }
  }
  if (pass.scored) TALLY_TRY(add_accuracy(graphs, samples, options, outcomes, &result));
  return measurement;
}

}  // namespace tally::measure
