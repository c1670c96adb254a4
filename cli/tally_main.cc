// SPDX-License-Identifier: Apache-2.0
// `tally`: exit status 0 all well, 1 the check asked for failed, 2 wrong use or wrong input with
// one message on standard error.
#include <algorithm>
#include <iostream>

#include "cli/command.h"
#include "reports/result.h"

namespace {

using namespace tally;
using namespace tally::cli;

constexpr void (*kCommands[])(CLI::App&, Action*) = {add_demo,    add_run, add_generate, add_verify,
                                                     add_compile, add_ir,  add_disasm,   add_asm,
                                                     add_check,   add_list};

bool is_command(const CLI::App& app, const std::string& name) {
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == name; });
}

int run(int argc, char** argv) {
  CLI::App app("Tally: one compiled program on several machines; accuracy, speed and energy",
               "tally");
  app.set_version_flag("--version", std::string(tally_version()));
  app.require_subcommand(1);
  Action action;
  for (const auto add : kCommands) add(app, &action);
  if (argc > 1 && argv[1][0] != '-' && !is_command(app, argv[1])) {
    std::cerr << "tally: unknown command '" << argv[1] << "' (tally --help lists them)\n";
    return kWrongUse;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "tally: " << error.what() << " (tally --help lists commands and options)\n";
    return kWrongUse;
  }
  const Expected<int> status = action();
  if (!status) {
    std::cerr << "tally: " << status.error().message << "\n";
    return kWrongUse;
  }
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "tally: standard output cannot be written\n";
    return kWrongUse;
  }
  return *status;
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
