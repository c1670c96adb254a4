// SPDX-License-Identifier: Apache-2.0
// MODEL on the command line: a name in the zoo or a Hugging Face folder.
#pragma once

#include <string>
#include <vector>

#include "models/nets/model.h"

namespace tally::measure {

// The folders of `zoo` that hold a config.json, sorted.
std::vector<std::string> zoo_models(const std::string& zoo);

// Errors name what was looked for and the known names; .onnx and .gguf files are refused by name.
Expected<nets::Model> find_model(const std::string& name_or_path, const std::string& zoo);

}  // namespace tally::measure
