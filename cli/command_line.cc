// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <limits>
#include <optional>
#include <vector>

#include "cli/command.h"
#include "reports/result.h"

namespace tally::cli {

namespace {

// CLI11's own range checks print bounds of 300 digits.
std::string must_be(std::int64_t low, std::int64_t high, const std::string& range,
                    const std::string& text) {
  std::int64_t value = 0;
  if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return "";
  return "must be " + range + ", not '" + text + "'";
}
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}

Option& Option::separated_by_commas() {
  option_->delimiter(',');
  return *this;
}

Option& Option::default_shown() {
  option_->capture_default_str();
  return *this;
}

Option& Option::positive() {
  option_->check([](const std::string& text) { return must_be(1, kLargest, "at least 1", text); });
  return *this;
}

Option& Option::not_negative() {
  option_->check([](const std::string& text) { return must_be(0, kLargest, "at least 0", text); });
  return *this;
}

Option& Option::between(int low, int high) {
  const std::string range = std::to_string(low) + " to " + std::to_string(high);
  option_->check([=](const std::string& text) { return must_be(low, high, range, text); });
  return *this;
}

Option& Option::one_of(std::initializer_list<std::string> values) {
  option_->check(CLI::IsMember(std::vector<std::string>(values)));
  return *this;
}

CommandLine CommandLine::command(const std::string& name, const std::string& help) {
  return CommandLine(app_->add_subcommand(name, help));
}

template <class T>
Option CommandLine::option(const std::string& names, T* value, const std::string& help) {
  return Option(app_->add_option(names, *value, help));
}
template Option CommandLine::option(const std::string&, std::string*, const std::string&);
template Option CommandLine::option(const std::string&, int*, const std::string&);
template Option CommandLine::option(const std::string&, std::int64_t*, const std::string&);
template Option CommandLine::option(const std::string&, std::uint64_t*, const std::string&);
template Option CommandLine::option(const std::string&, std::optional<std::int64_t>*,
                                    const std::string&);
template Option CommandLine::option(const std::string&, std::vector<std::string>*,
                                    const std::string&);
template Option CommandLine::option(const std::string&, std::vector<std::int32_t>*,
                                    const std::string&);

void CommandLine::flag(const std::string& names, bool* value, const std::string& help) {
  app_->add_flag(names, *value, help);
}

void CommandLine::when_chosen(std::function<void()> callback) {
  app_->callback(std::move(callback));
}

int parse_command_line(int argc, char** argv, const std::function<void(CommandLine)>& add) {
  CLI::App app("Tally: one compiled program on several machines; accuracy, speed and energy",
               "tally");
  app.set_version_flag("--version", std::string(tally_version()));
  app.require_subcommand(1);
  add(CommandLine(&app));
  if (argc > 1 && argv[1][0] != '-') {
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    if (std::none_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return command->get_name() == argv[1]; })) {
      std::cerr << "tally: unknown command '" << argv[1] << "' (tally --help lists them)\n";
      return kWrongUse;
    }
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    std::cerr << "tally: " << error.what() << " (tally --help lists commands and options)\n";
    return kWrongUse;
  }
  return -1;
}

}  // namespace tally::cli
