// SPDX-License-Identifier: Apache-2.0
#include "models/io/config.h"

#include <gtest/gtest.h>

#include "models/io/json.h"
#include "tests/unit/io/test_files.h"

namespace tally::io {
namespace {

using namespace testing_files;

Config config() {
  auto parsed = Config::parse(
      R"({"n":12,"zero":0,"minus":-3,"big":99999999999999999999,"huge":18446744073709551615,
          "text":"12","half":0.5,"yes":true,"none":null,"list":[1,2.5],"mixed":[1,"2"],
          "inner":{"k":"v"}})",
      "c.json");
  EXPECT_TRUE(parsed) << parsed.error().message;
  return *parsed;
}

TEST(Config, ReadsValuesAndDefaults) {
  Config c = config();
  EXPECT_EQ(c.size("n", 100), 12);
  EXPECT_EQ(c.size_or("m", 100, 7), 7);
  EXPECT_EQ(c.size_or("none", 100, 7), 7);
  EXPECT_EQ(c.number_or("half", 1), 0.5);
  EXPECT_EQ(c.number_or("m", 1), 1);
  EXPECT_EQ(c.number("n"), 12);
  EXPECT_EQ(c.boolean_or("yes", false), true);
  EXPECT_EQ(c.boolean_or("m", false), false);
  EXPECT_EQ(c.string("text"), "12");
  EXPECT_EQ(c.string_or("m", "x"), "x");
  EXPECT_EQ(c.numbers("list"), (std::vector<double>{1, 2.5}));
  EXPECT_FALSE(c.has("none"));
  EXPECT_EQ((*c.object("inner"))->string("k"), "v");
  EXPECT_EQ(*c.object("m"), std::nullopt);
}

TEST(Config, MessagesNameFileAndKey) {
  Config c = config();
  auto size = [&](const char* key) { return c.size(key, 100).error().message; };
  EXPECT_EQ(size("m"), "c.json: key 'm': missing");
  EXPECT_EQ(size("none"), "c.json: key 'none': missing");
  EXPECT_EQ(size("text"), "c.json: key 'text': \"12\" is not an integer");
  EXPECT_EQ(size("half"), "c.json: key 'half': 0.5 is not an integer");
  EXPECT_EQ(size("big"), "c.json: key 'big': 1e+20 is not an integer");
  EXPECT_EQ(size("zero"), "c.json: key 'zero': 0 is not in 1..100");
  EXPECT_EQ(size("minus"), "c.json: key 'minus': -3 is not in 1..100");
  EXPECT_EQ(size("huge"), "c.json: key 'huge': 18446744073709551615 is not in 1..100");
  EXPECT_EQ(c.size_or("text", 9, 1).error().message,
            "c.json: key 'text': \"12\" is not an integer");
  EXPECT_EQ(c.number("text").error().message, "c.json: key 'text': \"12\" is not a number");
  EXPECT_EQ(c.number("m").error().message, "c.json: key 'm': missing");
  EXPECT_EQ(c.number_or("yes", 1).error().message, "c.json: key 'yes': true is not a number");
  EXPECT_EQ(c.boolean_or("n", true).error().message, "c.json: key 'n': 12 is not true or false");
  EXPECT_EQ(c.string("n").error().message, "c.json: key 'n': 12 is not a string");
  EXPECT_EQ(c.string("m").error().message, "c.json: key 'm': missing");
  EXPECT_EQ(c.string_or("n", "").error().message, "c.json: key 'n': 12 is not a string");
  EXPECT_EQ(c.numbers("mixed").error().message,
            "c.json: key 'mixed': [1,\"2\"] is not a list of numbers");
  EXPECT_EQ(c.numbers("m").error().message, "c.json: key 'm': missing");
  EXPECT_EQ(c.object("n").error().message, "c.json: key 'n': 12 is not an object");
  EXPECT_EQ((*c.object("inner"))->size("k", 1).error().message,
            "c.json: key 'inner.k': \"v\" is not an integer");
}

TEST(Config, RefusesWhatIsNoObject) {
  TempFolder folder;
  auto message = [&](const std::string& text) {
    return Config::read(folder.write("config.json", text)).error().message;
  };
  std::string path = folder.file("config.json");
  EXPECT_EQ(message(""), path + ": empty file");
  EXPECT_EQ(message("{\"a\":1"), path + ": not JSON (byte 7)");
  EXPECT_EQ(message("[1]"), path + ": not a JSON object");
  EXPECT_EQ(message("{\"a\":1,\"a\":2}"), path + ": key 'a' twice");
  EXPECT_EQ(message(std::string(70, '[') + std::string(70, ']')),
            path + ": JSON nested more than 64 deep");
  EXPECT_EQ(Config::read(folder.file("none.json")).error().message,
            folder.file("none.json") + ": No such file or directory");
  EXPECT_EQ(Config::parse("3", "text").error().message, "text: not a JSON object");
  std::filesystem::resize_file(path, (std::uintmax_t{64} << 20) + 1);
  EXPECT_EQ(Config::read(path).error().message, path + ": more than 64 MiB of JSON");
}

}  // namespace
}  // namespace tally::io
