// SPDX-License-Identifier: Apache-2.0
// One well-formed module text for every op of the table; the ops' tests walk it.
#pragma once

#include <map>
#include <string>

namespace tally::ir {

// Op name -> body of a function that uses the op, optional operands and attributes included.
const std::map<std::string, std::string>& op_samples();

// The body in a module.
std::string sample_module(const std::string& body);

}  // namespace tally::ir
