// SPDX-License-Identifier: Apache-2.0
#include "models/data/kjv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace tally {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Kjv, TextIsTheDebianPackages) {
  const auto text = kjv_text();
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->size(), kKjvBytes);
}

TEST(Kjv, LineLengthOfTheTerminalDoesNotMatter) {
  setenv("COLUMNS", "40", 1);
  const auto text = kjv_text();
  unsetenv("COLUMNS");
  EXPECT_TRUE(text) << text.error().message;
}

TEST(Kjv, SplitsAreDisjointAndCoverTheText) {
  const auto text = kjv_text();
  const auto train = load_kjv(Split::kTrain);
  const auto test = load_kjv(Split::kTest);
  ASSERT_TRUE(text && train && test);
  EXPECT_EQ(train->samples(), kKjvTrainBytes / 128);
  EXPECT_EQ(test->samples(), (kKjvBytes - kKjvTrainBytes) / 128);
  std::string joined;
  for (const DataSet* set : {&*train, &*test})
    for (const auto& ids : set->sequences) joined.append(ids.begin(), ids.end());
  EXPECT_EQ(joined, text->substr(0, joined.size()));
  EXPECT_LT(text->size() - joined.size(), 128u);
  EXPECT_FALSE(first_shared_sample(*train, *test));
}

TEST(Kjv, LimitSpreadsOverTheSplit) {
  const auto all = load_kjv(Split::kTest, 64);
  const auto some = load_kjv(Split::kTest, 64, 10);
  ASSERT_TRUE(all && some);
  ASSERT_EQ(some->samples(), 10u);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(some->indices[i], i * all->samples() / 10);
    EXPECT_EQ(some->sequences[i], all->sequences[some->indices[i]]);
  }
}

TEST(Kjv, ContextMustFitTheSplit) {
  for (const std::size_t context : {std::size_t{0}, std::size_t{1}, std::size_t{298'240}}) {
    const auto set = load_kjv(Split::kTest, context);
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().message,
              fmt::format("kjv-test: sequences of {} bytes; take 2 to 298239", context));
  }
}

TEST(Kjv, MissingProgramNamesThePackages) {
  const auto text = kjv_text("no-such-bible 'Gen1:1'");
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message,
            "`no-such-bible 'Gen1:1'` failed (exit status 127); install the Debian packages "
            "bible-kjv and bible-kjv-text");
}

TEST(Kjv, MissingTextNamesThePackages) {
  const auto text = kjv_text("bible -d no-such-data 'Gen1:1'");
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("bible-kjv-text"));
}

TEST(Kjv, TruncatedOrReflowedTextIsRefused) {
  for (const std::string& command : {std::string(kKjvCommand) + " | head -c 4298238",
                                     std::string("bible -p /usr/lib -l60 'Gen1:1-Rev22:21'")}) {
    const auto text = kjv_text(command);
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().message,
                AllOf(HasSubstr(command), HasSubstr("not the expected text of 4298239 bytes"),
                      HasSubstr("bible-kjv and bible-kjv-text")));
  }
}

}  // namespace
}  // namespace tally
