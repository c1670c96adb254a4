// SPDX-License-Identifier: Apache-2.0
// `tally`: exit status 0 all well, 1 the check asked for failed, 2 wrong use or wrong input with
// one message on standard error.
#include <iostream>

#include "cli/command.h"

namespace {

using namespace tally;
using namespace tally::cli;

constexpr void (*kCommands[])(CommandLine, Action*) = {
    add_demo, add_run,    add_generate, add_verify, add_compile,
    add_ir,   add_disasm, add_asm,      add_check,  add_list};

int run(int argc, char** argv) {
  Action action;
  const int parsed = parse_command_line(argc, argv, [&](CommandLine program) {
    for (const auto add : kCommands) add(program, &action);
  });
  if (parsed >= 0) return parsed;
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
