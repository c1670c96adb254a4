// SPDX-License-Identifier: Apache-2.0
// Compiled programs give the bits of the interpreter, and the independent checker accepts them.
#include "compiler/codegen/compile.h"

#include <gtest/gtest.h>

#include <random>

#include "compiler/ir/builder.h"
#include "compiler/program/check.h"
#include "models/functional/functional.h"
#include "models/run/inference.h"

namespace tally {
namespace {

using ir::OpKind;
using ir::Tensor;
using ir::Value;

class Net {
 public:
  explicit Net(unsigned seed) : module("net"), random_(seed) {
    b_ = std::make_unique<ir::Builder>(module.add_function("main"));
  }

  Value* input(std::int64_t rows, std::int64_t columns) {
    inputs["x"] = floats({rows, columns});
    return b_->input("x", {ir::Format::kF32, {rows, columns}});
  }
  Value* vector(std::int64_t n) { return b_->constant(floats({n})); }
  Value* matrix(std::int64_t rows, std::int64_t columns) {
    return b_->constant(floats({rows, columns}));
  }
  Value* weight(std::int64_t out, std::int64_t in) {
    std::vector<std::int8_t> values(std::size_t(out * in));
    for (auto& value : values) value = std::int8_t(int(random_() % 256) - 128);
    return b_->constant(Tensor::of({out, in}, std::move(values)));
  }
  Value* layernorm(Value* x) {
    const std::int64_t n = x->type.shape[1];
    return b_->value(OpKind::kLayernorm, {x, vector(n), vector(n)}, {{"eps", 1e-5f}});
  }
  Value* rmsnorm(Value* x) {
    return b_->value(OpKind::kRmsnorm, {x, vector(x->type.shape[1])}, {{"eps", 1e-5f}});
  }
  Value* linear(Value* x, std::int64_t out) {
    ir::Op* q = b_->op(OpKind::kQuantizeRows, {x});
    Value* acc = b_->value(OpKind::kMatmulI8, {q->result(0), weight(out, x->type.shape[1])});
    return b_->value(OpKind::kDequantize, {acc, q->result(1), vector(out), vector(out), nullptr});
  }
  Value* static_linear(Value* x, std::int64_t out) {
    Value* q = b_->value(
        OpKind::kQuantizeStatic, {x},
        {{"scale", 0.02f}, {"zero_point", std::int64_t(117)}, {"format", ir::Format::kU8}});
    Value* acc = b_->value(OpKind::kMatmulI8, {q, weight(out, x->type.shape[1])});
    std::vector<std::int32_t> offsets(std::size_t(out), -12345);
    return b_->value(OpKind::kDequantize, {acc, nullptr, vector(out), vector(out),
                                           b_->constant(Tensor::of({out}, std::move(offsets)))});
  }
  Value* attention(Value* q, Value* k, Value* v, std::int64_t heads, std::int64_t kv_heads,
                   bool causal, std::int64_t block) {
    ir::Op* qq = b_->op(OpKind::kQuantizeRows, {q}, {{"groups", heads}});
    ir::Op* qk = b_->op(OpKind::kQuantizeRows, {k}, {{"groups", kv_heads}});
    ir::Op* qv = b_->op(OpKind::kQuantizeRows, {v}, {{"groups", kv_heads}});
    ir::Attributes attributes{
        {"heads", heads}, {"kv_heads", kv_heads}, {"causal", causal}, {"scale", 0.3f}};
    if (block > 0) attributes["block"] = block;
    return b_->value(OpKind::kAttentionI8,
                     {qq->result(0), qq->result(1), qk->result(0), qk->result(1), qv->result(0),
                      qv->result(1), nullptr},
                     attributes);
  }
  Value* op(OpKind kind, std::vector<Value*> operands) { return b_->value(kind, operands); }
  Value* rope(Value* x, std::int64_t heads) {
    const std::int64_t half = x->type.shape[1] / heads / 2, rows = x->type.shape[0];
    return b_->value(OpKind::kRope, {x, matrix(rows, half), matrix(rows, half)},
                     {{"heads", heads}});
  }
  void output(Value* value) { b_->output(value, "y"); }
  ir::Builder& builder() { return *b_; }

  ir::Module module;
  ops::Tensors inputs;

 private:
  Tensor floats(ir::Shape shape) {
    std::vector<float> values(std::size_t(ir::element_count(shape)));
    std::normal_distribution<float> normal;
    for (float& value : values) value = normal(random_);
    return Tensor::of(std::move(shape), std::move(values));
  }

  std::mt19937 random_;
  std::unique_ptr<ir::Builder> b_;
};

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

class CompileOn : public testing::TestWithParam<const char*> {};

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

INSTANTIATE_TEST_SUITE_P(Designs, CompileOn, testing::Values("base", "small"));

}  // namespace
}  // namespace tally
