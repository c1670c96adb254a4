// SPDX-License-Identifier: Apache-2.0
// Builds vector routines from values instead of registers.
//
// Steps are recorded in order; finish() gives each value a lane register from its step to its last
// use. A routine has a body and, from a fold on, a tail; body values do not live in the tail
// (docs/timing.md). The functions of models/numeric/sequences.h are written for such a builder, so
// that host and machine evaluate the same steps.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/isa/isa.h"

namespace tally::codegen {

using Routine = std::vector<isa::Step>;

class RoutineBuilder {
 public:
  struct Value {
    int id = -1;
  };

  Value load(int stream);
  void store(Value a, int stream);
  Value constant(float value);
  Value constant_bits(std::uint32_t bits);

  Value unary(isa::StepOp op, Value a);
  Value binary(isa::StepOp op, Value a, Value b);
  Value binary(isa::StepOp op, Value a, float b);
  Value binary_bits(isa::StepOp op, Value a, std::uint32_t b);
  // any bit of `condition` set ? if_true : otherwise
  Value select(Value condition, Value if_true, Value otherwise);
  Value select(Value condition, float if_true, Value otherwise);

  void psum(isa::StepOp op, Value a);
  Value fold(isa::StepOp op);  // the tail begins

  // Steps with registers. More than 8 values alive at once is a broken invariant.
  Routine finish() const;

 private:
  struct Entry {
    isa::Step step;  // without registers
    int a = -1, b = -1, d = -1;
    bool result = false;
  };

  Value add(Entry entry);
  void check_live(int id) const;

  std::vector<Entry> entries_;
  int tail_ = 0;  // first entry of the tail, 0: no fold yet
};

}  // namespace tally::codegen
