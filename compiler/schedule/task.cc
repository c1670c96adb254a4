// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/task.h"

namespace tally::schedule {

isa::Unit unit_of(const Task& task) {
  return isa::spec_of(isa::kOpcodeOfBody[task.body.index()]).unit;
}

}  // namespace tally::schedule
