// SPDX-License-Identifier: Apache-2.0
// Type rules: the result types of an op from its operands and attributes, or why it has none.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace tally::ir {

// Checks arity and attributes against the op table: required ones present, none unknown, types as
// declared.
Status check_form(const Op& op);

// The result types, their memory space not assigned. The op passes check_form(). Where nothing
// decides a type (an input, a constant that names a tensor) it is the declared one. Errors name the
// rule, not the op.
Expected<std::vector<Type>> infer_types(const Op& op);

}  // namespace tally::ir
