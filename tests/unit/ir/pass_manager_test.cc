// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/pass_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/ir/builder.h"
#include "compiler/ir/parser.h"
#include "compiler/ir/printer.h"
#include "tests/unit/ir/op_samples.h"

namespace tally::ir {
namespace {

using ::testing::HasSubstr;

// Replaces every relu by a silu.
class ReluToSilu : public Pass {
 public:
  std::string name() const override { return "relu-to-silu"; }
  Expected<bool> run(Module& module) const override {
    auto found = module.main()->of_kind(OpKind::kRelu);
    for (Op* op : found) {
      Builder builder(module.main(), op);
      module.main()->replace_uses(op->result(),
                                  builder.value(OpKind::kSilu, {op->operand(0)}, {}, "s"));
      module.main()->erase(op);
    }
    return !found.empty();
  }
};

class Breaks : public Pass {
 public:
  std::string name() const override { return "breaks"; }
  Expected<bool> run(Module& module) const override {
    module.main()->of_kind(OpKind::kInput).front()->result()->type.shape = {7};
    return true;
  }
};

class Refuses : public Pass {
 public:
  std::string name() const override { return "refuses"; }
  Expected<bool> run(Module&) const override { return fail("node h.0 cannot be done"); }
};

PassRegistry registry() {
  PassRegistry passes;
  passes.add("relu-to-silu", [](const PassOptions& options) -> Expected<std::unique_ptr<Pass>> {
    for (const auto& [name, value] : options) return fail("no option '{}'", name);
    return std::make_unique<ReluToSilu>();
  });
  passes.add("breaks", [](const PassOptions&) -> Expected<std::unique_ptr<Pass>> {
    return std::make_unique<Breaks>();
  });
  passes.add("refuses", [](const PassOptions&) -> Expected<std::unique_ptr<Pass>> {
    return std::make_unique<Refuses>();
  });
  return passes;
}

Module relu_module() { return std::move(*parse(sample_module(op_samples().at("relu")))); }

PassManager manager(const std::string& pipeline, PassManagerOptions options = {}) {
  PassManager made(std::move(options));
  auto status = made.add_pipeline(registry(), pipeline);
  EXPECT_TRUE(status) << status.error().message;
  return made;
}

TEST(Pipeline, TextRoundTrips) {
  auto calls = parse_pipeline("a,b(x=1,y=k=(2,3)),c-d(z=)");
  ASSERT_TRUE(calls) << calls.error().message;
  ASSERT_EQ(calls->size(), 3u);
  EXPECT_EQ((*calls)[1], (PassCall{"b", {{"x", "1"}, {"y", "k=(2,3)"}}}));
  EXPECT_EQ(pipeline_text(*calls), "a,b(x=1,y=k=(2,3)),c-d(z=)");
  EXPECT_TRUE(parse_pipeline("")->empty());
}

TEST(Pipeline, MessagesNameThePart) {
  EXPECT_EQ(parse_pipeline("a,").error().message, "the pipeline ends in a comma");
  EXPECT_THAT(parse_pipeline("a,,b").error().message, HasSubstr("pass '' in the pipeline"));
  EXPECT_THAT(parse_pipeline("a b").error().message, HasSubstr("pass 'a b' in the pipeline"));
  EXPECT_EQ(parse_pipeline("a(x=1").error().message, "pass 'a(x=1' lacks its ')'");
  EXPECT_EQ(parse_pipeline("a(x)").error().message, "pass 'a': option 'x' is not NAME=VALUE");
  EXPECT_EQ(parse_pipeline("a(x=1,x=2)").error().message, "pass 'a': option 'x' is given twice");
}

TEST(PassManager, UnknownPassAndOption) {
  PassManager made;
  EXPECT_EQ(made.add_pipeline(registry(), "relu").error().message,
            "unknown pass 'relu' (known: breaks, refuses, relu-to-silu)");
  EXPECT_EQ(made.add_pipeline(registry(), "relu-to-silu(x=1)").error().message,
            "pass 'relu-to-silu': no option 'x'");
}

TEST(PassManager, RunsTimesAndReportsChanges) {
  Module module = relu_module();
  PassManager passes = manager("relu-to-silu,relu-to-silu");
  EXPECT_EQ(passes.run(module), true);
  EXPECT_EQ(module.main()->of_kind(OpKind::kSilu).size(), 1u);
  ASSERT_EQ(passes.records().size(), 2u);
  EXPECT_TRUE(passes.records()[0].changed);
  EXPECT_FALSE(passes.records()[1].changed);
  EXPECT_GE(passes.records()[0].seconds, 0);
  EXPECT_EQ(passes.run(module), false);
}

TEST(PassManager, SkipAndBisect) {
  Module module = relu_module();
  PassManager skips = manager("relu-to-silu,refuses", {.skip = {"refuses", "relu-to-silu"}});
  EXPECT_EQ(skips.run(module), false);
  EXPECT_TRUE(skips.records()[0].skipped);
  PassManager bisects = manager("relu-to-silu,refuses", {.bisect_limit = 1});
  EXPECT_EQ(bisects.run(module), true);
  EXPECT_TRUE(bisects.records()[1].skipped);
  PassManager wrong = manager("refuses", {.skip = {"refuse"}});
  EXPECT_EQ(wrong.run(module).error().message,
            "cannot skip 'refuse': no such pass in the pipeline");
}

TEST(PassManager, VerifiesBeforeAndAfter) {
  Module module = relu_module();
  auto result = manager("breaks").run(module);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("after pass breaks: function @main: relu %y"));
  auto again = manager("relu-to-silu").run(module);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("function @main: relu %y"));
}

TEST(PassManager, PassErrorsNameThePass) {
  Module module = relu_module();
  EXPECT_EQ(manager("refuses").run(module).error().message,
            "pass refuses: node h.0 cannot be done");
}

TEST(PassManager, DumpsNumberedIr) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "dumped-ir" / "deep";
  std::filesystem::remove_all(folder);
  Module module = relu_module();
  std::string before = print(module);
  ASSERT_TRUE(manager("relu-to-silu", {.dump_folder = folder.string()}).run(module));
  auto text = [&](const char* name) {
    std::ifstream file(folder / name);
    return (std::ostringstream() << file.rdbuf()).str();
  };
  EXPECT_EQ(text("00-input.ir"), before);
  EXPECT_EQ(text("01-relu-to-silu.ir"), print(module));
  auto blocked = manager("relu-to-silu", {.dump_folder = (folder / "00-input.ir").string()});
  EXPECT_THAT(blocked.run(module).error().message, HasSubstr("cannot be written"));
}

}  // namespace
}  // namespace tally::ir
