// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/program.h"

#include <algorithm>
#include <numeric>

#include "compiler/program/program_codec.h"
#include "models/base/sha256.h"

namespace tally {
namespace {

std::uint64_t page_up(std::uint64_t address) {
  return (address + kPageBytes - 1) / kPageBytes * kPageBytes;
}

std::uint64_t first_region_address(const Program& program) {
  return program.code_address == 0 ? page_up(program.code.size() * isa::kInstructionBytes) : 0;
}

bool is_number(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string key_line(const std::string& key, const std::string& value) {
  return is_number(value) ? key + " = " + value + "\n" : key + " = \"" + value + "\"\n";
}

}  // namespace

std::uint64_t Program::macs() const {
  return std::accumulate(
      nodes.begin(), nodes.end(), std::uint64_t(0),
      [](std::uint64_t sum, const ProgramNode& node) { return sum + node.macs; });
}

std::string Program::sha256() const {
  const std::vector<std::uint8_t> bytes = encode_program(*this);
  Sha256 sha;
  sha.update(bytes.data(), bytes.size());
  return sha.hex();
}

std::uint64_t Program::region_address(int region) const {
  std::uint64_t address = first_region_address(*this);
  for (int i = 0; i < region; ++i) address = page_up(address + regions[std::size_t(i)].bytes);
  return address;
}

std::uint64_t Program::dram_bytes() const {
  const std::uint64_t code_end = code_address + code.size() * isa::kInstructionBytes;
  if (regions.empty()) return code_end;
  const int last = int(regions.size()) - 1;
  return std::max(code_end, region_address(last) + regions.back().bytes);
}

MachineProgram Program::place() const {
  MachineProgram placed{.design_hash = design_hash,
                        .code_address = code_address,
                        .instructions = std::uint32_t(code.size()),
                        .bases = {}};
  for (std::size_t i = 0; i < regions.size(); ++i)
    placed.bases[std::size_t(regions[i].base_register)] = region_address(int(i));
  return placed;
}

Status Program::load_into(DramImage* dram) const {
  // Test programs place code across the end of DRAM on purpose; what lies beyond is left out.
  const std::uint64_t regions_end =
      regions.empty() ? 0 : region_address(int(regions.size()) - 1) + regions.back().bytes;
  const std::uint64_t needed = code_address == 0 ? dram_bytes() : regions_end;
  if (needed > std::uint64_t(dram->capacity()))
    return fail("the program needs {} bytes of DRAM; design '{}' has {}", needed, design,
                dram->capacity());
  for (std::size_t i = 0; i < code.size(); ++i) {
    const std::uint64_t address = code_address + i * isa::kInstructionBytes;
    if (address + isa::kInstructionBytes <= std::uint64_t(dram->capacity()))
      dram->write(address, code[i]);
  }
  for (const Segment& segment : segments)
    dram->write(region_address(segment.region) + segment.offset, segment.bytes);
  return {};
}

Expected<Design> design_of(const Program& program) {
  std::string text = "name = \"" + program.design + "\"\ndescription = \"of a program\"\n";
  text += "energy.coefficients = \"none\"\n";
  for (const auto& [key, value] : program.design_keys) text += key_line(key, value);
  TALLY_ASSIGN(Design design, parse_design(text, "design in the program"));
  if (design.hash() != program.design_hash)
    return fail("the program's design keys do not give its design hash {:016x}",
                program.design_hash);
  return design;
}

Status check_design(const Program& program, const Design& design) {
  if (program.design_hash == design.hash()) return {};
  std::string differing;
  const auto keys = design.hardware_keys();
  for (const auto& [key, value] : keys)
    for (const auto& [program_key, program_value] : program.design_keys)
      if (key == program_key && value != program_value)
        differing += fmt::format("{}{} ({} in the program, {} in the design)",
                                 differing.empty() ? "" : ", ", key, program_value, value);
  return fail(
      "{}: the program was compiled for design '{}' (hash {:016x}), not for '{}' (hash {:016x}); "
      "keys that "
      "differ: {}",
      design.file, program.design, program.design_hash, design.name, design.hash(),
      differing.empty() ? "none that the program names" : differing);
}

}  // namespace tally
