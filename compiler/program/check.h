// SPDX-License-Identifier: Apache-2.0
// The checks that a program passes before it runs. They read the encoded program and the design,
// and share no code with the scheduler.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/base/error.h"
#include "models/machine/machine.h"

namespace tally {

// First static fault in program order (docs/timing.md, "Static faults"), by what RTL can see:
// opcode, field, range, waiters, configuration. `code` kNone: none. Machines call this before cycle
// 0.
Fault find_static_fault(std::span<const isa::Bytes32> code, std::uint64_t program_design_hash,
                        const Design& design);

// What is wrong with a schedule; every kind has a name for messages and tests.
enum class Violation : std::uint8_t {
  kStaticFault,
  kFootprint,
  kStream,
  kRoutine,
  kRegister,
  kStoreOverlap,
  kBatchHazard,
  kBankOwnership,
  kDependence,
  kDramDependence,
  kSemaphoreNeverPosted,
  kSemaphoreOverflow,
  kDeadlock,
  kAccumulateUnwritten,
};
std::string_view violation_name(Violation violation);

struct Finding {
  Violation violation;
  std::uint32_t sequence;  // instruction at fault
  std::string message;     // instruction, unit, address, the other instruction
};

// The schedule checker behind `tally check`: everything that find_static_fault() finds and, over
// the whole program: footprints inside memories, stream and routine rules, bank ownership and
// dependences ordered by semaphores (happens-before; DRAM by byte ranges, base registers taken as
// disjoint regions of `region_bytes`), counts, absence of deadlock. Empty: accepted.
std::vector<Finding> check_schedule(std::span<const isa::Bytes32> code,
                                    std::uint64_t program_design_hash, const Design& design);

// The races alone (kBankOwnership, kDependence, kDramDependence) of code without static faults,
// with DRAM addresses as the base registers of this run make them.
std::vector<Finding> find_races(std::span<const isa::Bytes32> code,
                                const std::array<std::uint64_t, isa::kBaseRegisters>& bases,
                                const Design& design);

}  // namespace tally
