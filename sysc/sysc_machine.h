// SPDX-License-Identifier: Apache-2.0
// The cycle-accurate native machine: values and time (docs/sysc.md). Stands alone: needs no RTL and
// reads nothing that another machine wrote.
#pragma once

#include <memory>

#include "models/machine/machine.h"

namespace tally {

// Any number of machines and runs in a process. run() fails only for an image whose capacity is not
// the design's.
std::unique_ptr<Machine> make_sysc_machine(const Design& design);

}  // namespace tally
