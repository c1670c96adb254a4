// SPDX-License-Identifier: Apache-2.0
// The vector unit: stream registers, routine memory, runs. Cycles are known at the start of a run
// (vector_timing.h), values are computed there too, a step over many elements (vector_values.h).
#pragma once

#include <array>

#include "sysc/unit.h"
#include "sysc/vector_timing.h"

namespace tally::sysc {

class Vector : public Unit {
 public:
  explicit Vector(const Context& context)
      : Unit(isa::Unit::kVector, context.design.vector_queue, context) {}

 protected:
  Cycle ready(Cycle now) const override { return std::max(now, free_); }
  void start(Flight* flight) override;

 private:
  void set(const isa::Routine& routine);
  void run(const isa::Run& run, Flight* flight);

  Cycle free_ = 0;
  StreamRegisters streams_{};
  std::array<isa::Step, isa::kRoutineSteps> routine_{};
};

}  // namespace tally::sysc
