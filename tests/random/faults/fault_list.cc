// SPDX-License-Identifier: Apache-2.0
#include "tests/random/faults/fault_list.h"

#include <fstream>
#include <iterator>

namespace tally::test {
namespace {

Expected<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail("{}: cannot be read", path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

Expected<std::vector<SeededFault>> read_faults(const std::string& path) {
  std::ifstream file(path);
  if (!file) return fail("{}: cannot be read", path);
  std::vector<SeededFault> faults;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::size_t blank = line.find(' ');
    if (line.empty() || line[0] == '#') continue;
    if (blank == std::string::npos) return fail("{}: line {}: no text", path, number);
    const std::string key = line.substr(0, blank), text = line.substr(blank + 1);
    if (key == "fault") {
      faults.push_back({text, "", "", ""});
      continue;
    }
    if (faults.empty()) return fail("{}: line {}: no fault begun", path, number);
    SeededFault& fault = faults.back();
    std::string* const target = key == "file" ? &fault.file
                                : key == "-"  ? &fault.old_text
                                : key == "+"  ? &fault.new_text
                                              : nullptr;
    if (target == nullptr) return fail("{}: line {}: '{}'", path, number, key);
    *target = text;
  }
  return faults;
}

Expected<std::string> apply_fault(const SeededFault& fault, const std::string& root) {
  TALLY_ASSIGN(std::string text, read_file(root + "/" + fault.file));
  const std::size_t at = text.find(fault.old_text);
  if (fault.old_text.empty() || at == std::string::npos)
    return fail("fault {}: '{}' is not in {}", fault.name, fault.old_text, fault.file);
  if (text.find(fault.old_text, at + 1) != std::string::npos)
    return fail("fault {}: '{}' is in {} more than once", fault.name, fault.old_text, fault.file);
  return text.replace(at, fault.old_text.size(), fault.new_text);
}

}  // namespace tally::test
