// SPDX-License-Identifier: Apache-2.0
// infer-shapes, canonicalise, eliminate-common, eliminate-dead: structure before and after.
#include "compiler/passes/infer_shapes.h"
#include "tests/unit/passes/helpers.h"

namespace tally::passes {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kX = "%x = input() {name = \"x\"} : f32[4,6]\n";

TEST(InferShapes, GivesNewShapesToAllThatFollows) {
  const std::string text = transformed(kX + "%s = softmax(%x) : f32[4,6]\n"
                                            "%y = concat_rows(%s, %x) : f32[8,6]@activations\n"
                                            "output(%y) {name = \"y\"}\n",
                                       "infer-shapes(x=7x6)");
  EXPECT_EQ(text,
            "%x = input() {name = \"x\"} : f32[7,6]\n"
            "%s = softmax(%x) : f32[7,6]\n"
            "%y = concat_rows(%s, %x) : f32[14,6]@activations\n"
            "output(%y) {name = \"y\"}\n");
}

TEST(InferShapes, ChangesNothingWithoutOptions) {
  ir::Module module = parse_body(kX + "output(%x) {name = \"y\"}\n");
  const auto changed = run_pipeline(module, "infer-shapes");
  ASSERT_TRUE(changed);
  EXPECT_FALSE(*changed);
}

TEST(InferShapes, NamesTheOpThatHasNoTypeAnyMore) {
  EXPECT_EQ(pipeline_error(kX + "%y = reshape(%x) {shape = [24]} : f32[24] at \"flat\"\n",
                           "infer-shapes(x=5x6)"),
            "pass infer-shapes: reshape %y (node flat): shape [24] has not the elements of "
            "f32[5,6]");
}

TEST(InferShapes, RefusesAnUnknownInputAndABadShape) {
  EXPECT_EQ(pipeline_error(kX, "infer-shapes(z=5)"),
            "pass infer-shapes: the module has no input 'z'");
  for (const char* shape : {"5x", "x5", "5,6", "a", "5x6y", "99999999999999999999"})
    EXPECT_EQ(parse_shape(shape).error().message,
              fmt::format("'{}' is not a shape such as 1x28x28", shape));
  EXPECT_THAT(pipeline_error(kX, "infer-shapes(x=0x6)"), HasSubstr("pass infer-shapes: "));
  EXPECT_EQ(*parse_shape("1x28x28"), (ir::Shape{1, 28, 28}));
}

TEST(Canonicalise, RemovesMovementsThatRepeatTheirOperand) {
  EXPECT_EQ(transformed(kX + "%c = copy(%x) : f32[4,6]\n"
                             "%r = reshape(%c) {shape = [4, 6]} : f32[4,6]\n"
                             "%s = slice_rows(%r) {begin = 0, end = 4} : f32[4,6]\n"
                             "%t = slice_columns(%s) {begin = 0, end = 6} : f32[4,6]\n"
                             "%u = transpose(%t) : f32[6,4]\n"
                             "%v = transpose(%u) : f32[4,6]\n"
                             "output(%v) {name = \"y\"}\n",
                        "canonicalise,eliminate-dead"),
            kX + "output(%x) {name = \"y\"}\n");
}

TEST(Canonicalise, KeepsMovementsThatDoSomething) {
  const std::string body = kX +
                           "%c = copy(%x) : f32[4,6]@dram\n"
                           "%t = transpose(%x) : f32[6,4]\n"
                           "%s = slice_rows(%x) {begin = 1, end = 4} : f32[3,6]\n"
                           "output(%c) {name = \"c\"}\n"
                           "output(%t) {name = \"t\"}\n"
                           "output(%s) {name = \"s\"}\n";
  EXPECT_EQ(transformed(body, "canonicalise"), body);
}

TEST(Canonicalise, ASquareTransposedTwiceIsNotTransposedOnce) {
  const std::string body =
      "%x = input() {name = \"x\"} : f32[4,4]\n"
      "%t = transpose(%x) : f32[4,4]\n"
      "output(%t) {name = \"t\"}\n";
  EXPECT_EQ(transformed(body, "canonicalise"), body);
}

TEST(Canonicalise, MergesChainsOfReshapesAndSlices) {
  EXPECT_EQ(transformed(kX + "%a = slice_rows(%x) {begin = 1, end = 4} : f32[3,6]\n"
                             "%b = slice_rows(%a) {begin = 1, end = 3} : f32[2,6]\n"
                             "%c = reshape(%b) {shape = [12]} : f32[12]\n"
                             "%d = reshape(%c) {shape = [3, 4]} : f32[3,4]\n"
                             "output(%d) {name = \"y\"}\n",
                        "canonicalise,eliminate-dead"),
            kX + "%b = slice_rows(%x) {begin = 2, end = 4} : f32[2,6]\n"
                 "%d = reshape(%b) {shape = [3, 4]} : f32[3,4]\n"
                 "output(%d) {name = \"y\"}\n");
}

TEST(Canonicalise, PutsAConstantOfASumOnTheRight) {
  const std::string body =
      "%x = input() {name = \"x\"} : f32[2]\n"
      "%c = constant() {value = [1.0, 2.0]} : f32[2]\n"
      "%y = add(%c, %x) : f32[2]\n"
      "%z = mul(%c, %c) : f32[2]\n"
      "output(%y) {name = \"y\"}\n"
      "output(%z) {name = \"z\"}\n";
  EXPECT_THAT(transformed(body, "canonicalise"), HasSubstr("%y = add(%x, %c) : f32[2]\n"));
}

TEST(EliminateCommon, SharesEqualComputations) {
  EXPECT_EQ(transformed(kX + "%a, %s = quantize_rows(%x) : i8[4,6], f32[4] at \"q\"\n"
                             "%b, %t = quantize_rows(%x) : i8[4,6], f32[4] at \"k\"\n"
                             "%c, %u = quantize_rows(%x) {groups = 1} : i8[4,6], f32[4,1]\n"
                             "output(%a) {name = \"a\"}\n"
                             "output(%b) {name = \"b\"}\n"
                             "output(%c) {name = \"c\"}\n",
                        "eliminate-common"),
            kX + "%a, %s = quantize_rows(%x) : i8[4,6], f32[4] at \"q\"\n"
                 "%c, %u = quantize_rows(%x) {groups = 1} : i8[4,6], f32[4,1]\n"
                 "output(%a) {name = \"a\"}\n"
                 "output(%a) {name = \"b\"}\n"
                 "output(%c) {name = \"c\"}\n");
}

TEST(EliminateCommon, FollowsChainsAndTellsConstantsApart) {
  const std::string text = transformed(
      "%a = constant() {value = [0.0]} : f32[1]\n"
      "%b = constant() {value = [-0.0]} : f32[1]\n"
      "%c = constant() {value = [0.0]} : f32[1]\n"
      "%p = silu(%a) : f32[1]\n"
      "%q = silu(%c) : f32[1]\n"
      "%r = silu(%b) : f32[1]\n"
      "output(%p) {name = \"p\"}\n"
      "output(%q) {name = \"q\"}\n"
      "output(%r) {name = \"r\"}\n",
      "eliminate-common");
  EXPECT_THAT(text, HasSubstr("output(%p) {name = \"q\"}"));
  EXPECT_THAT(text, HasSubstr("output(%r) {name = \"r\"}"));
}

TEST(EliminateCommon, KeepsInputsAndOutputs) {
  const std::string body =
      "%a = input() {name = \"a\"} : f32[1]\n"
      "output(%a) {name = \"y\"}\n"
      "output(%a) {name = \"z\"}\n";
  EXPECT_EQ(transformed(body, "eliminate-common"), body);
}

TEST(EliminateDead, RemovesWhatNothingUsesButNotInputs) {
  EXPECT_EQ(transformed(kX + "%w = input() {name = \"w\"} : f32[1]\n"
                             "%a = softmax(%x) : f32[4,6]\n"
                             "%b = silu(%a) : f32[4,6]\n"
                             "%q, %s = quantize_rows(%x) : i8[4,6], f32[4]\n"
                             "output(%s) {name = \"y\"}\n",
                        "eliminate-dead"),
            kX + "%w = input() {name = \"w\"} : f32[1]\n"
                 "%q, %s = quantize_rows(%x) : i8[4,6], f32[4]\n"
                 "output(%s) {name = \"y\"}\n");
}

TEST(Registry, NamesUnknownPassesAndOptions) {
  EXPECT_THAT(pipeline_error(kX, "canonicalize"),
              HasSubstr("unknown pass 'canonicalize' (known: "));
  EXPECT_EQ(pipeline_error(kX, "canonicalise(x=1)"),
            "pass 'canonicalise': unknown option 'x' (it takes none)");
  EXPECT_EQ(pipeline_error(kX, "quantise-attention(blocks=1)"),
            "pass 'quantise-attention': unknown option 'blocks' (known: block, scales)");
  EXPECT_EQ(pipeline_error(kX, "quantise-attention(block=x)"),
            "pass 'quantise-attention': option 'block' is 'x', allowed: an integer, 0 to 65536");
  EXPECT_EQ(pipeline_error(kX, "quantise-linear(granularity=row)"),
            "pass 'quantise-linear': option 'granularity' is 'row', allowed: channel, tensor");
  EXPECT_EQ(pipeline_error(kX, "quantise-linear(format=uint8)"),
            "pass 'quantise-linear': option 'format' is 'uint8', allowed with scales=token: int8");
}

TEST(Registry, ThePipelineOfARecipeIsItsText) {
  Recipe recipe;
  EXPECT_EQ(default_pipeline(recipe),
            "infer-shapes,canonicalise,fold-constants,canonicalise,"
            "quantise-linear(format=int8,granularity=channel,scales=token),"
            "quantise-attention(block=0,scales=token),eliminate-common,eliminate-dead");
  recipe.activation_scales = recipe.attention_scales = ScaleSource::kTensor;
  recipe.activation_format = ActivationFormat::kUint8;
  recipe.weight_granularity = WeightGranularity::kTensor;
  recipe.attention_block = 64;
  EXPECT_EQ(default_pipeline(recipe),
            "infer-shapes,canonicalise,fold-constants,canonicalise,"
            "quantise-linear(format=uint8,granularity=tensor,scales=tensor),"
            "quantise-attention(block=64,scales=tensor),eliminate-common,eliminate-dead");
}

}  // namespace
}  // namespace tally::passes
