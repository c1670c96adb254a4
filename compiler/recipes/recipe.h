// SPDX-License-Identifier: Apache-2.0
// A recipe: what is done to a model before it runs, read from one TOML file in which every key that
// applies is present and no other.
//
// Weights: int8, symmetric, a scale per output channel or per tensor. Activations: int8 with a
// scale per token (dynamic), or int8 or uint8 with one scale and zero point per tensor (static,
// calibrated). Attention: q, k and v are int8 and symmetric, scaled per head and token or per
// tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/error.h"

namespace tally {

enum class WeightGranularity { kChannel, kTensor };
enum class ActivationFormat { kInt8, kUint8 };
enum class ScaleSource { kToken, kTensor };  // dynamic per token, static per tensor
enum class CalibrationMethod { kMinMax, kPercentile, kMse };

std::string_view calibration_method_name(CalibrationMethod method);

struct CalibrationRecipe {
  CalibrationMethod method = CalibrationMethod::kMinMax;
  double percentile = 100;  // of the values that each end of the range keeps; method percentile
  std::string set;          // a data set; empty: to be named with the run
  std::int64_t samples = 0;
  friend bool operator==(const CalibrationRecipe&, const CalibrationRecipe&) = default;
};

struct Recipe {
  std::string name;
  std::string description;
  std::string file;  // where it was read from, for messages

  WeightGranularity weight_granularity = WeightGranularity::kChannel;
  ActivationFormat activation_format = ActivationFormat::kInt8;
  ScaleSource activation_scales = ScaleSource::kToken;
  ScaleSource attention_scales = ScaleSource::kToken;
  std::int64_t attention_block = 0;  // keys per block; 0: the whole row
  std::optional<CalibrationRecipe> calibration;

  bool needs_calibration() const { return calibration.has_value(); }
};

// Reads and validates a recipe. Errors name file, key and allowed values.
Expected<Recipe> load_recipe(const std::string& path);
Expected<Recipe> parse_recipe(const std::string& toml, const std::string& file);
// A shipped name (NAME.toml in the recipes directory) or a path to a TOML file.
Expected<Recipe> find_recipe(const std::string& name_or_path, const std::string& directory);
// The shipped names, sorted.
std::vector<std::string> recipe_names(const std::string& directory);

}  // namespace tally
