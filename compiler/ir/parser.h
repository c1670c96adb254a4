// SPDX-License-Identifier: Apache-2.0
// Reads the text form of the IR (grammar in docs/ir.md).
#pragma once

#include <string_view>

#include "compiler/ir/ir.h"

namespace tally::ir {

// The module, verified. `source` names the text in messages ("FILE: line L, column C: ...").
// Constants that name tensors are resolved when they are loaded, from the store that the caller
// then puts into the module.
Expected<Module> parse(std::string_view text, std::string_view source = "IR");

}  // namespace tally::ir
