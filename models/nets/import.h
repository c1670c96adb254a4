// SPDX-License-Identifier: Apache-2.0
// Models from Hugging Face folders: config.json with safetensors (models/io/weights.h).
#pragma once

#include <string>

#include "models/nets/model.h"

namespace tally::nets {

// Reads and checks everything: sizes, names and shapes of all tensors, no NaN or infinity. Weights
// stay mapped. Errors name the file and the key or the tensor.
//
// Tied embeddings (`tie_word_embeddings`): the tensor may be stored under either name, as an alias
// in __metadata__, or twice with equal values; twice with different values is refused.
Expected<Model> import_model(const std::string& folder);

}  // namespace tally::nets
