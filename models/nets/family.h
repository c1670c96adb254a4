// SPDX-License-Identifier: Apache-2.0
// The two halves of a family, one file each: reading its configuration and weights, and building
// its graph.
#pragma once

#include <memory>

#include "models/io/config.h"
#include "models/io/weights.h"
#include "models/nets/graph.h"
#include "models/nets/model.h"

namespace tally::nets {

using SharedWeights = std::shared_ptr<const io::Weights>;

// Fill `model->config` and `model->store`.
Status import_gpt2(const io::Config& config, const SharedWeights& weights, Model* model);
Status import_llama(const io::Config& config, const SharedWeights& weights, Model* model);
Status import_vit(const io::Config& config, const SharedWeights& weights, Model* model);

// Append the ops.
void build_gpt2(Graph& graph);
void build_llama(Graph& graph);
void build_vit(Graph& graph);

}  // namespace tally::nets
