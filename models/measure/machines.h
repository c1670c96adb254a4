// SPDX-License-Identifier: Apache-2.0
// The machines that a build may lack: null where it does.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/machine/machine.h"

namespace tally::measure {

// What is being built, for a person who waits (RTL on first use).
using BuildProgress = std::function<void(const std::string&)>;
using MachineMaker = Expected<std::unique_ptr<Machine>> (*)(const Design&, const BuildProgress&);

MachineMaker sysc_maker();
MachineMaker rtl_maker();

}  // namespace tally::measure
