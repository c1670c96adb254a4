// SPDX-License-Identifier: Apache-2.0
// A command of `tally`: its options, and what it does with them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "models/base/error.h"

namespace tally::cli {

// Exit statuses.
inline constexpr int kOk = 0;
inline constexpr int kCheckFailed = 1;  // the check that was asked for failed
inline constexpr int kWrongUse = 2;     // wrong use or wrong input

// What the chosen command does; an error is wrong input.
using Action = std::function<Expected<int>()>;

// Each adds its command to `app` and sets `*action` when it is chosen.
void add_run(CLI::App& app, Action* action);
void add_generate(CLI::App& app, Action* action);
void add_verify(CLI::App& app, Action* action);
void add_compile(CLI::App& app, Action* action);
void add_ir(CLI::App& app, Action* action);
void add_disasm(CLI::App& app, Action* action);
void add_asm(CLI::App& app, Action* action);
void add_check(CLI::App& app, Action* action);
void add_list(CLI::App& app, Action* action);
void add_demo(CLI::App& app, Action* action);

}  // namespace tally::cli
