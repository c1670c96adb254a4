// SPDX-License-Identifier: Apache-2.0
// A file that the command line names, whole.
#pragma once

#include <string>

#include "models/base/error.h"

namespace tally::cli {

// An error names the path.
Expected<std::string> read_file(const std::string& path);

}  // namespace tally::cli
