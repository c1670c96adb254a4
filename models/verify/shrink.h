// SPDX-License-Identifier: Apache-2.0
// Makes a failing program small: instructions are taken out, then made simple, as long as the
// program keeps failing, has no race and ends as it did (deadlock or not).
#pragma once

#include <functional>

#include "compiler/program/program.h"

namespace tally {

// `fails` is asked at most `tries` times. The result fails; at worst it is the program itself.
Program shrink(const Program& program, const Design& design,
               const std::function<bool(const Program&)>& fails, int tries = 400);

}  // namespace tally
