// SPDX-License-Identifier: Apache-2.0
// What each instruction does: one function a unit, values and events.
#pragma once

#include <cstdint>
#include <vector>

#include "models/functional/chip.h"
#include "models/machine/machine.h"

namespace tally::functional {

// The DRAM side of one instruction: bursts counted, refused bursts noted.
class Port {
 public:
  Port(Chip* chip, DramImage* dram, const MachineProgram& program)
      : chip_(*chip), dram_(*dram), program_(program) {}

  // A contiguous transfer, burst by burst; bytes of refused bursts read as zero.
  void read(std::uint64_t address, std::span<std::uint8_t> bytes);
  // Bytes of refused bursts are not written.
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes);

  std::uint64_t address(std::uint32_t base, std::uint64_t offset) const {
    return program_.bases[base] + offset;
  }
  bool refused() const { return refused_; }
  void clear_refused() { refused_ = false; }

 private:
  template <class Burst>
  void split(int unit, std::uint64_t address, std::uint64_t bytes, Burst burst);

  Chip& chip_;
  DramImage& dram_;
  const MachineProgram& program_;
  bool refused_ = false;
};

// Faults of the instruction, in order of time.
using FaultCodes = std::vector<FaultCode>;

FaultCodes execute(const isa::Load& body, Port* port, Chip* chip);
FaultCodes execute(const isa::Gather& body, Port* port, Chip* chip);
FaultCodes execute(const isa::Store& body, Port* port, Chip* chip);
void execute(const isa::Matmul& body, Chip* chip);
void execute(const VectorRun& run, Chip* chip);

}  // namespace tally::functional
