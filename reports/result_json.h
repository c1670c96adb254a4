// SPDX-License-Identifier: Apache-2.0
// The JSON form of a result (docs/result.schema.json): every key always present, null where it does
// not apply; counts are integers, energies picojoules.
#pragma once

#include <string>

#include "reports/result.h"

namespace tally {

// Indented, with a final newline.
std::string result_json(const Result& result);

// Writes beside the target and renames, so that no partial file is left under `path`; folders are
// made. An error names the path.
Status write_file(const std::string& path, std::string_view content);

}  // namespace tally
