// SPDX-License-Identifier: Apache-2.0
// tally ir: the graph of a model before and after passes, or a text of the IR.
#include <iostream>

#include "cli/paths.h"
#include "cli/read_file.h"
#include "cli/session.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "compiler/passes/registry.h"
#include "models/measure/find_model.h"
#include "reports/result_json.h"

namespace tally::cli {
namespace {

struct IrOptions {
  CommonOptions common;
  std::string passes;  // empty: the recipe's
  bool model_level = false;
  ir::PassManagerOptions manager;
  std::int64_t bisect_limit = -1;
};

ir::PassManagerOptions manager_options(const IrOptions& options) {
  ir::PassManagerOptions manager = options.manager;
  if (options.bisect_limit >= 0)
    manager.bisect_limit = static_cast<std::size_t>(options.bisect_limit);
  return manager;
}

void explain(const ir::PassManager& manager) {
  for (const ir::PassRecord& record : manager.records())
    std::cerr << fmt::format("{:<20} {:>9.3f} ms  {}\n", record.name, 1e3 * record.seconds,
                             record.skipped   ? "skipped"
                             : record.changed ? "changed"
                                              : "no change");
}

Status apply_passes(const IrOptions& options, const std::string& pipeline,
                    const passes::Calibration* calibration, ir::Module* module) {
  ir::PassManager manager(manager_options(options));
  TALLY_TRY(manager.add_pipeline(passes::make_registry(calibration), pipeline));
  TALLY_TRY(manager.run(*module));
  if (options.common.explain) explain(manager);
  return {};
}

Status print_module(const IrOptions& options, const ir::Module& module) {
  if (options.common.output.empty()) {
    std::cout << ir::print(module);
    return {};
  }
  return write_file(options.common.output, ir::print(module));
}

Expected<int> transform_text(const IrOptions& options) {
  TALLY_ASSIGN(const std::string text, read_file(options.common.model));
  TALLY_ASSIGN(ir::Module module, ir::parse(text, options.common.model));
  TALLY_TRY(apply_passes(options, options.passes, nullptr, &module));
  TALLY_TRY(print_module(options, module));
  return kOk;
}

Expected<int> show_model(const IrOptions& options) {
  TALLY_ASSIGN(nets::Model model, measure::find_model(options.common.model, zoo_folder()));
  TALLY_ASSIGN(const nets::BuildOptions shape, shape_of(options.common, model));
  if (options.model_level) {
    TALLY_ASSIGN(const ir::Module graph, nets::build(model, shape));
    TALLY_TRY(print_module(options, graph));
    return kOk;
  }
  TALLY_ASSIGN(const auto session, Session::create(options.common, std::move(model), nullptr));
  TALLY_ASSIGN(const auto graph, session->graphs().get(shape));
  ir::Module module = graph->clone();
  const std::string pipeline =
      options.passes.empty() ? passes::default_pipeline(session->recipe()) : options.passes;
  TALLY_TRY(apply_passes(options, pipeline, session->calibration(), &module));
  TALLY_TRY(print_module(options, module));
  return kOk;
}

Expected<int> run(const IrOptions& options) {
  return options.common.model.ends_with(".ir") ? transform_text(options) : show_model(options);
}

}  // namespace

void add_ir(CommandLine app, Action* action) {
  auto options = std::make_shared<IrOptions>();
  CommandLine command =
      app.command("ir", "print the graph that the compiler sees; MODEL may be a .ir file");
  add_model(command, &options->common);
  command.flag("--model", &options->model_level, "the imported graph, before any pass");
  command.option("--passes", &options->passes, "a,b(x=1): instead of the recipe's pipeline");
  command.option("--skip", &options->manager.skip, "passes to leave out").separated_by_commas();
  command.option("--bisect-limit", &options->bisect_limit, "run only this many passes")
      .not_negative();
  command.option("--dump", &options->manager.dump_folder, "write the IR after each pass here");
  command.option("--output", &options->common.output, "write here, not to standard output");
  add_design(command, &options->common);
  add_recipe(command, &options->common);
  add_shape(command, &options->common);
  command.flag("--explain", &options->common.explain, "time of each pass, on standard error");
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
