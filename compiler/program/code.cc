// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/code.h"

#include <algorithm>

namespace tally {

std::uint32_t fetchable_instructions(const MachineProgram& program, const Design& design,
                                     const DramImage& dram) {
  const auto per_block = std::uint32_t(design.fetch_burst_bytes / isa::kInstructionBytes);
  const auto port = std::uint64_t(design.port_bytes);
  std::uint32_t count = 0;
  while (count < program.instructions) {
    const std::uint32_t block = std::min(per_block, program.instructions - count);
    const std::uint64_t begin =
        program.code_address + std::uint64_t(count) * isa::kInstructionBytes;
    const std::uint64_t bytes = (block * isa::kInstructionBytes + port - 1) / port * port;
    if (begin + bytes > std::uint64_t(dram.capacity())) break;
    count += block;
  }
  return count;
}

std::vector<isa::Bytes32> read_code(const MachineProgram& program, std::uint32_t count,
                                    const DramImage& dram) {
  std::vector<isa::Bytes32> code(count);
  for (std::uint32_t i = 0; i < count; ++i)
    dram.read(program.code_address + std::uint64_t(i) * isa::kInstructionBytes, code[i]);
  return code;
}

std::vector<isa::Instruction> decode_code(std::span<const isa::Bytes32> code) {
  std::vector<isa::Instruction> instructions(code.size());
  for (std::size_t i = 0; i < code.size(); ++i)
    TALLY_CHECK(isa::decode(code[i], &instructions[i]) == isa::DecodeFault::kNone, "{}", i);
  return instructions;
}

}  // namespace tally
