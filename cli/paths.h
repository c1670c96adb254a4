// SPDX-License-Identifier: Apache-2.0
// Where the shipped models, designs, recipes and coefficients are: in the source tree, or under
// ${TALLY_HOME}.
#pragma once

#include <string>

namespace tally::cli {

std::string zoo_folder();
std::string designs_folder();
std::string recipes_folder();
std::string energy_folder();

}  // namespace tally::cli
