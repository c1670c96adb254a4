// SPDX-License-Identifier: Apache-2.0
// quantise-linear and quantise-attention: structure, the tensors they make, and their errors.
#include <cmath>
#include <limits>

#include "tests/unit/passes/helpers.h"

namespace tally::passes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kLinear =
    "%x = input() {name = \"x\"} : f32[2,3]\n"
    "%w = constant() {tensor = \"w\"} : f32[2,3]\n"
    "%b = constant() {value = [0.5, -0.5]} : f32[2]\n"
    "%y = linear(%x, %w, %b) : f32[2,2] at \"fc\"\n"
    "output(%y) {name = \"y\"}\n";

const std::string kAttention =
    "%q = input() {name = \"q\"} : f32[2,8]\n"
    "%k = input() {name = \"k\"} : f32[5,4]\n"
    "%v = input() {name = \"v\"} : f32[5,4]\n"
    "%m = input() {name = \"m\"} : f32[5]\n"
    "%y = attention(%q, %k, %v, %m) {causal = true, heads = 4, kv_heads = 2, scale = 0.5} : "
    "f32[2,8] at \"attn\"\n"
    "output(%y) {name = \"y\"}\n";

ir::Module with_weight(const std::string& body, std::vector<float> values) {
  ir::Module module = parse_body(body);
  module.store().add("w", ir::Tensor::of<float>({2, 3}, std::move(values)));
  return module;
}

ir::Module linear(std::vector<float> weight = {127, -63.5, 0.5, 0, 0, 0}) {
  return with_weight(kLinear, std::move(weight));
}

void run(ir::Module& module, const std::string& pipeline,
         const Calibration* calibration = nullptr) {
  const auto changed = run_pipeline(module, pipeline, calibration);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_TRUE(*changed);
}

template <class T>
std::vector<T> tensor(const ir::Module& module, const std::string& name) {
  const auto entry = module.store().find(name);
  EXPECT_NE(entry, nullptr) << name;
  if (entry == nullptr) return {};
  const auto value = entry->load();
  EXPECT_TRUE(value) << (value ? "" : value.error().message);
  if (!value) return {};
  EXPECT_EQ(value->type(), entry->type());
  return {value->as<T>().begin(), value->as<T>().end()};
}

TEST(QuantiseLinear, DynamicRowsAndColumnScales) {
  ir::Module module = linear();
  run(module, "quantise-linear,eliminate-dead");
  EXPECT_EQ(body_text(module),
            "%x = input() {name = \"x\"} : f32[2,3]\n"
            "%b = constant() {value = [0.5, -0.5]} : f32[2]\n"
            "%x.q, %x.s = quantize_rows(%x) : i8[2,3], f32[2] at \"fc\"\n"
            "%c = constant() {tensor = \"w.int8\"} : i8[2,3] at \"fc\"\n"
            "%c.0 = constant() {tensor = \"w.int8.scale\"} : f32[2] at \"fc\"\n"
            "%y.acc = matmul_i8(%x.q, %c) : i32[2,2] at \"fc\"\n"
            "%y.f = dequantize(%y.acc, %x.s, %c.0, %b) : f32[2,2] at \"fc\"\n"
            "output(%y.f) {name = \"y\"}\n");
}

TEST(QuantiseLinear, WeightsRoundHalfToEvenAndZerosStayZeros) {
  ir::Module module = linear();
  run(module, "quantise-linear");
  EXPECT_THAT(tensor<std::int8_t>(module, "w.int8"), ElementsAre(127, -64, 0, 0, 0, 0));
  EXPECT_THAT(tensor<float>(module, "w.int8.scale"), ElementsAre(1, 0));
}

TEST(QuantiseLinear, OneScaleForTheTensor) {
  ir::Module module = linear({127, 0, 0, -1, 2, 254});
  run(module, "quantise-linear(granularity=tensor)");
  EXPECT_THAT(tensor<std::int8_t>(module, "w.int8.tensor"), ElementsAre(64, 0, 0, 0, 1, 127));
  EXPECT_THAT(tensor<float>(module, "w.int8.tensor.scale"), ElementsAre(2, 2));
}

TEST(QuantiseLinear, AnInlineWeightIsNamedAfterItsValue) {
  ir::Module module = parse_body(
      "%x = input() {name = \"x\"} : f32[1,2]\n"
      "%w = constant() {value = [127.0, 1.0]} : f32[1,2]\n"
      "%y = linear(%x, %w) : f32[1,1]\n"
      "output(%y) {name = \"y\"}\n");
  run(module, "quantise-linear");
  EXPECT_THAT(tensor<std::int8_t>(module, "%w.int8"), ElementsAre(127, 1));
}

TEST(QuantiseLinear, ProjectionsOfOneInputShareItsQuantisation) {
  ir::Module module = with_weight(
      "%x = input() {name = \"x\"} : f32[2,3]\n"
      "%w = constant() {tensor = \"w\"} : f32[2,3]\n"
      "%q = linear(%x, %w) : f32[2,2] at \"q\"\n"
      "%k = linear(%x, %w) : f32[2,2] at \"k\"\n"
      "output(%q) {name = \"q\"}\n"
      "output(%k) {name = \"k\"}\n",
      {1, 2, 3, 4, 5, 6});
  run(module, "quantise-linear,eliminate-common,eliminate-dead");
  EXPECT_EQ(module.main()->of_kind(ir::OpKind::kQuantizeRows).size(), 1U);
}

Calibration calibrated() {
  Calibration calibration;
  calibration.ranges = {
      {"fc:x", {-1.0F, 4.1F}}, {"attn:q", {-127, 3}}, {"attn:k", {0, 254}}, {"attn:v", {0, 0}}};
  return calibration;
}

TEST(QuantiseLinear, StaticZeroPointIsFoldedIntoTheOffset) {
  ir::Module module = linear();
  const Calibration calibration = calibrated();
  run(module, "quantise-linear(scales=tensor,format=uint8),eliminate-dead", &calibration);
  const ir::Op& quantize = *module.main()->of_kind(ir::OpKind::kQuantizeStatic).at(0);
  EXPECT_EQ(quantize.get<float>("scale"), 5.1F / 255);
  EXPECT_EQ(quantize.get<std::int64_t>("zero_point"), 50);
  EXPECT_EQ(quantize.get<ir::Format>("format"), ir::Format::kU8);
  const ir::Op& dequantize = *module.main()->of_kind(ir::OpKind::kDequantize).at(0);
  EXPECT_EQ(dequantize.operand("row_scales"), nullptr);
  const auto name_of = [&](const char* operand) {
    return dequantize.operand(operand)->producer()->get<std::string>("tensor");
  };
  EXPECT_EQ(name_of("offset"), "w.int8.offset(50)");
  EXPECT_THAT(tensor<std::int32_t>(module, name_of("offset")), ElementsAre(-50 * (127 - 64), 0));
  EXPECT_THAT(tensor<float>(module, name_of("column_scales")), ElementsAre(5.1F / 255, 0));
  EXPECT_EQ(ir::print(*ir::parse(ir::print(module))), ir::print(module));
}

TEST(QuantiseLinear, StaticInt8HasNoOffset) {
  ir::Module module = linear();
  const Calibration calibration = calibrated();
  run(module, "quantise-linear(scales=tensor,format=int8)", &calibration);
  const ir::Op& quantize = *module.main()->of_kind(ir::OpKind::kQuantizeStatic).at(0);
  EXPECT_EQ(quantize.get<float>("scale"), 4.1F / 127);
  EXPECT_EQ(quantize.get<std::int64_t>("zero_point"), 0);
  EXPECT_EQ(module.main()->of_kind(ir::OpKind::kDequantize).at(0)->operand("offset"), nullptr);
}

TEST(QuantiseLinear, ErrorsNameTheOp) {
  ir::Module absent = parse_body(kLinear);
  EXPECT_EQ(run_pipeline(absent, "quantise-linear").error().message,
            "pass quantise-linear: linear %y (node fc): tensor 'w' is not in the module's store");
  EXPECT_EQ(pipeline_error("%x = input() {name = \"x\"} : f32[2,3]\n"
                           "%w = silu(%x) : f32[2,3]\n"
                           "%y = linear(%x, %w) : f32[2,2] at \"fc\"\n",
                           "quantise-linear"),
            "pass quantise-linear: linear %y (node fc): weight %w is computed by silu %w; only "
            "constant weights can be quantised");
  ir::Module module = linear();
  EXPECT_EQ(run_pipeline(module, "quantise-linear(scales=tensor)").error().message,
            "pass quantise-linear: linear %y (node fc): static scales need calibration data "
            "(--calibrate SET)");
  const Calibration empty;
  module = linear();
  EXPECT_EQ(run_pipeline(module, "quantise-linear(scales=tensor)", &empty).error().message,
            "pass quantise-linear: linear %y (node fc): the calibration has no range for 'fc:x'");
}

TEST(QuantiseLinear, AWeightThatIsNotFiniteIsRefusedWithTensorAndRow) {
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    ir::Module module = linear({1, 2, 3, 4, bad, 6});
    run(module, "quantise-linear");
    for (const char* name : {"w.int8", "w.int8.scale"}) {
      const auto value = module.store().find(name)->load();
      ASSERT_FALSE(value);
      EXPECT_EQ(value.error().message, "tensor 'w': row 1 has a value that is not finite");
    }
  }
}

TEST(QuantiseLinear, ExtremeWeightsGiveDefinedValues) {
  ir::Module module = linear({1e30F, -1e-45F, 1e28F, 1e-45F, -1e-44F, 0});
  run(module, "quantise-linear");
  const auto values = tensor<std::int8_t>(module, "w.int8");
  EXPECT_THAT(std::vector(values.begin(), values.begin() + 3), ElementsAre(127, 0, 1));
  for (const float scale : tensor<float>(module, "w.int8.scale")) EXPECT_TRUE(std::isfinite(scale));
}

TEST(QuantiseAttention, PerHeadAndToken) {
  ir::Module module = parse_body(kAttention);
  run(module, "quantise-attention");
  EXPECT_THAT(body_text(module),
              HasSubstr("%q.q, %q.s = quantize_rows(%q) {groups = 4} : i8[2,8], f32[2,4] at "
                        "\"attn\"\n"
                        "%k.q, %k.s = quantize_rows(%k) {groups = 2} : i8[5,4], f32[5,2] at "
                        "\"attn\"\n"
                        "%v.q, %v.s = quantize_rows(%v) {groups = 2} : i8[5,4], f32[5,2] at "
                        "\"attn\"\n"
                        "%y.f = attention_i8(%q.q, %q.s, %k.q, %k.s, %v.q, %v.s, %m) {causal = "
                        "true, heads = 4, kv_heads = 2, scale = 0.5} : f32[2,8] at \"attn\"\n"));
}

TEST(QuantiseAttention, TheRecipesBlockIsAnAttribute) {
  ir::Module module = parse_body(kAttention);
  run(module, "quantise-attention(block=64)");
  EXPECT_EQ(module.main()->of_kind(ir::OpKind::kAttentionI8).at(0)->get<std::int64_t>("block"), 64);
}

TEST(QuantiseAttention, StaticScalesAreAttributes) {
  ir::Module module = parse_body(kAttention);
  const Calibration calibration = calibrated();
  run(module, "quantise-attention(scales=tensor)", &calibration);
  const ir::Op& attention = *module.main()->of_kind(ir::OpKind::kAttentionI8).at(0);
  EXPECT_EQ(attention.get<float>("q_scale"), 1);
  EXPECT_EQ(attention.get<float>("k_scale"), 2);
  EXPECT_EQ(attention.get<float>("v_scale"), 1);
  EXPECT_EQ(attention.operand("q_scales"), nullptr);
}

TEST(QuantiseAttention, ErrorsNameTheOp) {
  EXPECT_EQ(pipeline_error(kAttention, "quantise-attention(scales=tensor)"),
            "pass quantise-attention: attention %y (node attn): static scales need calibration "
            "data (--calibrate SET)");
}

}  // namespace
}  // namespace tally::passes
