// SPDX-License-Identifier: Apache-2.0
// tally check: the schedule checker on a program file.
#include <iostream>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/read_file.h"
#include "compiler/program/check.h"
#include "compiler/program/program.h"

namespace tally::cli {
namespace {

struct CheckOptions {
  CommonOptions common;
  std::string file;
};

Expected<int> run(const CheckOptions& options) {
  TALLY_ASSIGN(const Program program, load_program(options.file));
  TALLY_ASSIGN(const Design design, options.common.design.empty() ? tally::design_of(program)
                                                                  : design_of(options.common));
  TALLY_TRY(check_design(program, design));
  const auto findings = check_schedule(program.code, program.design_hash, design);
  if (findings.empty()) {
    std::cout << fmt::format("{}: {} instructions accepted for {}\n", options.file,
                             program.code.size(), design.name);
    return kOk;
  }
  for (const Finding& finding : findings)
    std::cerr << fmt::format("{}: instruction {}: {}: {}\n", options.file, finding.sequence,
                             violation_name(finding.violation), finding.message);
  return kCheckFailed;
}

}  // namespace

void add_check(CommandLine app, Action* action) {
  auto options = std::make_shared<CheckOptions>();
  options->common.design.clear();
  CommandLine command = app.command("check", "check the schedule of a program");
  command.option("FILE", &options->file, "a program (.tally)").required();
  command.option("--design", &options->common.design,
                 "a shipped design or a TOML file (default: the program's)");
  command.when_chosen([options, action] { *action = [options] { return run(*options); }; });
}

}  // namespace tally::cli
