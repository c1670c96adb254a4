// SPDX-License-Identifier: Apache-2.0
#include "models/measure/compiled.h"

#include <tuple>

#include "compiler/codegen/compile.h"
#include "compiler/passes/registry.h"
#include "compiler/program/check.h"
#include "models/base/sha256.h"

namespace tally::measure {
namespace {

auto key(const nets::BuildOptions& shape) {
  return std::tuple(shape.tokens, shape.head, shape.layers, shape.cache, shape.decode);
}

}  // namespace

bool ShapeLess::operator()(const nets::BuildOptions& a, const nets::BuildOptions& b) const {
  return key(a) < key(b);
}

Expected<std::shared_ptr<const ir::Module>> Graphs::get(const nets::BuildOptions& shape) {
  const std::scoped_lock lock(mutex_);
  auto& graph = graphs_[shape];
  if (graph == nullptr) {
    TALLY_ASSIGN(ir::Module built, nets::build(*model_, shape));
    graph = std::make_shared<const ir::Module>(std::move(built));
  }
  return graph;
}

Expected<ir::Module> lower(const ir::Module& graph, const Recipe& recipe,
                           const passes::Calibration* calibration, const LowerOptions& options) {
  ir::Module module = graph.clone();
  ir::PassManager manager(options.manager);
  const ir::PassRegistry registry = passes::make_registry(calibration);
  TALLY_TRY(manager.add_pipeline(
      registry, options.pipeline.empty() ? passes::default_pipeline(recipe) : options.pipeline));
  TALLY_TRY(manager.run(module));
  return module;
}

Expected<Program> Programs::compile_shape(const nets::BuildOptions& shape) {
  TALLY_ASSIGN(const auto graph, graphs_->get(shape));
  return compile(*graph);
}

Expected<Program> Programs::compile(const ir::Module& graph) const {
  TALLY_ASSIGN(const ir::Module module, lower(graph, *recipe_, calibration_));
  TALLY_ASSIGN(Program program,
               codegen::compile(module, *design_, {graphs_->model().name, recipe_->name}));
  const auto findings = check_schedule(program.code, program.design_hash, *design_);
  TALLY_CHECK(findings.empty(), "the compiler made a program that its checker rejects: {}",
              findings.empty() ? "" : findings.front().message);
  return program;
}

Expected<const Program*> Programs::get(const nets::BuildOptions& shape) {
  const std::scoped_lock lock(mutex_);
  auto& program = programs_[shape];
  if (program == nullptr) {
    auto compiled = compile_shape(shape);
    if (!compiled) {
      programs_.erase(shape);
      return tl::unexpected(compiled.error());
    }
    program = std::make_unique<const Program>(std::move(*compiled));
  }
  return program.get();
}

std::string Programs::sha256() const {
  const std::scoped_lock lock(mutex_);
  if (programs_.size() == 1) return programs_.begin()->second->sha256();
  Sha256 sha;
  for (const auto& [shape, program] : programs_) {
    const std::string one = program->sha256();
    sha.update(one.data(), one.size());
  }
  return sha.hex();
}

}  // namespace tally::measure
