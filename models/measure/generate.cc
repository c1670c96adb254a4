// SPDX-License-Identifier: Apache-2.0
#include "models/measure/generate.h"

#include "models/measure/account_energy.h"
#include "models/nets/generate.h"

namespace tally::measure {
namespace {

// Runs the graphs of one generation and notes what each inference took.
class Recorder {
 public:
  Recorder(Programs* programs, std::unique_ptr<Machine> machine, const GenerateOptions& options,
           std::int64_t inferences)
      : programs_(programs),
        machine_(std::move(machine)),
        options_(options),
        inferences_(inferences) {}

  Expected<ops::Tensors> run(const ir::Module& graph, const ops::Tensors& inputs) {
    TALLY_ASSIGN(ops::Tensors outputs,
                 machine_ ? run_machine(graph, inputs) : nets::reference_runner()(graph, inputs));
    if (!machine_) steps_.push_back({tokens(inputs), std::nullopt});
    hash_.add(outputs);
    if (options_.progress) options_.progress(static_cast<std::int64_t>(steps_.size()), inferences_);
    return outputs;
  }

  const std::vector<Generation::Step>& steps() const { return steps_; }
  Status write(Result* result) {
    hash_.write(result);
    if (programs_ == nullptr) return {};
    result->program = programs_sha256();
    totals_.write(programs_->design(), result);
    if (options_.coefficients != nullptr && result->timing) {
      TALLY_ASSIGN(result->energy,
                   account_energy(uses_, totals_, programs_->design(), *options_.coefficients));
    }
    return {};
  }

 private:
  struct Compiled {
    std::unique_ptr<const Program> program;
    std::optional<Inference> inference;
  };

  static std::int64_t tokens(const ops::Tensors& inputs) { return inputs.at("ids").elements(); }

  Expected<ops::Tensors> run_machine(const ir::Module& graph, const ops::Tensors& inputs) {
    TALLY_ASSIGN(Compiled * compiled, compiled_for(graph));
    TALLY_ASSIGN(Inference::Result result, compiled->inference->run(inputs, {}, machine_.get()));
    TALLY_TRY(check_finished(options_.backend, result.run));
    totals_.add(result.run, *compiled->program);
    ProgramUse& use = uses_[compiled->program.get()];
    if (use.runs++ == 0) use.inputs = inputs;
    steps_.push_back(
        {tokens(inputs), result.run.cycles != 0 ? std::optional(result.run.cycles) : std::nullopt});
    return std::move(result.outputs);
  }

  // A graph comes back as the same object as long as the generation lasts.
  Expected<Compiled*> compiled_for(const ir::Module& graph) {
    Compiled& compiled = compiled_[&graph];
    if (compiled.program == nullptr) {
      TALLY_ASSIGN(Program program, programs_->compile(graph));
      shas_.push_back(program.sha256());
      compiled.program = std::make_unique<const Program>(std::move(program));
      TALLY_ASSIGN(Inference inference, Inference::create(*compiled.program, programs_->design()));
      compiled.inference = std::move(inference);
    }
    return &compiled;
  }

  // Of one program its own; of several that over theirs in the order of first use.
  std::string programs_sha256() const {
    if (shas_.size() == 1) return shas_.front();
    Sha256 sha;
    for (const std::string& one : shas_) sha.update(one.data(), one.size());
    return sha.hex();
  }

  Programs* programs_;
  std::unique_ptr<Machine> machine_;
  const GenerateOptions& options_;
  std::int64_t inferences_;
  std::map<const ir::Module*, Compiled> compiled_;
  std::vector<std::string> shas_;
  Totals totals_;
  ProgramUses uses_;
  OutputHash hash_;
  std::vector<Generation::Step> steps_;
};

}  // namespace

Expected<Result> generate(Graphs* graphs, Programs* programs, std::span<const std::int32_t> prompt,
                          std::int64_t tokens, const GenerateOptions& options) {
  std::unique_ptr<Machine> machine;
  if (programs != nullptr) {
    TALLY_ASSIGN(machine,
                 make_machine(options.backend, programs->design(), options.build_progress));
  }
  Recorder recorder(programs, std::move(machine), options, tokens);
  TALLY_ASSIGN(auto ids, nets::generate(graphs->model(), prompt, tokens,
                                        [&](const ir::Module& graph, const ops::Tensors& inputs) {
                                          return recorder.run(graph, inputs);
                                        }));
  Result result;
  result.model = graphs->model().name;
  result.notes = graphs->model().notes;
  result.backend = options.backend;
  result.inferences = static_cast<std::int64_t>(recorder.steps().size());
  result.generation = Generation{std::move(ids), recorder.steps()};
  TALLY_TRY(recorder.write(&result));
  return result;
}

}  // namespace tally::measure
