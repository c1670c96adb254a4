// SPDX-License-Identifier: Apache-2.0
// Compiled programs give the bits of the interpreter, and the independent checker accepts them.
#include "compiler/codegen/compile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "compiler/program/check.h"
#include "models/functional/functional.h"
#include "models/run/inference.h"
#include "tests/support/net.h"

namespace tally {
namespace {

using ir::OpKind;
using ir::Value;
using test::Net;

std::vector<std::string> shipped_designs() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(TALLY_SOURCE_DIR) + "/designs"))
    names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

Design design(const std::string& name) {
  return *load_design(std::string(TALLY_SOURCE_DIR) + "/designs/" + name + ".toml");
}

void expect_exact(const Net& net, const Design& design) {
  const auto program = codegen::compile(net.module, design, {"net", "int8"});
  ASSERT_TRUE(program) << program.error().message;
  const auto findings = check_schedule(program->code, program->design_hash, design);
  for (const Finding& finding : findings) ADD_FAILURE() << finding.message;
  ASSERT_TRUE(findings.empty());
  const auto interpreter = ops::Interpreter::create(net.module, ops::Semantics::kExact);
  ASSERT_TRUE(interpreter) << interpreter.error().message;
  const auto expected = interpreter->run(net.inputs);
  ASSERT_TRUE(expected) << expected.error().message;
  auto inference = Inference::create(*program, design);
  ASSERT_TRUE(inference) << inference.error().message;
  const auto machine = make_functional_machine(design);
  const auto result = inference->run(net.inputs, {}, machine.get());
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(result->run.outcome, Outcome::kFinished);
  const auto got = result->outputs.at("y").as<float>(), want = expected->at("y").as<float>();
  ASSERT_EQ(got.size(), want.size());
  int different = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    if (std::bit_cast<std::uint32_t>(got[i]) != std::bit_cast<std::uint32_t>(want[i]) &&
        ++different <= 3)
      ADD_FAILURE() << "element " << i << ": " << got[i] << ", interpreter " << want[i];
  EXPECT_EQ(different, 0);
}

class CompileOn : public testing::TestWithParam<std::string> {};

TEST_P(CompileOn, LinearLayersOfOddShapes) {
  unsigned seed = 0;
  for (const std::int64_t m : {1, 7, 33, 65})
    for (const auto& [k, n] :
         std::vector<std::pair<int, int>>{{1, 1}, {7, 33}, {33, 7}, {65, 65}, {40, 130}}) {
      Net net(++seed);
      net.output(net.linear(net.input(m, k), n));
      expect_exact(net, design(GetParam()));
    }
}

TEST_P(CompileOn, NormsActivationsAndResiduals) {
  Net net(1);
  Value* x = net.input(50, 64);
  Value* h = net.linear(net.layernorm(x), 200);
  h = net.op(OpKind::kGeluErf, {h});
  x = net.op(OpKind::kAdd, {net.linear(h, 64), x});
  h = net.rmsnorm(x);
  h = net.op(OpKind::kMul, {net.op(OpKind::kSilu, {net.linear(h, 90)}), net.linear(h, 90)});
  x = net.op(OpKind::kAdd, {x, net.linear(h, 64)});
  x = net.op(OpKind::kTanh, {net.op(OpKind::kGeluTanh, {x})});
  x = net.op(OpKind::kMul, {x, net.op(OpKind::kSigmoid, {x})});
  net.output(net.op(OpKind::kSoftmax, {net.op(OpKind::kRelu, {x})}));
  expect_exact(net, design(GetParam()));
}

TEST_P(CompileOn, StaticQuantisation) {
  Net net(2);
  net.output(
      net.static_linear(net.op(OpKind::kRelu, {net.static_linear(net.input(20, 48), 70)}), 10));
  expect_exact(net, design(GetParam()));
}

struct Attention {
  std::int64_t rows, heads, kv_heads, width, block;
  bool causal;
};

TEST_P(CompileOn, Attention) {
  for (const Attention& a : {Attention{50, 4, 4, 16, 0, false},
                             {33, 4, 2, 8, 0, true},
                             {65, 2, 1, 7, 16, true},
                             {17, 3, 3, 24, 5, false},
                             {1, 2, 2, 8, 0, true}}) {
    Net net(3);
    Value* x = net.input(a.rows, 64);
    Value* q = net.linear(x, a.heads * a.width);
    Value* k = net.linear(x, a.kv_heads * a.width);
    Value* v = net.linear(x, a.kv_heads * a.width);
    if (a.width % 2 == 0) q = net.rope(q, a.heads), k = net.rope(k, a.kv_heads);
    Value* o = net.attention(q, k, v, a.heads, a.kv_heads, a.causal, a.block);
    net.output(net.op(OpKind::kAdd, {net.linear(o, 64), x}));
    expect_exact(net, design(GetParam()));
  }
}

std::string refusal(const Net& net, const Design& on) {
  const auto program = codegen::compile(net.module, on, {"net", "int8"});
  return program ? "accepted" : program.error().message;
}

// However many blocks of rows a product takes, its weights lie in DRAM once.
TEST(Product, WeightsAreStoredOnce) {
  const Design design = *find_design("base", TALLY_SOURCE_DIR "/designs");
  for (const std::int64_t rows : {16, 1000, 5000}) {
    Net net(4);
    net.output(net.linear(net.input(rows, 512), 512));
    const auto program = codegen::compile(net.module, design, {"net", "int8"});
    ASSERT_TRUE(program) << program.error().message;
    std::uint64_t constants = 0;
    for (const Segment& segment : program->segments) constants += segment.bytes.size();
    EXPECT_GE(constants, 512u * 512);
    EXPECT_LT(constants, 512u * 512 * 11 / 10);
  }
}

TEST(Refused, AnAttentionWhoseKeysDoNotFitIsNamed) {
  Net net(4);
  net.builder().set_node("h.3.attn");
  Value* x = net.input(9000, 32);
  net.output(net.attention(x, x, x, 1, 1, false, 0));
  const std::string message = refusal(net, design("base"));
  EXPECT_NE(message.find("h.3.attn"), std::string::npos) << message;
  EXPECT_NE(message.find("does not fit into design 'base': no room for 288000 bytes in weights "
                         "(262144 bytes in 8 banks)"),
            std::string::npos)
      << message;
}

TEST(Refused, WhatTheMachineHasNoOperationForIsNamed) {
  {
    Net net(5);
    Value* x = net.input(4, 6);
    net.output(net.builder().value(OpKind::kReshape, {net.op(OpKind::kRelu, {x})},
                                   {{"shape", std::vector<std::int64_t>{6, 4}}}));
    EXPECT_NE(refusal(net, design("base"))
                  .find("a reshape that moves elements between rows cannot be lowered"),
              std::string::npos);
  }
  {
    Net net(6);
    net.output(net.op(OpKind::kTranspose, {net.input(4, 6)}));
    EXPECT_NE(refusal(net, design("base")).find("this operation cannot be lowered to the machine"),
              std::string::npos);
  }
  {
    Net net(7);
    ir::Op* q = net.builder().op(OpKind::kQuantizeRows, {net.input(4, 6)});
    net.output(net.builder().value(OpKind::kMatmulI8, {q->result(0), net.weight(3, 6)}));
    EXPECT_NE(
        refusal(net, design("base")).find("products must be used by one dequantize or requantize"),
        std::string::npos);
  }
  {
    Net net(8);
    net.output(net.static_linear(net.input(1, 40000), 2));
    EXPECT_NE(refusal(net, design("base"))
                  .find("40000 products plus an offset may overflow int32 (at most 32896)"),
              std::string::npos)
        << refusal(net, design("base"));
  }
  {
    Net net(9);
    net.input(3, 3);
    EXPECT_EQ(refusal(net, design("base")), "net: the model has nothing to compute");
  }
}

INSTANTIATE_TEST_SUITE_P(Designs, CompileOn, testing::ValuesIn(shipped_designs()));

}  // namespace
}  // namespace tally
