// SPDX-License-Identifier: Apache-2.0
// Type rules and structure: every message of the verifier and of type inference.
#include "compiler/ir/verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/ir/builder.h"
#include "compiler/ir/parser.h"
#include "tests/unit/ir/op_samples.h"

namespace tally::ir {
namespace {

using ::testing::HasSubstr;

const char* const kInputs = R"(
%x = input() {name = "x"} : f32[2,6]
%r = input() {name = "r"} : f32[6]
%s = input() {name = "s"} : f32[2]
%i = input() {name = "i"} : i32[2]
%a = input() {name = "a"} : i32[2,6]
%b = input() {name = "b"} : i8[2,6]
%t = input() {name = "t"} : f32[2,3,4]
%u = input() {name = "u"} : u8[1,4,4]
%d = input() {name = "d"} : i8[2,6]@dram
%e = input() {name = "e"} : f32[2,6]@dram
%big = input() {name = "big"} : i8[1,70000]
)";

struct Broken {
  std::string line;
  std::string message;
};

TEST(Verifier, NamesTheRule) {
  const std::vector<Broken> cases = {
      {"input() {name = \"z\"}", "input: no result type"},
      {"%y = input() : f32[2]", "input %y: lacks attribute 'name'"},
      {"%y = input() {name = \"x\"} : f32[2]", "two inputs are named 'x'"},
      {"output(%x) {name = \"o\"}\noutput(%x) {name = \"o\"}", "two outputs are named 'o'"},
      {"%y = constant() : f32[2]", "needs one of the attributes 'tensor' and 'value'"},
      {"%y = reshape(%x) {shape = [5]} : f32[5]", "shape [5] has not the elements of f32[2,6]"},
      {"%y = reshape(%x) {shape = [-2, -6]} : f32[2,6]", "has a dimension below 1"},
      {"%y = transpose(%r) : f32[6]", "x is f32[6], not a matrix"},
      {"%y = concat_rows(%x, %b) : f32[4,6]", "not matrices of one format and width"},
      {"%y = slice_rows(%x) {begin = 1, end = 3} : f32[2,6]", "range 1 to 3 is not within 2"},
      {"%y = slice_columns(%x) {begin = 2, end = 2} : f32[2,6]", "range 2 to 2 is not within 6"},
      {"%y = slice_columns(%r) {begin = 1, end = 2} : f32[1]", "x is f32[6], not a matrix"},
      {"%y = embedding(%x, %x) : f32[2,6]", "ids is f32[2,6], not a vector of i32"},
      {"%y = embedding(%i, %r) : f32[2,6]", "table is f32[6], not a matrix"},
      {"%y = cache_write(%x, %b, %i) : f32[2,6]", "rows i8[2,6] do not fit into cache f32[2,6]"},
      {"%y = cache_write(%x, %x, %i) : f32[2,6]", "position is i32[2], not i32[1]"},
      {"%y = add(%x, %s) : f32[2,6]", "b must have a's shape or be a row of it"},
      {"%y = mul(%b, %b) : f32[2,6]", "b must have a's shape or be a row of it, in f32"},
      {"%y = relu(%b) : f32[2,6]", "x is i8[2,6], not f32"},
      {"%y = softmax(%r) : f32[6]", "x is f32[6], not a matrix of f32"},
      {"%y = layernorm(%x, %r, %s) {eps = 0.1} : f32[2,6]", "beta is f32[2], not f32[6]"},
      {"%y = layernorm(%x, %s, %r) {eps = 0.1} : f32[2,6]", "gamma is f32[2], not f32[6]"},
      {"%y = rmsnorm(%x, %r) {eps = -1.0} : f32[2,6]", "eps is -1.0"},
      {"%y = rmsnorm(%x) {eps = 1.0} : f32[2,6]", "lacks operand 'gamma'"},
      {"%y = rope(%x, %x, %x) {heads = 0} : f32[2,6]", "heads is 0, not positive"},
      {"%y = rope(%x, %x, %x) {heads = 2} : f32[2,6]", "head width is 3, not a multiple of two"},
      {"%y = rope(%x, %x, %x) {heads = 3} : f32[2,6]", "cos is f32[2,6], not f32[2,1]"},
      {"%y = patchify(%x) {bias = [1], patch = 2, scale = [1]} : f32[4,4]",
       "image is f32[2,6], not u8[channels,height,width]"},
      {"%y = patchify(%u) {bias = [1], patch = 3, scale = [1]} : f32[4,4]",
       "image height is 4, not a multiple of patch (3)"},
      {"%y = patchify(%u) {bias = [1], patch = 2, scale = [1, 2]} : f32[4,4]",
       "scale and bias need one value for each of 1 channels"},
      {"%y = linear(%x, %t) : f32[2,2]", "weight is f32[2,3,4], not a matrix of f32"},
      {"%y = linear(%x, %x, %r) : f32[2,2]", "bias is f32[6], not f32[2]"},
      {"%l = input() {name = \"l\"} : f32[4000000,1]\n%y = linear(%l, %l) : f32[4000000,4000]",
       "shape [4000000,4000000] has more than 2^40 elements"},
      {"%z = transpose(%x) : f32[6,2]\n%y = linear(%x, %z) : f32[2,6]",
       "x has 6 columns, weight 2"},
      {"%y = attention(%x, %x, %x) {causal = true, heads = 4, kv_heads = 3, scale = 1} : f32[2,6]",
       "heads is 4, not a multiple of kv_heads (3)"},
      {"%y = attention(%x, %x, %x) {causal = true, heads = 4, kv_heads = 4, scale = 1} : f32[2,6]",
       "width of q is 6, not a multiple of heads (4)"},
      {"%y = attention(%x, %x, %x) {causal = true, heads = 6, kv_heads = 3, scale = 1} : f32[2,6]",
       "q [2,6], k [2,6] and v [2,6] do not belong together"},
      {"%y = attention(%x, %x, %x, %r) {causal = true, heads = 2, kv_heads = 2, scale = 1} : "
       "f32[2,6]",
       "mask is f32[6], not f32[2]"},
      {"%y = attention(%x, %x, %x) {block = 0, causal = true, heads = 2, kv_heads = 2, scale = 1} "
       ": f32[2,6]",
       "block is not positive"},
      {"%z = concat_rows(%x, %x) : f32[4,6]\n%y = attention(%z, %x, %x) {causal = true, heads = 2, "
       "kv_heads = 2, scale = 1} : f32[4,6]",
       "causal with 4 queries and 2 keys"},
      {"%y, %z = quantize_rows(%x) {groups = 4} : i8[2,6], f32[2,4]",
       "width of x is 6, not a multiple of groups (4)"},
      {"%y = quantize_rows(%x) : i8[2,6]", "has 1 results, not 2"},
      {"%y = quantize_static(%x) {format = f32, scale = 1, zero_point = 0} : f32[2,6]",
       "format is f32, not i8 or u8"},
      {"%y = quantize_static(%x) {format = u8, scale = 1, zero_point = -1} : u8[2,6]",
       "zero_point -1 is not one of u8"},
      {"%y = quantize_static(%x) {format = i8, scale = 0, zero_point = 0} : i8[2,6]",
       "scale is 0.0"},
      {"%y = quantize_static(%x) {format = i8, scale = 0x7fc00000, zero_point = 0} : i8[2,6]",
       "scale is 0x7fc00000"},
      {"%y = quantize_static(%b) {format = i8, scale = 1, zero_point = 0} : i8[2,6]",
       "x is i8[2,6], not f32"},
      {"%y = matmul_i8(%x, %b) : i32[2,2]", "x is f32[2,6], not a matrix of i8 or u8"},
      {"%z = transpose(%b) : i8[6,2]\n%y = matmul_i8(%z, %b) : i32[6,2]",
       "x has 2 columns, weight 6"},
      {"%y = matmul_i8(%big, %big) : i32[1,1]", "70000 products may overflow int32"},
      {"%y = matmul_i8(%d, %b) : i32[2,2]", "operand %d is in DRAM"},
      {"%y = relu(%x) : f32[2,6]@dram", "result %y is in DRAM"},
      {"%z = copy(%b) : i8[2,6]@accumulators\n%y = matmul_i8(%z, %b) : i32[2,2]",
       "operand %z is in accumulators"},
      {"%y = matmul_i8(%b, %b) : i32[2,2]@weights", "result %y is in weights, not in accumulators"},
      {"%y = dequantize(%a, _, %s) : f32[2,6]", "column_scales is f32[2], not f32[6]"},
      {"%y = dequantize(%a, %r, %r) : f32[2,6]", "row_scales is f32[6], not f32[2]"},
      {"%y = dequantize(%a, _, %r, %s) : f32[2,6]", "bias is f32[2], not f32[6]"},
      {"%y = dequantize(%a, _, %r, _, %i) : f32[2,6]", "offset is i32[2], not i32[6]"},
      {"%y = dequantize(%x, _, %r) : f32[2,6]", "acc is f32[2,6], not a matrix of i32"},
      {"%y = requantize(%a, %r) {format = i32, zero_point = 0} : i32[2,6]",
       "format is i32, not i8 or u8"},
      {"%y = attention_i8(%b, _, %b, _, %b) {causal = true, heads = 2, kv_heads = 2, scale = 1} : "
       "f32[2,6]",
       "needs one of the operand q_scales and the attribute q_scale"},
      {"%y = attention_i8(%b, %x, %b, _, %b) {causal = true, heads = 2, k_scale = 1, kv_heads = 2, "
       "scale = 1, v_scale = 1} : f32[2,6]",
       "q_scales is f32[2,6], not f32[2,2]"},
      {"%y = attention_i8(%b, _, %b, _, %b) {causal = true, heads = 2, k_scale = 0, kv_heads = 2, "
       "q_scale = 1, scale = 1, v_scale = 1} : f32[2,6]",
       "k_scale is not positive"},
      {"%y = add(%x, %x) : f32[2,5] at \"h.0\"",
       "function @main: add %y (node h.0): result %y is f32[2,5], not f32[2,6]"},
  };
  for (const Broken& broken : cases) {
    auto module = parse(sample_module(kInputs + broken.line));
    ASSERT_FALSE(module) << broken.line;
    EXPECT_THAT(module.error().message, HasSubstr(broken.message)) << broken.line;
  }
}

TEST(Verifier, UseBeforeDefinition) {
  Module module("m");
  Function* function = module.add_function("main");
  Builder builder(function);
  Value* x = builder.input("x", {Format::kF32, {2}});
  Op* first = builder.op(OpKind::kRelu, {x}, {}, {"first"});
  Op* second = builder.op(OpKind::kRelu, {x}, {}, {"second"});
  ASSERT_TRUE(verify(module));
  first->set_operand(0, second->result());
  auto status = verify(module);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message,
            "function @main: relu %first: operand %second is not defined before");
}

TEST(Verifier, AttributesOutsideTheTable) {
  Module module("m");
  Builder builder(module.add_function("main"));
  Value* x = builder.input("x", {Format::kF32, {2}});
  Op* op = builder.op(OpKind::kRelu, {x});
  op->attributes["eps"] = 1.0f;
  EXPECT_THAT(verify(module).error().message, HasSubstr("has no attribute 'eps'"));
  op->attributes.clear();
  x->producer()->attributes["name"] = std::int64_t{3};
  EXPECT_THAT(verify(module).error().message,
              HasSubstr("attribute 'name' is of type int, not string"));
}

TEST(Verifier, FunctionNamesAreUnique) {
  Module module("m");
  module.add_function("f");
  module.add_function("f");
  EXPECT_EQ(verify(module).error().message, "two functions are named @f");
}

TEST(Verifier, Levels) {
  auto model = parse(sample_module(op_samples().at("linear")));
  ASSERT_TRUE(model);
  EXPECT_TRUE(verify_level(*model, kModel));
  EXPECT_THAT(verify_level(*model, kQuantised).error().message,
              HasSubstr("linear %y (node h.0.mlp) is not an op of the quantised level"));
  auto lowered = parse(sample_module(op_samples().at("matmul_i8")));
  ASSERT_TRUE(lowered);
  EXPECT_TRUE(verify_level(*lowered, kQuantised));
  EXPECT_FALSE(verify_level(*lowered, kModel));
}

}  // namespace
}  // namespace tally::ir
