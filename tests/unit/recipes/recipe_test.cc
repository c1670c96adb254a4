// SPDX-License-Identifier: Apache-2.0
#include "compiler/recipes/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tally {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kDirectory = std::string(TALLY_SOURCE_DIR) + "/compiler/recipes";

constexpr const char* kDynamic = R"(
name = "d"
description = "dynamic"
[weights]
format = "int8"
granularity = "channel"
[activations]
format = "int8"
scales = "token"
[attention]
scales = "token"
block = 0
)";

constexpr const char* kStatic = R"(
name = "s"
description = "static"
[weights]
format = "int8"
granularity = "tensor"
[activations]
format = "uint8"
scales = "tensor"
[attention]
scales = "token"
block = 64
[calibration]
method = "percentile"
percentile = 99.9
set = "kjv-train"
samples = 8
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, text.npos) << from;
  return text.replace(place, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto recipe = parse_recipe(text, "r.toml");
  EXPECT_FALSE(recipe);
  return recipe ? "" : recipe.error().message;
}

TEST(Recipe, ReadsEveryKey) {
  const auto recipe = parse_recipe(kStatic, "r.toml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_EQ(recipe->name, "s");
  EXPECT_EQ(recipe->file, "r.toml");
  EXPECT_EQ(recipe->weight_granularity, WeightGranularity::kTensor);
  EXPECT_EQ(recipe->activation_format, ActivationFormat::kUint8);
  EXPECT_EQ(recipe->activation_scales, ScaleSource::kTensor);
  EXPECT_EQ(recipe->attention_scales, ScaleSource::kToken);
  EXPECT_EQ(recipe->attention_block, 64);
  EXPECT_EQ(recipe->calibration,
            (CalibrationRecipe{CalibrationMethod::kPercentile, 99.9, "kjv-train", 8}));
}

TEST(Recipe, ShippedRecipesLoad) {
  EXPECT_THAT(recipe_names(kDirectory), ElementsAre("int8", "int8-static"));
  for (const std::string& name : recipe_names(kDirectory)) {
    const auto recipe = find_recipe(name, kDirectory);
    ASSERT_TRUE(recipe) << recipe.error().message;
    EXPECT_EQ(recipe->name, name);
    EXPECT_EQ(recipe->needs_calibration(), name == "int8-static");
  }
}

TEST(Recipe, FindsAFileByPath) { EXPECT_TRUE(find_recipe(kDirectory + "/int8.toml", "/nowhere")); }

TEST(Recipe, AnUnknownNameListsTheShippedOnes) {
  EXPECT_EQ(find_recipe("int9", kDirectory).error().message,
            "recipe 'int9' is neither a shipped name (int8, int8-static) nor a TOML file");
}

TEST(Recipe, AMissingFileIsNamed) {
  EXPECT_EQ(load_recipe("/nowhere/r.toml").error().message, "/nowhere/r.toml: cannot be read");
  EXPECT_FALSE(load_recipe(kDirectory));
}

TEST(Recipe, BadTomlNamesTheLine) { EXPECT_THAT(error_of("name = "), HasSubstr("r.toml: line 1")); }

TEST(Recipe, AnUnknownKeyIsRefused) {
  EXPECT_EQ(error_of(std::string(kDynamic) + "blocks = 3\n"),
            "r.toml: unknown key 'attention.blocks'");
}

// Each line "key = value" of the two texts, taken away and given a wrong value.
class EveryKey : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryKey, MissingOrWrongIsRefusedByName) {
  const std::string text = GetParam();
  std::string section;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with("[")) section = line.substr(1, line.size() - 2) + ".";
    const std::size_t equals = line.find(" = ");
    if (equals == line.npos) continue;
    const std::string key = "r.toml: key '" + section + line.substr(0, equals) + "' ";
    const auto with = [&](const std::string& changed) {
      return error_of(text.substr(0, begin) + changed + text.substr(end));
    };
    EXPECT_THAT(with(""), HasSubstr(key + "is missing ("));
    EXPECT_THAT(with(line.substr(0, equals) + " = -1"), HasSubstr(key + "is -1, allowed: "));
    EXPECT_THAT(with(line.substr(0, equals) + " = [1]"), HasSubstr(key + "allowed: "));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, EveryKey, ::testing::Values(kDynamic, kStatic));

TEST(Recipe, WrongValuesNameTheAllowedOnes) {
  EXPECT_EQ(error_of(replaced(kDynamic, "\"channel\"", "\"row\"")),
            "r.toml: key 'weights.granularity' is 'row', allowed: \"channel\" or \"tensor\"");
  EXPECT_EQ(error_of(replaced(kDynamic, "block = 0", "block = 65537")),
            "r.toml: key 'attention.block' is 65537, allowed: an integer, 0 (the whole row) to "
            "65536");
  EXPECT_THAT(error_of(replaced(kStatic, "99.9", "100")), HasSubstr("below 100"));
  EXPECT_THAT(error_of(replaced(kStatic, "samples = 8", "samples = 0")), HasSubstr("1 to 1000000"));
}

TEST(Recipe, KeysThatDoNotApplyAreRefused) {
  EXPECT_EQ(error_of(replaced(kStatic, "scales = \"tensor\"", "scales = \"token\"")),
            "r.toml: key 'calibration.method' applies only with activations.scales or "
            "attention.scales = \"tensor\" (static scales)");
  EXPECT_EQ(error_of(replaced(kStatic, "method = \"percentile\"", "method = \"mse\"")),
            "r.toml: key 'calibration.percentile' applies only with calibration.method = "
            "\"percentile\"");
}

TEST(Recipe, DynamicActivationsAreInt8) {
  EXPECT_EQ(error_of(replaced(kDynamic, "[activations]\nformat = \"int8\"",
                              "[activations]\nformat = \"uint8\"")),
            "r.toml: key 'activations.format' is 'uint8', allowed with activations.scales = "
            "\"token\": \"int8\"");
}

TEST(Recipe, SetNoneLeavesTheSetToTheRun) {
  const auto recipe = parse_recipe(replaced(kStatic, "kjv-train", "none"), "r.toml");
  ASSERT_TRUE(recipe) << recipe.error().message;
  EXPECT_TRUE(recipe->calibration->set.empty());
}

}  // namespace
}  // namespace tally
