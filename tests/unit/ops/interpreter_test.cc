// SPDX-License-Identifier: Apache-2.0
// The interpreter as such: every op of the table runs at its levels; inputs, constants and errors.
#include "models/ops/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "compiler/ir/builder.h"
#include "tests/unit/ops/one_op.h"

namespace tally::ops {
namespace {

using ::testing::HasSubstr;

Tensors random_inputs(const ir::Module& module, unsigned seed) {
  Random random(seed);
  Tensors inputs;
  for (const ir::Op* op : module.main()->inputs())
    inputs[op->get<std::string>("name")] = random.of(op->result()->type);
  return inputs;
}

TEST(Interpreter, EveryOpRunsAtEachOfItsLevels) {
  for (const ir::OpInfo& info : ir::all_ops()) {
    auto module = ir::parse(ir::sample_module(ir::op_samples().at(std::string(info.name))));
    ASSERT_TRUE(module);
    if (info.kind == ir::OpKind::kConstant)
      module->store().add("h.0.\"w\"\n", {ir::Format::kF16, {3, 5}}, []() -> Expected<Tensor> {
        return Tensor::view({ir::Format::kF16, {3, 5}}, std::make_shared<std::array<char, 30>>());
      });
    for (Semantics semantics : {Semantics::kReference, Semantics::kExact}) {
      bool exact = semantics == Semantics::kExact;
      auto interpreter = Interpreter::create(*module, semantics);
      ASSERT_EQ(interpreter.has_value(), info.has(exact ? ir::kQuantised : ir::kModel))
          << info.name;
      if (!interpreter) continue;
      std::size_t seen = 0;
      auto check = [&](const ir::Value& value, const Tensor& tensor) {
        EXPECT_TRUE(tensor.type().same_value(value.type)) << value.name();
        ++seen;
      };
      auto outputs = interpreter->run(random_inputs(*module, 1), check);
      ASSERT_TRUE(outputs) << info.name << ": " << outputs.error().message;
      std::size_t values = 0;
      for (const auto& op : module->main()->ops()) values += op->results().size();
      EXPECT_EQ(seen, values) << info.name;
    }
  }
}

TEST(Interpreter, OutputsByName) {
  auto module = ir::parse(ir::sample_module(ir::op_samples().at("output")));
  auto interpreter = Interpreter::create(*module, Semantics::kExact);
  Tensors inputs = random_inputs(*module, 2);
  auto outputs = interpreter->run(inputs);
  ASSERT_TRUE(outputs);
  EXPECT_EQ(outputs->size(), 1u);
  EXPECT_EQ(outputs->at("y"), inputs.at("x"));
}

TEST(Interpreter, RefusesWrongInputs) {
  auto module = ir::parse(ir::sample_module(ir::op_samples().at("relu")));
  auto interpreter = Interpreter::create(*module, Semantics::kExact);
  Tensor x = Tensor::of<float>({2, 6}, std::vector<float>(12));
  EXPECT_EQ(interpreter->run({}).error().message, "input 'x' is not given");
  EXPECT_EQ(interpreter->run({{"x", x}, {"z", x}}).error().message, "there is no input 'z'");
  EXPECT_EQ(interpreter->run({{"x", x.reshaped({6, 2})}}).error().message,
            "input 'x' is f32[6,2], not f32[2,6]");
}

TEST(Interpreter, RefusesModulesOfAnotherLevelAndWithoutMain) {
  auto module = ir::parse(ir::sample_module(ir::op_samples().at("linear")));
  EXPECT_THAT(Interpreter::create(*module, Semantics::kExact).error().message,
              HasSubstr("linear %y (node h.0.mlp) is not an op of the quantised level"));
  ir::Module empty("empty");
  EXPECT_EQ(Interpreter::create(empty, Semantics::kExact).error().message,
            "module 'empty' has no main function");
}

TEST(Interpreter, ConstantsComeFromTheStore) {
  ir::Module module("m");
  ir::Builder builder(module.add_function("main"));
  ir::Value* c = builder.constant("w", {ir::Format::kF32, {2}});
  builder.output(c, "y");
  auto run = [&] { return Interpreter::create(module, Semantics::kExact)->run({}); };
  EXPECT_EQ(run().error().message, "constant %c: tensor 'w' is not in the module's store");
  module.store().add("w", Tensor::of<float>({3}, {1, 2, 3}));
  EXPECT_EQ(run().error().message, "constant %c: tensor 'w' is f32[3], not f32[2]");
  module.store().add("w", Tensor::of<float>({2}, {1, 2}));
  EXPECT_EQ(run()->at("y"), Tensor::of<float>({2}, {1, 2}));
  module.store().add("w", {ir::Format::kF32, {2}},
                     []() -> Expected<Tensor> { return fail("file: gone"); });
  EXPECT_EQ(run().error().message, "constant %c: file: gone");
}

TEST(Interpreter, IndexErrorsNameTheOp) {
  const std::string embedding = ir::op_samples().at("embedding");
  Tensor x = Tensor::of<float>({2, 6}, std::vector<float>(12));
  for (std::int32_t id : {-1, 2}) {
    auto run = values_of(embedding, {{"x", x}, {"ids", Tensor::of<std::int32_t>({3}, {0, id, 1})}});
    EXPECT_EQ(run.error().message,
              fmt::format("embedding %y: id {} at position 1 is not in 0..1", id));
  }
  Tensor cache = Tensor::of<float>({5, 6}, std::vector<float>(30));
  for (std::int32_t position : {-1, 4}) {
    auto run =
        values_of(ir::op_samples().at("cache_write"),
                  {{"x", x}, {"c", cache}, {"p", Tensor::of<std::int32_t>({1}, {position})}});
    EXPECT_EQ(run.error().message,
              fmt::format("cache_write %y: 2 rows at position {} do not fit into a cache of 5",
                          position));
  }
}

}  // namespace
}  // namespace tally::ops
