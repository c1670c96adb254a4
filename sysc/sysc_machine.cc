// SPDX-License-Identifier: Apache-2.0
#include "sysc/sysc_machine.h"

#include <cstring>

#include "compiler/program/check.h"
#include "sysc/shell.h"
#include "sysc/top.h"

namespace tally {
namespace {

// Instructions that fetch can reach: those before the first block with a byte beyond the capacity.
std::uint32_t reachable(const MachineProgram& program, const Design& design) {
  const auto capacity = std::uint64_t(design.dram_capacity_bytes);
  if (program.code_address >= capacity) return 0;
  const std::uint64_t room = capacity - program.code_address;
  const std::uint64_t bytes = std::uint64_t(program.instructions) * isa::kInstructionBytes;
  const auto port = std::uint64_t(design.port_bytes);
  if ((bytes + port - 1) / port * port <= room) return program.instructions;
  const auto block = std::uint64_t(design.fetch_burst_bytes);
  return std::uint32_t(room / block * block / isa::kInstructionBytes);
}

class SyscMachine : public Machine {
 public:
  explicit SyscMachine(const Design& design) : design_(design) {}
  std::string_view name() const override { return "sysc"; }

  Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                          DramImage* dram) override {
    if (dram->capacity() != design_.dram_capacity_bytes)
      return fail("the DRAM image has {} bytes, design '{}' has {}", dram->capacity(), design_.name,
                  design_.dram_capacity_bytes);
    std::vector<isa::Bytes32> code(reachable(program, design_));
    if (!code.empty())
      std::memcpy(code.data(), dram->data() + program.code_address,
                  code.size() * isa::kInstructionBytes);
    const Fault fault = find_static_fault(code, program.design_hash, design_);
    if (fault.code != FaultCode::kNone) {
      RunResult result;
      result.outcome = Outcome::kFault;
      result.fault = fault;
      return result;
    }
    return simulate(program, code, options, dram);
  }

 private:
  RunResult simulate(const MachineProgram& program, const std::vector<isa::Bytes32>& code,
                     const RunOptions& options, DramImage* dram) const {
    std::vector<isa::Instruction> instructions(code.size());
    for (std::size_t i = 0; i < code.size(); ++i)
      TALLY_CHECK(isa::decode(code[i], &instructions[i]) == isa::DecodeFault::kNone);
    sysc::Top top(design_, program, instructions, options, dram);
    sysc::run_blocks(top.blocks());
    return top.result();
  }

  Design design_;
};

}  // namespace

std::unique_ptr<Machine> make_sysc_machine(const Design& design) {
  return std::make_unique<SyscMachine>(design);
}

}  // namespace tally
