// SPDX-License-Identifier: Apache-2.0
#include "models/data/set_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/data/sets.h"
#include "tests/unit/zoo/temp_folder.h"

namespace tally {
namespace {

using test::TempFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// Reads `text` as a set and gives its error, without the path in front.
std::string refusal(const std::string& text) {
  const TempFolder folder;
  const std::string path = folder.write("set.json", text);
  const auto set = read_set_json(path);
  if (set) return "accepted";
  EXPECT_THAT(set.error().message, StartsWith(path + ": "));
  return set.error().message.substr(path.size() + 2);
}

DataSet reread(const DataSet& set) {
  const TempFolder folder;
  EXPECT_TRUE(write_set_json(set, folder.file("again.json")));
  const auto again = read_set_json(folder.file("again.json"));
  EXPECT_TRUE(again) << again.error().message;
  EXPECT_FALSE(std::filesystem::exists(folder.file("again.json.part")));
  return *again;
}

TEST(SetJson, ReadsEachTask) {
  const TempFolder folder;
  const auto lm = read_set_json(
      folder.write("lm.json", R"({"task":"lm","sequences":[[1,2,2147483647],[0,5]]})"));
  ASSERT_TRUE(lm) << lm.error().message;
  EXPECT_EQ(lm->task, Task::kLm);
  EXPECT_EQ(lm->name, folder.file("lm.json"));
  EXPECT_THAT(lm->sequences, ElementsAre(ElementsAre(1, 2, 2147483647), ElementsAre(0, 5)));
  EXPECT_THAT(lm->indices, ElementsAre(0, 1));

  const auto classify = read_set_json(
      folder.write("c.json", R"({"task":"classify","inputs":[[0.1,-2],[3e0]],"labels":[4,0]})"));
  ASSERT_TRUE(classify) << classify.error().message;
  EXPECT_THAT(classify->inputs, ElementsAre(ElementsAre(0.1f, -2.0f), ElementsAre(3.0f)));
  EXPECT_THAT(classify->labels, ElementsAre(4, 0));

  const auto pairs = read_set_json(folder.write(
      "s.json", R"({"task":"similarity","pairs":[{"a":[1],"b":[2,3],"score":-0.1}]})"));
  ASSERT_TRUE(pairs) << pairs.error().message;
  EXPECT_THAT(pairs->pairs[0].b, ElementsAre(2, 3));
  EXPECT_EQ(pairs->pairs[0].score, -0.1);
}

TEST(SetJson, WriteThenReadKeepsEverySample) {
  DataSet lm;
  lm.sequences = {{1, 2}, {300, 4, 5}};
  EXPECT_EQ(reread(lm).sequences, lm.sequences);

  DataSet classify;
  classify.task = Task::kClassify;
  classify.inputs = {{0.1f, 255.0f, 1e-45f}, {-3.4028235e38f, 16777217.0f, -0.5f}};
  classify.labels = {1, 0};
  EXPECT_EQ(reread(classify).inputs, classify.inputs);
  EXPECT_EQ(reread(classify).labels, classify.labels);

  DataSet similarity;
  similarity.task = Task::kSimilarity;
  similarity.pairs = {{{1, 2}, {3}, 0.1}, {{4}, {5}, 5.0}};
  const DataSet again = reread(similarity);
  EXPECT_EQ(again.pairs[0].a, similarity.pairs[0].a);
  EXPECT_EQ(again.pairs[0].score, 0.1);
  EXPECT_EQ(again.pairs[1].score, 5.0);
}

TEST(SetJson, WriteToNowhereFailsAndLeavesNothing) {
  DataSet lm;
  lm.sequences = {{1, 2}};
  const auto no_folder = write_set_json(lm, "/no/such/folder/set.json");
  ASSERT_FALSE(no_folder);
  EXPECT_EQ(no_folder.error().message, "/no/such/folder/set.json: cannot be written");
  const TempFolder folder;
  std::filesystem::create_directories(folder.file("taken/inside"));
  const auto taken = write_set_json(lm, folder.file("taken"));
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("taken: cannot be written ("));
  EXPECT_FALSE(std::filesystem::exists(folder.file("taken.part")));
}

TEST(SetJson, LimitTakesTheFirstOfEach) {
  const TempFolder folder;
  const std::string path =
      folder.write("c.json", R"({"task":"classify","inputs":[[1],[2],[3]],"labels":[7,8,9]})");
  const auto set = read_set_json(path, 2);
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->inputs.size(), 2u);
  EXPECT_THAT(set->labels, ElementsAre(7, 8));
  EXPECT_EQ(read_set_json(path, 4).error().message, path + ": asked for 4 samples, but it has 3");
}

TEST(SetJson, RefusesWhatIsNoSet) {
  EXPECT_EQ(refusal(""), "not JSON (near byte 1)");
  EXPECT_THAT(refusal(R"({"task":"lm","sequences":[[1,2])"), HasSubstr("not JSON (near byte"));
  EXPECT_THAT(refusal(R"({"task":"lm","sequences":[[1,NaN]]})"), HasSubstr("not JSON"));
  EXPECT_EQ(refusal("[1,2]"), "a data set is a JSON object");
  EXPECT_EQ(refusal("{}"), "key \"task\" is missing");
  EXPECT_EQ(refusal(R"({"task":"translate"})"),
            R"("task" is "translate"; it must be "lm", "classify" or "similarity")");
  EXPECT_THAT(refusal(R"({"task":3})"), StartsWith("\"task\" is 3;"));
  EXPECT_EQ(refusal(R"({"task":"lm","sequences":[[1,2]],"labels":[1]})"), "unknown key \"labels\"");
}

TEST(SetJson, RefusesDeepNestingWithoutCrashing) {
  EXPECT_THAT(refusal(std::string(200'000, '[')), HasSubstr("not JSON"));
}

TEST(SetJson, RefusesBrokenSequences) {
  EXPECT_EQ(refusal(R"({"task":"lm"})"), "key \"sequences\" is missing");
  EXPECT_EQ(refusal(R"({"task":"lm","sequences":[]})"),
            "\"sequences\" must be an array with at least one element");
  EXPECT_EQ(refusal(R"({"task":"lm","sequences":{"0":[1,2]}})"),
            "\"sequences\" must be an array with at least one element");
  EXPECT_EQ(refusal(R"({"task":"lm","sequences":[[1,2],[3]]})"),
            "sequences[1]: must be an array of at least 2 token id(s)");
  EXPECT_EQ(refusal(R"({"task":"lm","sequences":[7]})"),
            "sequences[0]: must be an array of at least 2 token id(s)");
  for (const char* bad : {"-1", "1.5", "2147483648", "1e30", "\"7\"", "null", "true"}) {
    EXPECT_THAT(
        refusal(fmt::format(R"({{"task":"lm","sequences":[[1,2],[3,{}]]}})", bad)),
        AllOf(StartsWith("sequences[1][1]: "), HasSubstr("is not an integer from 0 to 2147483647")))
        << bad;
  }
}

TEST(SetJson, RefusesBrokenClassifySets) {
  EXPECT_EQ(refusal(R"({"task":"classify","labels":[1]})"), "key \"inputs\" is missing");
  EXPECT_EQ(refusal(R"({"task":"classify","inputs":[[1]]})"), "key \"labels\" is missing");
  EXPECT_EQ(refusal(R"({"task":"classify","inputs":[[1],[2]],"labels":[1]})"),
            "2 inputs but 1 labels");
  EXPECT_EQ(refusal(R"({"task":"classify","inputs":[[]],"labels":[1]})"),
            "inputs[0]: must be an array of at least one number");
  EXPECT_EQ(refusal(R"({"task":"classify","inputs":[[1,"2"]],"labels":[1]})"),
            "inputs[0][1]: \"2\" is not a number within the range of fp32");
  EXPECT_EQ(refusal(R"({"task":"classify","inputs":[[1e39]],"labels":[1]})"),
            "inputs[0][0]: 1e+39 is not a number within the range of fp32");
  EXPECT_EQ(refusal(R"({"task":"classify","inputs":[[1]],"labels":[-3]})"),
            "labels[0]: -3 is not an integer from 0 to 2147483647");
}

TEST(SetJson, RefusesBrokenPairs) {
  EXPECT_EQ(refusal(R"({"task":"similarity"})"), "key \"pairs\" is missing");
  EXPECT_EQ(refusal(R"({"task":"similarity","pairs":[[1,2]]})"),
            "pairs[0]: must be an object with a, b and score");
  for (const char* pair : {R"("x":[1],"b":[1],"score":1)", R"("a":[1],"x":[1],"score":1)",
                           R"("a":[1],"b":[1],"x":1)"}) {
    EXPECT_EQ(refusal(fmt::format(R"({{"task":"similarity","pairs":[{{{}}}]}})", pair)),
              "pairs[0]: unknown key \"x\"");
  }
  EXPECT_EQ(refusal(R"({"task":"similarity","pairs":[{"a":[1],"b":[1]}]})"),
            "pairs[0]: key \"score\" is missing");
  EXPECT_EQ(refusal(R"({"task":"similarity","pairs":[{"a":[],"b":[1],"score":1}]})"),
            "pairs[0].a: must be an array of at least 1 token id(s)");
  EXPECT_EQ(refusal(R"({"task":"similarity","pairs":[{"a":[1],"b":[-1],"score":1}]})"),
            "pairs[0].b[0]: -1 is not an integer from 0 to 2147483647");
  EXPECT_EQ(refusal(R"({"task":"similarity","pairs":[{"a":[1],"b":[1],"score":"x"}]})"),
            "pairs[0].score: \"x\" is not a number within the range of fp32");
}

TEST(LoadSet, KnowsItsNames) {
  for (const SetInfo& info : named_sets()) {
    const auto set = load_set(info.name, 5, 32);
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(set->name, info.name);
    EXPECT_EQ(set->samples(), 5u);
    if (set->task == Task::kLm) {
      EXPECT_EQ(set->sequences[4].size(), 32u);
    }
  }
}

TEST(LoadSet, ReadsAFileOrSaysWhatThereIs) {
  const TempFolder folder;
  const std::string path = folder.write("set", R"({"task":"lm","sequences":[[1,2]]})");
  EXPECT_TRUE(load_set(path));
  EXPECT_EQ(
      load_set("kjv").error().message,
      "kjv: neither a data set (fashion-test, fashion-train, kjv-test, kjv-train) nor a file");
  EXPECT_EQ(load_set(folder.path()).error().message, folder.path() + ": no such file");
}

}  // namespace
}  // namespace tally
