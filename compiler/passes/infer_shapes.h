// SPDX-License-Identifier: Apache-2.0
// Shape inference: gives every value the type that follows from its op's operands.
#pragma once

#include <map>
#include <string>

#include "compiler/ir/ir.h"

namespace tally::passes {

// Sets the shapes of the named inputs, then infers the types of all others in order; memory spaces
// stay. Refuses a name that is no input, and shapes with which an op has no type, naming the op.
Expected<bool> infer_shapes(ir::Module& module, const std::map<std::string, ir::Shape>& inputs);

// "1x28x28" as a shape; an error where it is none.
Expected<ir::Shape> parse_shape(const std::string& text);

}  // namespace tally::passes
