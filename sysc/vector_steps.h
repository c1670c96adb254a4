// SPDX-License-Identifier: Apache-2.0
// One arithmetic step over n elements (models/numeric/f32_array.h has the loops).
#pragma once

#include <cstdint>

#include "compiler/isa/isa.h"

namespace tally::sysc {

// d, a, b: n register values each; b is not read where the step has an immediate. Steps without a
// register result, folds and unknown operations do nothing.
void compute(const isa::Step& step, const std::uint32_t* a, const std::uint32_t* b,
             std::uint32_t* d, std::size_t n);

}  // namespace tally::sysc
