// SPDX-License-Identifier: Apache-2.0
// A command of `tally`: its options, and what it does with them.
#pragma once

#include <functional>

#include "cli/command_line.h"
#include "models/base/error.h"

namespace tally::cli {

// Exit statuses.
inline constexpr int kOk = 0;
inline constexpr int kCheckFailed = 1;  // the check that was asked for failed
inline constexpr int kWrongUse = 2;     // wrong use or wrong input

// What the chosen command does; an error is wrong input.
using Action = std::function<Expected<int>()>;

// Each adds its command to `app` and sets `*action` when it is chosen.
void add_run(CommandLine app, Action* action);
void add_generate(CommandLine app, Action* action);
void add_verify(CommandLine app, Action* action);
void add_compile(CommandLine app, Action* action);
void add_ir(CommandLine app, Action* action);
void add_disasm(CommandLine app, Action* action);
void add_asm(CommandLine app, Action* action);
void add_check(CommandLine app, Action* action);
void add_list(CommandLine app, Action* action);
void add_demo(CommandLine app, Action* action);

}  // namespace tally::cli
