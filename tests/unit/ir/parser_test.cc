// SPDX-License-Identifier: Apache-2.0
// Every message of lexer and parser, with its place.
#include "compiler/ir/parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "compiler/ir/printer.h"
#include "tests/unit/ir/op_samples.h"

namespace tally::ir {
namespace {

using ::testing::HasSubstr;

struct Broken {
  std::string text;
  std::string message;
};

std::string in_function(const std::string& line) {
  return sample_module("%x = input() {name = \"x\"} : f32[2,6]\n" + line);
}

TEST(Parser, NamesPlaceAndFault) {
  const std::vector<Broken> cases = {
      {"", "file.ir: line 1, column 1: expected 'module', found the end"},
      {"modul", "line 1, column 1: expected 'module', found 'modul'"},
      {"module m", "line 1, column 8: expected the module's name in quotes, found 'm'"},
      {"module \"m", "line 1, column 8: string without an end"},
      {"module \"m\\q\"", "unknown escape in a string"},
      {"module \"m\" { }\n}", "line 2, column 1: text after the module"},
      {"module \"m\" { func main", "expected a function name, found 'main'"},
      {"module \"m\" { func @", "'@' without a name"},
      {in_function("%y = sofmax(%x) : f32[2,6]"), "line 4, column 16: unknown op 'sofmax'"},
      {in_function("%y = relu(%z) : f32[2,6]"), "%z is not defined before"},
      {in_function("%y = relu(%x, %x) : f32[2,6]"), "too many operands for relu"},
      {in_function("%y = relu(3) : f32[2,6]"), "expected a value or _, found '3'"},
      {in_function("%x = relu(%x) : f32[2,6]"), "%x is defined twice"},
      {in_function("%y = relu(%x)"), "1 results but 0 types"},
      {in_function("%y = relu(%x) : f33[2,6]"), "unknown element format 'f33'"},
      {in_function("%y = relu(%x) : f32[2,0]"), "shape [2,0] has a dimension below 1"},
      {in_function("%y = relu(%x) : f32[2000000,2000000]"), "has more than 2^40 elements"},
      {in_function("%y = relu(%x) : f32[2,6]@cache"), "unknown memory space 'cache'"},
      {in_function("%y = relu(%x) : f32[2,x]"), "expected a number, found 'x'"},
      {in_function("%y = relu(%x) {a = 1} : f32[2,6]"), "relu has no attribute 'a'"},
      {in_function("%y = slice_rows(%x) {begin = 0, begin = 0}"), "'begin' is given twice"},
      {in_function("%y = slice_rows(%x) {begin = 1.5}"), "bad number '1.5'"},
      {in_function("%y = slice_rows(%x) {begin = 99999999999999999999}"), "bad number"},
      {in_function("%y = reshape(%x) {shape = [1.5]}"), "bad number '1.5'"},
      {in_function("%y = quantize_static(%x) {format = f9}"), "unknown element format 'f9'"},
      {in_function("%y = attention(%x, %x, %x) {causal = yes}"), "'yes' is not true or false"},
      {in_function("%c = constant() {value = [1, 2]} : i8[3]"), "2 values for i8[3]"},
      {in_function("%c = constant() {value = [200]} : i8[1]"), "200 does not fit its format"},
      {in_function("%c = constant() {value = [1.0]} : f16[1]"), "no inline constants of f16"},
      {in_function("%c = constant() {value = [1.0x]} : f32[1]"), "bad number '1.0x'"},
      {in_function("constant() {value = [1.0]}"), "an inline tensor without a type"},
      {in_function("%y = relu(%x) : f32[2,6] at here"), "expected a node name in quotes"},
      {in_function("%y = linear(%x, %x) : f32[2,6]"), "result %y is f32[2,6], not f32[2,2]"},
  };
  for (const Broken& broken : cases) {
    auto module = parse(broken.text, "file.ir");
    ASSERT_FALSE(module) << broken.text;
    EXPECT_THAT(module.error().message, HasSubstr(broken.message)) << broken.text;
    EXPECT_THAT(module.error().message, ::testing::StartsWith("file.ir: ")) << broken.text;
  }
}

TEST(Parser, EveryPrefixOfEverySampleIsAnErrorOrAModule) {
  for (const auto& [name, body] : op_samples()) {
    std::string text = sample_module(body);
    text.pop_back();  // the line end
    for (std::size_t length = 0; length < text.size(); ++length)
      EXPECT_FALSE(parse(text.substr(0, length))) << name << " " << length;
  }
}

// What still parses prints to a fixed point; nothing crashes.
TEST(Parser, MutatedTextNeverCrashes) {
  std::mt19937 random(5);
  std::size_t parsed = 0;
  for (const auto& [name, body] : op_samples()) {
    std::string text = sample_module(body);
    for (int i = 0; i < 100; ++i) {
      std::string mutated = text;
      mutated[random() % mutated.size()] = text[random() % text.size()];
      auto module = parse(mutated);
      if (!module) continue;
      ++parsed;
      std::string printed = print(*module);
      auto again = parse(printed);
      ASSERT_TRUE(again) << printed << again.error().message;
      EXPECT_EQ(print(*again), printed);
    }
  }
  EXPECT_GT(parsed, 100u);
}

}  // namespace
}  // namespace tally::ir
