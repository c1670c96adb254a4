// SPDX-License-Identifier: Apache-2.0
// The text form: print-parse-print is the identity for every op of the table.
#include <gtest/gtest.h>

#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "tests/unit/ir/op_samples.h"

namespace tally::ir {
namespace {

TEST(RoundTrip, EveryOpHasASample) {
  for (const OpInfo& info : all_ops())
    EXPECT_TRUE(op_samples().contains(std::string(info.name))) << info.name;
  EXPECT_EQ(op_samples().size(), all_ops().size());
}

TEST(RoundTrip, PrintOfParseIsTheText) {
  for (const auto& [name, body] : op_samples()) {
    std::string text = sample_module(body);
    auto module = parse(text);
    ASSERT_TRUE(module) << name << ": " << module.error().message;
    EXPECT_EQ(print(*module), text) << name;
    bool uses_op = false;
    for (const auto& op : module->main()->ops()) uses_op |= op->info().name == name;
    EXPECT_TRUE(uses_op) << name;
  }
}

TEST(RoundTrip, SamplesUseEveryOperandAndAttributeOfTheTable) {
  for (const OpInfo& info : all_ops()) {
    auto module = parse(sample_module(op_samples().at(std::string(info.name))));
    ASSERT_TRUE(module);
    for (std::size_t i = 0; i < info.operands.size(); ++i) {
      bool used = false;
      for (const Op* op : module->main()->of_kind(info.kind)) used |= op->operand(i) != nullptr;
      EXPECT_TRUE(used) << info.name << " " << info.operands[i].name;
    }
    for (const AttributeInfo& attribute : info.attributes) {
      bool used = false;
      for (const Op* op : module->main()->of_kind(info.kind)) used |= op->has(attribute.name);
      EXPECT_TRUE(used) << info.name << " " << attribute.name;
    }
  }
}

TEST(RoundTrip, CloneIsTheSameText) {
  for (const auto& [name, body] : op_samples()) {
    auto module = parse(sample_module(body));
    ASSERT_TRUE(module);
    EXPECT_EQ(print(module->clone()), print(*module)) << name;
  }
}

TEST(RoundTrip, CommentsAndSpacingDoNotMatter) {
  auto module = parse(
      "module \"m\"{func @main{// a comment\n%x=input(){name=\"x\"}:f32[2]\n"
      "%y=relu(%x):f32[2]}}");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(print(*module),
            "module \"m\" {\n  func @main {\n    %x = input() {name = \"x\"} : f32[2]\n"
            "    %y = relu(%x) : f32[2]\n  }\n}\n");
}

}  // namespace
}  // namespace tally::ir
