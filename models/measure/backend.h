// SPDX-License-Identifier: Apache-2.0
// The backends by name, and what one needs to run a graph: the reference interprets the imported
// model in fp32, a machine runs the program compiled from it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compiler/recipes/recipe.h"
#include "models/measure/compiled.h"
#include "models/measure/machines.h"
#include "models/nets/build.h"
#include "models/run/inference.h"

namespace tally::measure {

struct BackendInfo {
  std::string name;
  std::string about;  // one line
  bool available;     // in this build
};
const std::vector<BackendInfo>& backends();
// An error names the known ones, or says why it is not available.
Status check_backend(const std::string& name);
bool is_reference(const std::string& backend);
// Whether several of its machines may run at once in one process.
bool is_concurrent(const std::string& backend);

Expected<std::unique_ptr<Machine>> make_machine(const std::string& backend, const Design& design,
                                                const BuildProgress& progress = {});

// An error unless the run finished: backend, unit, instruction, semaphore.
Status check_finished(const std::string& backend, const RunResult& run);

// One inference.
struct Executed {
  ops::Tensors outputs;
  std::optional<RunResult> run;  // machines
  const Program* program = nullptr;
};

// Runs graphs of one model. Not shared between threads; many may share one source of programs.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual Expected<Executed> run(const nets::BuildOptions& shape, const ops::Tensors& inputs) = 0;
};

// fp32. `graphs` outlives it.
std::unique_ptr<Executor> make_reference_executor(Graphs* graphs);
// A machine. `programs` outlives it. A run that ends in a fault or a deadlock is an error that
// names backend, unit and instruction.
Expected<std::unique_ptr<Executor>> make_machine_executor(const std::string& backend,
                                                          Programs* programs,
                                                          const BuildProgress& progress = {});

}  // namespace tally::measure
