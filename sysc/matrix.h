// SPDX-License-Identifier: Apache-2.0
// The matrix unit: loader, array and accumulator stage. Cycles are known at the start
// (matrix_timing.h), values are computed there too (matrix_values.h).
#pragma once

#include <optional>

#include "sysc/matrix_timing.h"
#include "sysc/unit.h"

namespace tally::sysc {

class Matrix : public Unit {
 public:
  explicit Matrix(const Context& context)
      : Unit(isa::Unit::kMatrix, context.design.matrix_queue, context) {}

 protected:
  Cycle ready(Cycle now) const override { return std::max(now, loader_free_); }
  void start(Flight* flight) override;

 private:
  std::optional<ArrayState> array_;
  Cycle loader_free_ = 0;
};

}  // namespace tally::sysc
