// SPDX-License-Identifier: Apache-2.0
// Graphs and programs of one model by shape, made when first asked for and kept. Thread-safe.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "compiler/design/design.h"
#include "compiler/ir/pass_manager.h"
#include "compiler/passes/calibration.h"
#include "compiler/program/program.h"
#include "compiler/recipes/recipe.h"
#include "models/nets/build.h"

namespace tally::measure {

// Orders shapes.
struct ShapeLess {
  bool operator()(const nets::BuildOptions& a, const nets::BuildOptions& b) const;
};

// Model-level graphs.
class Graphs {
 public:
  explicit Graphs(const nets::Model& model) : model_(&model) {}
  const nets::Model& model() const { return *model_; }
  Expected<std::shared_ptr<const ir::Module>> get(const nets::BuildOptions& shape);

 private:
  const nets::Model* model_;
  std::mutex mutex_;
  std::map<nets::BuildOptions, std::shared_ptr<const ir::Module>, ShapeLess> graphs_;
};

// Lowers a graph by a recipe's pipeline, or by the passes given.
struct LowerOptions {
  std::string pipeline;  // empty: the recipe's
  ir::PassManagerOptions manager;
};
Expected<ir::Module> lower(const ir::Module& graph, const Recipe& recipe,
                           const passes::Calibration* calibration,
                           const LowerOptions& options = {});

// Programs for one design.
class Programs {
 public:
  // All outlive the object; `calibration` is null where the recipe needs none.
  Programs(Graphs* graphs, const Recipe& recipe, const Design& design,
           const passes::Calibration* calibration)
      : graphs_(graphs), recipe_(&recipe), design_(&design), calibration_(calibration) {}

  const Design& design() const { return *design_; }
  // Compiled, checked by the schedule checker.
  Expected<const Program*> get(const nets::BuildOptions& shape);
  // The same for a graph that the caller made, which is not kept.
  Expected<Program> compile(const ir::Module& graph) const;
  // SHA-256 of the only program made so far, or over those of all in the order of their shapes.
  std::string sha256() const;

 private:
  Expected<Program> compile_shape(const nets::BuildOptions& shape);

  Graphs* graphs_;
  const Recipe* recipe_;
  const Design* design_;
  const passes::Calibration* calibration_;
  mutable std::mutex mutex_;
  std::map<nets::BuildOptions, std::unique_ptr<const Program>, ShapeLess> programs_;
};

}  // namespace tally::measure
