// SPDX-License-Identifier: Apache-2.0
// The Verilated bench of a design: found in the cache, or built into it. The cache is keyed by
// content (design, every RTL and bench source, Verilator's version), entries appear whole, and two
// processes that want the same one build it once.
#pragma once

#include <string>

#include "compiler/design/design.h"
#include "models/base/error.h"
#include "sysc/verilated/rtl_machine.h"

namespace tally::rtl {

// Path of the executable. Errors: no Verilator or one that is too old, no RTL sources, RTL that
// does not compile (with the end of the tool's output), a cache that cannot be written.
Expected<std::string> build_bench(const Design& design, const RtlOptions& options, bool waveform);

// ${TALLY_CACHE}, else ${XDG_CACHE_HOME}/tally, else ~/.cache/tally.
std::string cache_directory();

}  // namespace tally::rtl
