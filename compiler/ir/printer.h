// SPDX-License-Identifier: Apache-2.0
// The text form of the IR (grammar in docs/ir.md). parse(print(m)) prints the same text.
#pragma once

#include <string>

#include "compiler/ir/ir.h"

namespace tally::ir {

std::string print(const Module& module);
// One line, without indentation or line end.
std::string print(const Op& op);

}  // namespace tally::ir
