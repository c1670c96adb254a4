// SPDX-License-Identifier: Apache-2.0
// A program's code, read back from where machines find it, and decoded as a whole.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/machine/machine.h"

namespace tally {

// Number of instructions that fetch can read: those before the first block of `fetch_burst_bytes`
// that reaches to or beyond the DRAM's capacity (docs/timing.md, "Fetch and dispatch").
std::uint32_t fetchable_instructions(const MachineProgram& program, const Design& design,
                                     const DramImage& dram);

// The first `count` instructions, as they lie in DRAM.
std::vector<isa::Bytes32> read_code(const MachineProgram& program, std::uint32_t count,
                                    const DramImage& dram);

// Code in which find_static_fault() finds no opcode or field fault.
std::vector<isa::Instruction> decode_code(std::span<const isa::Bytes32> code);

}  // namespace tally
