// SPDX-License-Identifier: Apache-2.0
// RoPE frequencies of the llama3 kind (case 04) and the tables made of them.
#include "models/nets/rope.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tally::nets {
namespace {

std::vector<float> frequencies(const std::string& config) {
  auto made = rope_frequencies(*io::Config::parse(config, "config.json"), 128);
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

std::string llama3(const std::string& key) {
  return R"({"rope_theta":500000.0,"rope_scaling":{")" + key +
         R"(":"llama3","factor":8.0,"low_freq_factor":1.0,"high_freq_factor":4.0,
            "original_max_position_embeddings":8192}})";
}

TEST(Rope, Llama3KeepsDividesAndBlends) {
  std::vector<float> plain = frequencies(R"({"rope_theta":500000.0})");
  std::vector<float> scaled = frequencies(llama3("rope_type"));
  ASSERT_EQ(plain.size(), 64u);
  EXPECT_EQ(frequencies(llama3("type")), scaled);
  int kept = 0;
  int divided = 0;
  int blended = 0;
  for (std::size_t j = 0; j < 64; ++j) {
    if (scaled[j] == plain[j])
      ++kept;
    else if (std::abs(scaled[j] - plain[j] / 8) <= 1e-7f * plain[j])
      ++divided;
    else if (scaled[j] < plain[j] && scaled[j] > plain[j] / 8)
      ++blended;
  }
  EXPECT_EQ(kept, 29);
  EXPECT_EQ(divided, 29);
  EXPECT_EQ(blended, 6);
}

TEST(Rope, TablesAgreeAtPositionZeroOnly) {
  RopeTables plain = rope_tables(frequencies(R"({"rope_theta":500000.0})"), 1001);
  RopeTables scaled = rope_tables(frequencies(llama3("rope_type")), 1001);
  auto row = [](const ir::Tensor& table, std::size_t position) {
    auto values = table.as<float>().subspan(position * 64, 64);
    return std::vector<float>(values.begin(), values.end());
  };
  EXPECT_EQ(row(plain.cos, 0), std::vector<float>(64, 1.0f));
  EXPECT_EQ(row(plain.sin, 0), std::vector<float>(64, 0.0f));
  EXPECT_EQ(row(scaled.cos, 0), row(plain.cos, 0));
  EXPECT_EQ(row(scaled.sin, 0), row(plain.sin, 0));
  EXPECT_NE(row(scaled.cos, 1000), row(plain.cos, 1000));
  EXPECT_EQ(row(plain.sin, 1000)[0], std::sin(1000.0f));
}

}  // namespace
}  // namespace tally::nets
