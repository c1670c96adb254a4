// SPDX-License-Identifier: Apache-2.0
// Single files and shards: which file rules, and what is refused before anything is computed.
#include "models/io/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/io/test_files.h"

namespace tally::io {
namespace {

using ::testing::HasSubstr;
using namespace testing_files;

const char* const kIndex = "model.safetensors.index.json";

// Two shards and their index.
struct Sharded {
  TempFolder folder;
  Sharded() {
    folder.write("model-1.safetensors", safetensors_of({{"a", {{1}, {1}}}, {"b", {{1}, {2}}}}));
    folder.write("model-2.safetensors", safetensors_of({{"c", {{2}, {3, 4}}}}));
    index(
        "\"a\":\"model-1.safetensors\",\"b\":\"model-1.safetensors\",\"c\":\"model-2."
        "safetensors\"");
  }
  void index(const std::string& map) const {
    folder.write(kIndex, "{\"metadata\":{\"total_size\":16},\"weight_map\":{" + map + "}}");
  }
  std::string message() const {
    auto weights = Weights::open(folder.path());
    return weights ? "opened" : weights.error().message;
  }
};

TEST(Weights, SingleFile) {
  TempFolder folder;
  folder.write("model.safetensors",
               safetensors_of({{"a", {{2}, {1, 2}}}}, "{\"lm_head.weight\":\"a\"}"));
  auto weights = Weights::open(folder.path());
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_TRUE((*weights)->has("a"));
  EXPECT_FALSE((*weights)->has("lm_head.weight"));
  EXPECT_EQ((*weights)->alias("lm_head.weight"), "a");
  EXPECT_EQ((*weights)->alias("b"), std::nullopt);
  EXPECT_EQ((*weights)->shape("a"), (ir::Shape{2}));
  EXPECT_EQ((*weights)->file("a"), folder.file("model.safetensors"));
  EXPECT_TRUE((*weights)->notes().empty());
}

TEST(Weights, Shards) {
  Sharded sharded;
  auto weights = Weights::open(sharded.folder.path());
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(*(*weights)->load("c"), ir::Tensor::of<float>({2}, {3, 4}));
  EXPECT_EQ((*weights)->file("c"), sharded.folder.file("model-2.safetensors"));
}

TEST(Weights, MissingFolderOrFile) {
  TempFolder folder;
  EXPECT_EQ(Weights::open(folder.path()).error().message,
            folder.file("model.safetensors") +
                ": no such file, and no model.safetensors.index.json beside it");
}

TEST(Weights, DeletedOrRenamedShard) {
  Sharded sharded;
  std::filesystem::rename(sharded.folder.file("model-2.safetensors"),
                          sharded.folder.file("model-3.safetensors"));
  EXPECT_EQ(sharded.message(),
            sharded.folder.file(kIndex) +
                ": shard 'model-2.safetensors', which holds tensor 'c', is not in "
                "the folder (incomplete download?)");
  std::filesystem::remove(sharded.folder.file("model-3.safetensors"));
  EXPECT_THAT(sharded.message(), HasSubstr("shard 'model-2.safetensors'"));
}

TEST(Weights, IndexPlacesATensorWhereItIsNot) {
  Sharded sharded;
  sharded.index(
      "\"a\":\"model-1.safetensors\",\"b\":\"model-2.safetensors\",\"c\":\"model-2.safetensors\"");
  EXPECT_THAT(sharded.message(),
              HasSubstr("tensor 'b' is not in shard 'model-2.safetensors' (incomplete download, or "
                        "a stale index?)"));
}

TEST(Weights, BrokenShardIsNamed) {
  Sharded sharded;
  sharded.folder.write("model-2.safetensors", "");
  EXPECT_EQ(sharded.message(), sharded.folder.file("model-2.safetensors") + ": empty file");
}

TEST(Weights, StrayFilesAreIgnoredAndNamed) {
  Sharded sharded;
  sharded.folder.write("model.safetensors", safetensors_of({{"z", {{1}, {9}}}}));
  auto weights = Weights::open(sharded.folder.path());
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_FALSE((*weights)->has("z"));
  ASSERT_EQ((*weights)->notes().size(), 1u);
  EXPECT_EQ((*weights)->notes()[0], sharded.folder.file("model.safetensors") +
                                        ": ignored: model.safetensors.index.json does not name it");
}

TEST(Weights, MalformedIndex) {
  Sharded sharded;
  auto with_index = [&](const std::string& text) {
    sharded.folder.write(kIndex, text);
    return sharded.message();
  };
  EXPECT_THAT(with_index(""), HasSubstr("index.json: empty file"));
  EXPECT_THAT(with_index("{"), HasSubstr("index.json: not JSON"));
  EXPECT_THAT(with_index("[]"), HasSubstr("index.json: not a JSON object"));
  EXPECT_THAT(with_index("{}"), HasSubstr("key 'weight_map' is missing, empty or not an object"));
  EXPECT_THAT(with_index("{\"weight_map\":{}}"), HasSubstr("key 'weight_map' is missing, empty"));
  for (const char* shard : {"3", "\"\"", "\"..\"", "\"../model.safetensors\"", "\"/etc/passwd\""})
    EXPECT_THAT(with_index("{\"weight_map\":{\"a\":" + std::string(shard) + "}}"),
                HasSubstr("tensor 'a': its shard is not the name of a file in the folder"));
}

}  // namespace
}  // namespace tally::io
