// SPDX-License-Identifier: Apache-2.0
// Interpretation before and after each pass on seeded random inputs: exact passes keep every bit,
// quantisation stays within the bound that its scales give.
#include <cmath>
#include <random>

#include "compiler/passes/calibrate.h"
#include "compiler/passes/weight_quantiser.h"
#include "models/ops/interpreter.h"
#include "tests/unit/passes/helpers.h"

namespace tally::passes {
namespace {

using ir::Tensor;
using ops::Semantics;
using ops::Tensors;
using ::testing::HasSubstr;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Tensor normal(const ir::Shape& shape, float deviation = 1) {
    std::normal_distribution<float> distribution(0, deviation);
    std::vector<float> values(static_cast<std::size_t>(ir::element_count(shape)));
    for (float& value : values) value = distribution(engine_);
    return Tensor::of(shape, std::move(values));
  }

 private:
  std::mt19937 engine_;
};

// One pre-norm block of width 16: two heads, one key-value head, GELU of width 32.
const std::string kBlock = R"(
%x = input() {name = "x"} : f32[5,16]
%g = constant() {tensor = "norm"} : f32[16]
%wq = constant() {tensor = "wq"} : f32[16,16]
%wk = constant() {tensor = "wk"} : f32[8,16]
%wv = constant() {tensor = "wv"} : f32[8,16]
%wo = constant() {tensor = "wo"} : f32[16,16]
%w1 = constant() {tensor = "w1"} : f32[32,16]
%w2 = constant() {tensor = "w2"} : f32[16,32]
%b1 = constant() {tensor = "b1"} : f32[32]
%n = rmsnorm(%x, %g) {eps = 1e-05} : f32[5,16] at "norm"
%q = linear(%n, %wq) : f32[5,16] at "q"
%k = linear(%n, %wk) : f32[5,8] at "k"
%v = linear(%n, %wv) : f32[5,8] at "v"
%a = attention(%q, %k, %v) {causal = true, heads = 2, kv_heads = 1, scale = 0.35355338} : f32[5,16] at "attn"
%o = linear(%a, %wo) : f32[5,16] at "o"
%r = add(%x, %o) : f32[5,16]
%h = linear(%r, %w1, %b1) : f32[5,32] at "fc1"
%u = gelu_erf(%h) : f32[5,32]
%d = linear(%u, %w2) : f32[5,16] at "fc2"
%y = add(%r, %d) : f32[5,16]
output(%y) {name = "y"}
)";

ir::Module block() {
  ir::Module module = parse_body(kBlock);
  Random random(3);
  for (const ir::Op* op : module.main()->of_kind(ir::OpKind::kConstant))
    module.store().add(op->get<std::string>("tensor"),
                       random.normal(op->result()->type.shape, 0.3F));
  return module;
}

std::vector<float> run(const ir::Module& module, Semantics semantics, const Tensors& inputs) {
  const auto interpreter = ops::Interpreter::create(module, semantics);
  EXPECT_TRUE(interpreter) << (interpreter ? "" : interpreter.error().message);
  const auto outputs = interpreter->run(inputs);
  EXPECT_TRUE(outputs) << (outputs ? "" : outputs.error().message);
  if (!outputs) return {};
  const auto values = outputs->at("y").as<float>();
  return {values.begin(), values.end()};
}

void run_passes(ir::Module& module, const std::string& pipeline,
                const Calibration* calibration = nullptr) {
  const auto changed = run_pipeline(module, pipeline, calibration);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_TRUE(*changed) << pipeline;
}

// Root of the mean squared difference over that of the values.
double relative_error(const std::vector<float>& values, const std::vector<float>& reference) {
  double difference = 0, size = 0;
  EXPECT_EQ(values.size(), reference.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    difference += std::pow(values[i] - reference[i], 2);
    size += std::pow(reference[i], 2);
  }
  return std::sqrt(difference / size);
}

TEST(ExactPasses, KeepEveryBit) {
  ir::Module module = parse_body(R"(
%x = input() {name = "x"} : f32[6,4]
%c = constant() {tensor = "c"} : f32[8,6]
%i = constant() {value = [1.5, -2.0, 0.25, 3.0]} : f32[4]
%t = transpose(%c) : f32[6,8]
%s = slice_columns(%t) {begin = 2, end = 8} : f32[6,6]
%p = slice_columns(%s) {begin = 1, end = 5} : f32[6,4]
%a = add(%p, %x) : f32[6,4]
%j = mul(%i, %i) : f32[4]
%m = mul(%a, %j) : f32[6,4]
%m2 = mul(%a, %j) : f32[6,4]
%z = add(%m, %m2) : f32[6,4]
%r = reshape(%z) {shape = [24]} : f32[24]
%y = reshape(%r) {shape = [4, 6]} : f32[4,6]
output(%y) {name = "y"}
)");
  Random random(1);
  module.store().add("c", random.normal({8, 6}));
  const Tensors inputs = {{"x", random.normal({6, 4})}};
  const auto before = run(module, Semantics::kReference, inputs);
  for (const char* pass :
       {"canonicalise", "fold-constants", "canonicalise", "eliminate-common", "eliminate-dead"}) {
    run_passes(module, pass);
    EXPECT_EQ(run(module, Semantics::kReference, inputs), before) << pass;
  }
  EXPECT_EQ(body_text(module),
            "%x = input() {name = \"x\"} : f32[6,4]\n"
            "%p.2 = constant() {tensor = \"slice_columns(transpose(c), begin = 3, end = 7)\"} : "
            "f32[6,4]\n"
            "%a = add(%x, %p.2) : f32[6,4]\n"
            "%j.3 = constant() {value = [2.25, 4.0, 0.0625, 9.0]} : f32[4]\n"
            "%m = mul(%a, %j.3) : f32[6,4]\n"
            "%z = add(%m, %m) : f32[6,4]\n"
            "%y = reshape(%z) {shape = [4, 6]} : f32[4,6]\n"
            "output(%y) {name = \"y\"}\n");
}

TEST(FoldConstants, LeavesAConstantThatTheStoreLacks) {
  const std::string body =
      "%c = constant() {tensor = \"c\"} : f32[2,3]\n"
      "%t = transpose(%c) : f32[3,2]\n"
      "output(%t) {name = \"y\"}\n";
  EXPECT_EQ(transformed(body, "fold-constants"), body);
}

TEST(FoldConstants, AnErrorOfTheSourceIsThatOfTheFoldedTensor) {
  ir::Module module = parse_body(
      "%c = constant() {tensor = \"c\"} : f32[2,30]\n"
      "%t = transpose(%c) : f32[30,2]\n"
      "output(%t) {name = \"y\"}\n");
  module.store().add("c", {ir::Format::kF32, {2, 30}},
                     []() -> Expected<Tensor> { return fail("file is gone"); });
  run_passes(module, "fold-constants");
  EXPECT_EQ(module.store().find("transpose(c)")->load().error().message, "file is gone");
}

// |y' - y| of one linear is at most the products of values and half steps, plus fp32 rounding.
TEST(QuantiseLinear, StaysWithinTheBoundOfItsScales) {
  constexpr std::int64_t kRows = 3, kDepth = 33, kColumns = 7;
  Random random(5);
  const Tensor x = random.normal({kRows, kDepth});
  const Tensor w = random.normal({kColumns, kDepth});
  ir::Module module = parse_body(
      "%x = input() {name = \"x\"} : f32[3,33]\n"
      "%w = constant() {tensor = \"w\"} : f32[7,33]\n"
      "%y = linear(%x, %w) : f32[3,7] at \"fc\"\n"
      "output(%y) {name = \"y\"}\n");
  module.store().add("w", w);
  run_passes(module, "quantise-linear");
  const auto y = run(module, Semantics::kExact, {{"x", x}});
  const auto row_bound = [&](std::int64_t i, std::int64_t n) {
    double step_x = 0, step_w = 0, exact = 0, bound = 0;
    for (std::int64_t k = 0; k < kDepth; ++k) {
      step_x = std::max(step_x, std::abs(double{x.as<float>()[i * kDepth + k]}) / 127);
      step_w = std::max(step_w, std::abs(double{w.as<float>()[n * kDepth + k]}) / 127);
    }
    for (std::int64_t k = 0; k < kDepth; ++k) {
      const double a = x.as<float>()[i * kDepth + k], b = w.as<float>()[n * kDepth + k];
      exact += a * b;
      bound += std::abs(a) * step_w / 2 + std::abs(b) * step_x / 2 + step_x * step_w / 4;
    }
    return std::pair(exact, bound * (1 + 1e-5) + std::abs(exact) * 1e-6);
  };
  for (std::int64_t i = 0; i < kRows; ++i)
    for (std::int64_t n = 0; n < kColumns; ++n) {
      const auto [exact, bound] = row_bound(i, n);
      EXPECT_LE(std::abs(y[static_cast<std::size_t>(i * kColumns + n)] - exact), bound);
    }
}

TEST(QuantiseLinear, TheFoldedZeroPointIsExact) {
  Random random(7);
  const Tensor w = random.normal({4, 9});
  ir::Module module = parse_body(
      "%x = input() {name = \"x\"} : f32[2,9]\n"
      "%w = constant() {tensor = \"w\"} : f32[4,9]\n"
      "%y = linear(%x, %w) : f32[2,4] at \"fc\"\n"
      "output(%y) {name = \"y\"}\n");
  module.store().add("w", w);
  Calibration calibration;
  calibration.ranges["fc:x"] = {-2.5F, 2.6F};  // scale 0.02, zero point 125
  run_passes(module, "quantise-linear(scales=tensor,format=uint8)", &calibration);
  const Tensor x = random.normal({2, 9});
  const auto y = run(module, Semantics::kExact, {{"x", x}});
  const auto codes = *weight_values(w, WeightGranularity::kChannel);
  const auto scales = *weight_scales(w, WeightGranularity::kChannel);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t n = 0; n < 4; ++n) {
      std::int64_t sum = 0;
      for (std::size_t k = 0; k < 9; ++k) {
        const float code = std::nearbyint(x.as<float>()[i * 9 + k] * (1 / (5.1F / 255))) + 125;
        sum += (std::clamp<std::int64_t>(static_cast<std::int64_t>(code), 0, 255) - 125) *
               codes.as<std::int8_t>()[n * 9 + k];
      }
      EXPECT_EQ(y[i * 4 + n], static_cast<float>(sum) * (scales.as<float>()[n] * (5.1F / 255)));
    }
}

TEST(Block, DynamicInt8IsCloseToFp32) {
  ir::Module module = block();
  Random random(11);
  const Tensors inputs = {{"x", random.normal({5, 16})}};
  const auto reference = run(module, Semantics::kReference, inputs);
  run_passes(module, default_pipeline(Recipe()));
  EXPECT_EQ(module.main()->of_kind(ir::OpKind::kQuantizeRows).size(), 7U);  // n, q, k, v, a, r, u
  EXPECT_LT(relative_error(run(module, Semantics::kExact, inputs), reference), 0.02);
  EXPECT_EQ(ir::print(*ir::parse(ir::print(module))), ir::print(module));
}

Recipe static_recipe(CalibrationMethod method) {
  Recipe recipe;
  recipe.activation_scales = recipe.attention_scales = ScaleSource::kTensor;
  recipe.activation_format = ActivationFormat::kUint8;
  recipe.calibration = CalibrationRecipe{method, 99.9, "random", 8};
  return recipe;
}

CalibrationSource random_samples(std::shared_ptr<const ir::Module> module) {
  return [module = std::move(module)](std::int64_t index) -> Expected<CalibrationRun> {
    return CalibrationRun{module,
                          {{"x", Random(100 + static_cast<unsigned>(index)).normal({5, 16})}}};
  };
}

class StaticBlock : public ::testing::TestWithParam<CalibrationMethod> {};

TEST_P(StaticBlock, IsCloseToFp32) {
  const Recipe recipe = static_recipe(GetParam());
  const auto model = std::make_shared<const ir::Module>(block());
  const auto calibration = calibrate(recipe, 8, random_samples(model));
  ASSERT_TRUE(calibration) << calibration.error().message;
  EXPECT_EQ(calibration->ranges.size(), 9U);  // x of six products; q, k, v
  const Tensors inputs = {{"x", Random(11).normal({5, 16})}};
  ir::Module module = model->clone();
  run_passes(module, default_pipeline(recipe), &*calibration);
  EXPECT_TRUE(module.main()->of_kind(ir::OpKind::kQuantizeRows).empty());
  EXPECT_LT(relative_error(run(module, Semantics::kExact, inputs),
                           run(*model, Semantics::kReference, inputs)),
            0.05);
}

INSTANTIATE_TEST_SUITE_P(Methods, StaticBlock,
                         ::testing::Values(CalibrationMethod::kMinMax,
                                           CalibrationMethod::kPercentile,
                                           CalibrationMethod::kMse));

TEST(Calibrate, ReportsProgressOverBothPasses) {
  std::vector<std::int64_t> done;
  const auto model = std::make_shared<const ir::Module>(block());
  ASSERT_TRUE(calibrate(static_recipe(CalibrationMethod::kMse), 2, random_samples(model),
                        [&](std::int64_t now, std::int64_t total) {
                          EXPECT_EQ(total, 4);
                          done.push_back(now);
                        }));
  EXPECT_THAT(done, ::testing::ElementsAre(1, 2, 3, 4));
}

TEST(Calibrate, ErrorsNameTheSample) {
  const auto model = std::make_shared<const ir::Module>(block());
  const Recipe recipe = static_recipe(CalibrationMethod::kMinMax);
  const auto missing = calibrate(recipe, 3, [&](std::int64_t) -> Expected<CalibrationRun> {
    return CalibrationRun{model, {}};
  });
  EXPECT_EQ(missing.error().message, "calibration sample 0: input 'x' is not given");
  const auto broken = calibrate(recipe, 3, [&](std::int64_t) -> Expected<CalibrationRun> {
    std::vector<float> values(80, std::numeric_limits<float>::infinity());
    return CalibrationRun{model, {{"x", Tensor::of<float>({5, 16}, std::move(values))}}};
  });
  EXPECT_THAT(broken.error().message, HasSubstr("calibration sample 0: at 'q:x' a value is "));
}

}  // namespace
}  // namespace tally::passes
