// SPDX-License-Identifier: Apache-2.0
#include "models/measure/backend.h"

#include <algorithm>

#include "models/functional/functional.h"

namespace tally::measure {
namespace {

Expected<std::unique_ptr<Machine>> make_functional(const Design& design, const BuildProgress&) {
  return std::unique_ptr<Machine>(make_functional_machine(design));
}

struct Row {
  const char* name;
  const char* about;
  bool machine;
  bool concurrent;
  MachineMaker make;  // null where this build lacks it
};

const Row kRows[] = {
    {"reference", "the imported model in fp32, before any lowering", false, true, nullptr},
    {"functional", "the compiled program's values, without time", true, true, make_functional},
    {"sysc", "the cycle-accurate SystemC model", true, false, sysc_maker()},
    {"rtl", "the Verilated RTL", true, true, rtl_maker()},
};

const Row* find(const std::string& name) {
  for (const Row& row : kRows)
    if (name == row.name) return &row;
  return nullptr;
}

std::string fault_text(const RunResult& run) {
  return fmt::format("fault '{}' of unit {} at instruction {}", fault_name(run.fault.code),
                     isa::kUnitNames[static_cast<int>(run.fault.unit)], run.fault.sequence);
}

std::string deadlock_text(const RunResult& run) {
  std::string text = "deadlock:";
  for (const Waiting& waiting : run.waiting)
    text += fmt::format(" unit {} waits at instruction {} for semaphore {};",
                        isa::kUnitNames[static_cast<int>(waiting.unit)], waiting.sequence,
                        waiting.semaphore);
  return text;
}

class ReferenceExecutor : public Executor {
 public:
  explicit ReferenceExecutor(Graphs* graphs) : graphs_(graphs) {}

  Expected<Executed> run(const nets::BuildOptions& shape, const ops::Tensors& inputs) override {
    TALLY_ASSIGN(const auto graph, graphs_->get(shape));
    TALLY_ASSIGN(const auto interpreter,
                 ops::Interpreter::create(*graph, ops::Semantics::kReference));
    TALLY_ASSIGN(ops::Tensors outputs, interpreter.run(inputs));
    return Executed{std::move(outputs), std::nullopt, nullptr};
  }

 private:
  Graphs* graphs_;
};

class MachineExecutor : public Executor {
 public:
  MachineExecutor(std::string backend, Programs* programs, std::unique_ptr<Machine> machine)
      : backend_(std::move(backend)), programs_(programs), machine_(std::move(machine)) {}

  Expected<Executed> run(const nets::BuildOptions& shape, const ops::Tensors& inputs) override {
    TALLY_ASSIGN(const Program* program, programs_->get(shape));
    TALLY_ASSIGN(Inference * inference, inference_of(*program));
    TALLY_ASSIGN(Inference::Result result, inference->run(inputs, {}, machine_.get()));
    TALLY_TRY(check_finished(backend_, result.run));
    return Executed{std::move(result.outputs), std::move(result.run), program};
  }

 private:
  // One DRAM image a program.
  Expected<Inference*> inference_of(const Program& program) {
    auto found = inferences_.find(&program);
    if (found == inferences_.end()) {
      TALLY_ASSIGN(Inference made, Inference::create(program, programs_->design()));
      found = inferences_.emplace(&program, std::move(made)).first;
    }
    return &found->second;
  }

  std::string backend_;
  Programs* programs_;
  std::unique_ptr<Machine> machine_;
  std::map<const Program*, Inference> inferences_;
};

}  // namespace

const std::vector<BackendInfo>& backends() {
  static const std::vector<BackendInfo> infos = [] {
    std::vector<BackendInfo> made;
    for (const Row& row : kRows)
      made.push_back({row.name, row.about, !row.machine || row.make != nullptr});
    return made;
  }();
  return infos;
}

Status check_backend(const std::string& name) {
  const Row* row = find(name);
  if (row == nullptr) {
    std::string known;
    for (const Row& each : kRows)
      known += fmt::format("{}{}", known.empty() ? "" : ", ", each.name);
    return fail("unknown backend '{}' (known: {})", name, known);
  }
  if (row->machine && row->make == nullptr)
    return fail("backend '{}' is not part of this build", name);
  return {};
}

Status check_finished(const std::string& backend, const RunResult& run) {
  if (run.outcome == Outcome::kFault) return fail("backend {}: {}", backend, fault_text(run));
  if (run.outcome == Outcome::kDeadlock) return fail("backend {}: {}", backend, deadlock_text(run));
  return {};
}

bool is_reference(const std::string& backend) { return backend == "reference"; }

bool is_concurrent(const std::string& backend) { return find(backend)->concurrent; }

Expected<std::unique_ptr<Machine>> make_machine(const std::string& backend, const Design& design,
                                                const BuildProgress& progress) {
  TALLY_TRY(check_backend(backend));
  const Row* row = find(backend);
  if (!row->machine) return fail("backend '{}' is no machine", backend);
  return row->make(design, progress);
}

std::unique_ptr<Executor> make_reference_executor(Graphs* graphs) {
  return std::make_unique<ReferenceExecutor>(graphs);
}

Expected<std::unique_ptr<Executor>> make_machine_executor(const std::string& backend,
                                                          Programs* programs,
                                                          const BuildProgress& progress) {
  TALLY_ASSIGN(auto machine, make_machine(backend, programs->design(), progress));
  return std::unique_ptr<Executor>(
      std::make_unique<MachineExecutor>(backend, programs, std::move(machine)));
}

}  // namespace tally::measure
