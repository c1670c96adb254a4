// SPDX-License-Identifier: Apache-2.0
// --output: the values of a run as one .npy file.
#pragma once

#include <string>
#include <vector>

#include "models/ops/interpreter.h"

namespace tally::cli {

// The logits (or hidden rows) of one inference as they are, of several under a leading dimension.
// Refuses inferences of different shapes.
Status write_outputs(const std::string& path, const std::vector<ops::Tensors>& outputs);

}  // namespace tally::cli
