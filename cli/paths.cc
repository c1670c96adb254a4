// SPDX-License-Identifier: Apache-2.0
#include "cli/paths.h"

#include <cstdlib>

namespace tally::cli {
namespace {

std::string home() {
  const char* given = std::getenv("TALLY_HOME");
  return given != nullptr && *given != '\0' ? given : TALLY_SOURCE_DIR;
}

}  // namespace

std::string zoo_folder() { return home() + "/models/zoo"; }
std::string designs_folder() { return home() + "/designs"; }
std::string recipes_folder() { return home() + "/compiler/recipes"; }
std::string energy_folder() { return home() + "/reports/energy"; }

}  // namespace tally::cli
