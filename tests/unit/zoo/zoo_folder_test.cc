// SPDX-License-Identifier: Apache-2.0
// The committed model folders: complete, of the promised family, and small.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace tally {
namespace {

const std::filesystem::path kZoo = std::filesystem::path(TALLY_SOURCE_DIR) / "models/zoo";
constexpr std::uintmax_t kLargestBytes = 4'000'000;

nlohmann::json config_of(const std::string& name) {
  std::ifstream file(kZoo / name / "config.json");
  return nlohmann::json::parse(file);
}

TEST(ZooFolder, EachIsAtMostFourMegabytes) {
  for (const char* name : {"vit-fashion", "gpt-mini"}) {
    ASSERT_TRUE(std::filesystem::is_regular_file(kZoo / name / "model.safetensors")) << name;
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kZoo / name))
      if (entry.is_regular_file()) bytes += entry.file_size();
    EXPECT_LE(bytes, kLargestBytes) << name;
  }
}

TEST(ZooFolder, VitTakesFashionImages) {
  const nlohmann::json config = config_of("vit-fashion");
  EXPECT_EQ(config["model_type"], "vit");
  EXPECT_EQ(config["image_size"], 28);
  EXPECT_EQ(config["num_channels"], 1);
  EXPECT_EQ(config["id2label"].size(), 10u);
}

TEST(ZooFolder, GptTakesBytes) {
  const nlohmann::json config = config_of("gpt-mini");
  EXPECT_EQ(config["model_type"], "gpt2");
  EXPECT_EQ(config["vocab_size"], 256);
  EXPECT_EQ(config["n_positions"], 128);
}

}  // namespace
}  // namespace tally
