// SPDX-License-Identifier: Apache-2.0
// Fetch and dispatch: reads the program block by block into its buffers and hands one instruction a
// cycle, in program order, to the unit's queue.
#pragma once

#include <array>
#include <deque>
#include <span>

#include "sysc/unit.h"

namespace tally::sysc {

class Fetch : public Block, public PortClient, public SlotListener {
 public:
  // `code`: the instructions, decoded; those behind a refused burst are never reached and may be
  // missing at the end. `units` by isa::Unit; the first entry is null.
  Fetch(std::span<const isa::Instruction> code, std::array<Unit*, isa::kUnits> units,
        const Context& context);

  void accepted(Cycle now, const Dram::Service& service) override;
  void slot_freed(isa::Unit unit, Cycle now) override;

  bool all_dispatched() const { return dispatched_ == total_; }
  UnitCycles cycles(Cycle total);

 protected:
  void step(Cycle now) override;

 private:
  Unit& unit_of_next() const;
  int block_bytes(std::uint32_t block) const;
  bool can_dispatch(Cycle now) const;
  bool can_raise(Cycle now) const;
  void dispatch(Cycle now);
  void raise(Cycle now);

  std::span<const isa::Instruction> code_;
  std::array<Unit*, isa::kUnits> units_;
  Context context_;
  std::uint32_t total_;               // instructions of the program
  std::uint32_t block_instructions_;  // of a whole block
  std::uint32_t blocks_;
  std::uint32_t dispatched_ = 0;
  std::uint32_t raised_ = 0, accepted_ = 0, freed_ = 0;  // blocks
  Cycle last_free_ = kNever;                             // cycle in which the last block was freed
  std::deque<Cycle> available_;  // of the instructions that were accepted, not dispatched
  Activity activity_;
};

}  // namespace tally::sysc
