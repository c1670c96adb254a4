// SPDX-License-Identifier: Apache-2.0
// What commands say of their options. CLI11 is behind it, in one file: each file that includes
// CLI11 takes ten times as long to compile as one that does not.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tally::cli {

// An option just added; each call restricts it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option& required();
  Option& separated_by_commas();
  Option& default_shown();  // --help prints the value it has now
  Option& positive();
  Option& not_negative();
  Option& between(int low, int high);
  Option& one_of(std::initializer_list<std::string> values);

 private:
  CLI::Option* option_;
};

// A command, or the program of which it is one.
class CommandLine {
 public:
  explicit CommandLine(CLI::App* app) : app_(app) {}

  CommandLine command(const std::string& name, const std::string& help);
  // Names as CLI11 takes them: "FILE", "-n", "-o,--output". T: std::string, int, std::int64_t,
  // std::uint64_t, an optional std::int64_t, vectors of std::string and std::int32_t.
  template <class T>
  Option option(const std::string& names, T* value, const std::string& help);
  void flag(const std::string& names, bool* value, const std::string& help);
  void when_chosen(std::function<void()> callback);

 private:
  CLI::App* app_;
};

// Parses the program's arguments with all commands added by `add`. The exit status if there is
// nothing to do: 0 after --help and --version, kWrongUse after a message; else -1.
int parse_command_line(int argc, char** argv, const std::function<void(CommandLine)>& add);

}  // namespace tally::cli
