// SPDX-License-Identifier: Apache-2.0
// The energy of a measurement: counted events of the machine times coefficients, by unit and node.
#pragma once

#include <map>

#include "models/measure/totals.h"
#include "reports/energy/coefficients.h"

namespace tally::measure {

// How often a program ran, and the inputs of its first run.
struct ProgramUse {
  std::int64_t runs = 0;
  ops::Tensors inputs;
};
using ProgramUses = std::map<const Program*, ProgramUse>;

// Which node causes which events is worked out by the functional model from each program, on its
// first inputs: it does not depend on values.
Expected<Energy> account_energy(const ProgramUses& uses, const Totals& totals, const Design& design,
                                const Coefficients& coefficients);

}  // namespace tally::measure
