// SPDX-License-Identifier: Apache-2.0
// A program with the values of one inference in it, so that it runs anywhere by itself.
#pragma once

#include "compiler/program/program.h"
#include "models/ops/interpreter.h"

namespace tally::measure {

// A copy with a segment for every row of every input. Errors: an input that is missing or of
// another size.
Expected<Program> bind_inputs(const Program& program, const ops::Tensors& inputs);

}  // namespace tally::measure
