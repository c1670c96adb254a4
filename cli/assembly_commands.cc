// SPDX-License-Identifier: Apache-2.0
// tally disasm and tally asm: a program's instructions as text, and text as instructions.
#include <cstring>
#include <iostream>

#include "cli/command.h"
#include "cli/read_file.h"
#include "compiler/isa/asm.h"
#include "compiler/program/program.h"
#include "reports/result_json.h"

namespace tally::cli {
namespace {

struct FileOptions {
  std::string input, output;
};

Status write_or_print(const std::string& path, const std::string& content) {
  if (!path.empty()) return write_file(path, content);
  std::cout << content;
  return {};
}

// A program file, or raw instructions of 32 bytes each.
Expected<std::vector<isa::Bytes32>> read_code(const std::string& path) {
  if (!path.ends_with(".bin")) {
    TALLY_ASSIGN(Program program, load_program(path));
    return std::move(program.code);
  }
  TALLY_ASSIGN(const std::string bytes, read_file(path));
  if (bytes.empty() || bytes.size() % sizeof(isa::Bytes32) != 0)
    return fail("{}: {} bytes are not instructions of {}", path, bytes.size(),
                sizeof(isa::Bytes32));
  std::vector<isa::Bytes32> code(bytes.size() / sizeof(isa::Bytes32));
  std::memcpy(code.data(), bytes.data(), bytes.size());
  return code;
}

Expected<int> disassemble(const FileOptions& options) {
  TALLY_ASSIGN(const auto code, read_code(options.input));
  TALLY_TRY(write_or_print(options.output, isa::disassemble_program(code)));
  return kOk;
}

Expected<int> assemble(const FileOptions& options) {
  TALLY_ASSIGN(const std::string text, read_file(options.input));
  TALLY_ASSIGN(const auto code, isa::assemble(text, options.input));
  std::string bytes(code.size() * sizeof(isa::Bytes32), '\0');
  std::memcpy(bytes.data(), code.data(), bytes.size());
  TALLY_TRY(write_file(options.output, bytes));
  std::cout << fmt::format("{} instructions, {} bytes\n", code.size(), bytes.size());
  return kOk;
}

}  // namespace

void add_disasm(CommandLine app, Action* action) {
  auto options = std::make_shared<FileOptions>();
  CommandLine command = app.command("disasm", "instructions of a program as text");
  command.option("FILE", &options->input, "a program, or instructions (.bin)").required();
  command.option("-o,--output", &options->output, "text file to write");
  command.when_chosen([options, action] { *action = [options] { return disassemble(*options); }; });
}

void add_asm(CommandLine app, Action* action) {
  auto options = std::make_shared<FileOptions>();
  CommandLine command = app.command("asm", "text to instructions");
  command.option("FILE", &options->input, "assembly text").required();
  command.option("-o,--output", &options->output, "instructions to write (.bin)").required();
  command.when_chosen([options, action] { *action = [options] { return assemble(*options); }; });
}

}  // namespace tally::cli
