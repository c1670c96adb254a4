// SPDX-License-Identifier: Apache-2.0
// The accelerator's own RTL as a machine: Verilated for a design on first use (rtl_build.h), then
// run in a child process, any number of programs in one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "compiler/design/design.h"
#include "models/base/error.h"
#include "models/machine/machine.h"

namespace tally {

struct RtlOptions {
  // What is being built, for a person who waits; called only when something is built.
  std::function<void(const std::string&)> progress;
  std::string rtl_directory;  // empty: ${TALLY_RTL_DIR}, else that of the source tree
  bool quick_build = false;   // less optimised: for few and short programs
};

// Builds the bench if the cache lacks it. An Error of run() says how the child ended, with what it
// printed (an assertion of the RTL, say); the next run starts another. A run with a waveform builds
// a second bench on first use.
Expected<std::unique_ptr<Machine>> make_rtl_machine(const Design& design,
                                                    const RtlOptions& options = {});

}  // namespace tally
