// SPDX-License-Identifier: Apache-2.0
// What `verify` and `demo` share: machines to compare, a model's program with its inputs, and the
// line that says how much was compared.
#pragma once

#include "cli/session.h"
#include "models/measure/samples.h"
#include "models/verify/verify.h"

namespace tally::cli {

// Machines with time by name; empty: sysc and, where this build has it, rtl.
Expected<Verifier> make_verifier(std::vector<std::string> backends, const Design& design);

Expected<Program> bound_program(Session& session, const measure::Samples& samples,
                                std::int64_t index, nets::BuildOptions shape);

// "WHAT: 123 of 123 instructions, 45 counts, 678 bytes of DRAM compared".
std::string comparison_text(const std::string& what, const Compared& compared);

}  // namespace tally::cli
