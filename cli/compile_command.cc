// SPDX-License-Identifier: Apache-2.0
// tally compile: a model to a program file.
#include <iostream>
#include <map>

#include "cli/paths.h"
#include "cli/session.h"
#include "models/measure/find_model.h"

namespace tally::cli {
namespace {

struct CompileOptions {
  CommonOptions common;
};

std::size_t constant_bytes(const Program& program) {
  std::size_t bytes = 0;
  for (const Segment& segment : program.segments) bytes += segment.bytes.size();
  return bytes;
}

void print_nodes(const Program& program) {
  std::map<std::uint32_t, std::size_t> instructions;
  for (const std::uint32_t node : program.node_of_instruction) ++instructions[node];
  std::cout << fmt::format("  {:<40} {:<16} {:>12} {:>14}\n", "node", "op", "instructions",
                           "products");
  for (std::uint32_t i = 0; i < program.nodes.size(); ++i)
    std::cout << fmt::format("  {:<40} {:<16} {:>12} {:>14}\n", program.nodes[i].name,
                             program.nodes[i].op, instructions[i], program.nodes[i].macs);
}

Expected<int> run(const CompileOptions& options) {
  const std::string& path = options.common.output;
  TALLY_ASSIGN(nets::Model model, measure::find_model(options.common.model, zoo_folder()));
  TALLY_ASSIGN(const nets::BuildOptions shape, shape_of(options.common, model));
  TALLY_ASSIGN(const auto session, Session::create(options.common, std::move(model), nullptr));
  TALLY_ASSIGN(const Program* program, session->programs().get(shape));
  if (!path.empty()) TALLY_TRY(save_program(*program, path));
  std::cout << fmt::format(
      "{} for {} by {}: {} instructions ({} bytes), {} bytes of constants, {} products\n"
      "program {}\n",
      program->model, program->design, program->recipe, program->code.size(),
      program->code.size() * sizeof(isa::Bytes32), constant_bytes(*program), program->macs(),
      program->sha256());
  if (options.common.explain) print_nodes(*program);
  return kOk;
}

}  // namespace

void add_compile(CommandLine app, Action* action) {
  auto options = std::make_shared<CompileOptions>();
  CommandLine command = app.command("compile", "compile a model to a program");
  add_model(command, &options->common);
  command.option("-o,--output", &options->common.output, "program file to write (.tally)");
  add_design(command, &options->common);
  add_recipe(command, &options->common);
  add_shape(command, &options->common);
  command.flag("--explain", &options->common.explain, "instructions and products of each node");
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
