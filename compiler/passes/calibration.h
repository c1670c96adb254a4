// SPDX-License-Identifier: Apache-2.0
// Calibrated ranges of the activations that a static recipe quantises, and what they were measured
// on. A site is one operand of one op: "NODE:OPERAND" ("h.0.mlp.c_fc:x"), or with the value's name
// where the op has no node.
#pragma once

#include <map>
#include <string>

#include "compiler/ir/ir.h"
#include "compiler/passes/weight_quantiser.h"
#include "compiler/recipes/recipe.h"

namespace tally::passes {

// Values outside are saturated; low <= 0 <= high, so that zero is exact.
struct Range {
  float low = 0, high = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

struct Calibration {
  std::string set;             // name of the data set
  std::string indices_sha256;  // of the samples taken from it
  std::int64_t samples = 0;
  std::map<std::string, Range> ranges;  // by site
};

std::string site(const ir::Op& op, std::string_view operand);
// The sites that a recipe makes static: x of every linear, q, k and v of every attention.
struct Site {
  std::string name;
  const ir::Value* value;
  bool symmetric;  // quantised to int8 with zero point 0
};
std::vector<Site> static_sites(const ir::Function& function, const Recipe& recipe);

// Scale and zero point for a range. int8: max(|low|, |high|) / 127 and 0. uint8: (high - low) / 255
// and -low / scale rounded half to even. A range of only zero has scale 1.
ActivationScale activation_scale(const Range& range, ActivationFormat format);

}  // namespace tally::passes
