// SPDX-License-Identifier: Apache-2.0
// Editing a function, names, and tensors that are made when asked for.
#include "compiler/ir/ir.h"

#include <gtest/gtest.h>

#include "compiler/ir/builder.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/verifier.h"

namespace tally::ir {
namespace {

struct Chain {
  Module module{"m"};
  Function* function = module.add_function("main");
  Builder builder{function};
  Value* x = builder.input("x", {Format::kF32, {2, 3}});
  Value* y = builder.value(OpKind::kRelu, {x}, {}, "y");
  Value* z = builder.value(OpKind::kAdd, {y, x}, {}, "z");
  Chain() { builder.output(z, "z"); }
};

TEST(Ir, FindsInputsOutputsAndUsers) {
  Chain chain;
  EXPECT_EQ(chain.function->input("x"), chain.x->producer());
  EXPECT_EQ(chain.function->input("z"), nullptr);
  EXPECT_EQ(chain.function->output("z")->operand("x"), chain.z);
  EXPECT_EQ(chain.function->users(chain.x).size(), 2u);
  EXPECT_EQ(chain.module.main(), chain.function);
}

TEST(Ir, RewritesAnOp) {
  Chain chain;
  Builder before(chain.function, chain.z->producer());
  before.set_node("new");
  Value* silu = before.value(OpKind::kSilu, {chain.x}, {}, "y");
  chain.function->replace_uses(chain.y, silu);
  chain.function->erase(chain.y->producer());
  ASSERT_TRUE(verify(chain.module));
  EXPECT_EQ(print(*chain.z->producer()), "%z = add(%y.0, %x) : f32[2,3]");
  EXPECT_EQ(print(*silu->producer()), "%y.0 = silu(%x) : f32[2,3] at \"new\"");
}

TEST(Ir, NamesAreUniqueAndPlain) {
  Chain chain;
  Value* odd = chain.builder.value(OpKind::kRelu, {chain.x}, {}, "a b/c");
  Value* unnamed = chain.builder.value(OpKind::kRelu, {chain.x});
  EXPECT_EQ(odd->name(), "a_b_c");
  EXPECT_EQ(unnamed->name(), "0");
}

TEST(IrDeathTest, ErasingAUsedOpIsABrokenInvariant) {
  Chain chain;
  EXPECT_DEATH(chain.function->erase(chain.y->producer()), "%y is still used");
}

TEST(IrDeathTest, BuilderChecksTypeRules) {
  Chain chain;
  EXPECT_DEATH(chain.builder.value(OpKind::kLinear, {chain.x, chain.z}, {{"eps", 1.0f}}),
               "no attribute 'eps'");
  EXPECT_DEATH(chain.builder.value(OpKind::kTranspose,
                                   {chain.builder.constant(Tensor::of<float>({1}, {1}))}),
               "not a matrix");
}

TEST(TensorStore, LoadsWhenAskedAndKeepsWhenAsked) {
  TensorStore store;
  int loads = 0;
  store.add("w", {Format::kF32, {1}}, [&]() -> Expected<Tensor> {
    return Tensor::of<float>({1}, {static_cast<float>(++loads)});
  });
  auto lazy = store.find("w");
  ASSERT_NE(lazy, nullptr);
  EXPECT_EQ(loads, 0);
  EXPECT_EQ(lazy->load()->as<float>()[0], 1);
  EXPECT_EQ(lazy->load()->as<float>()[0], 2);
  EXPECT_EQ(lazy->cached()->as<float>()[0], 3);
  TensorStore copy = store;
  EXPECT_EQ(copy.find("w")->load()->as<float>()[0], 3);
  lazy->drop();
  EXPECT_EQ(lazy->load()->as<float>()[0], 4);
  EXPECT_EQ(store.find("v"), nullptr);
}

TEST(TensorStore, PassesLoadErrorsOn) {
  TensorStore store;
  store.add("w", {Format::kF32, {1}}, []() -> Expected<Tensor> { return fail("w: gone"); });
  EXPECT_EQ(store.find("w")->cached().error().message, "w: gone");
}

TEST(TypeText, ShowsFormatShapeAndSpace) {
  EXPECT_EQ(type_text({Format::kBf16, {}}), "bf16[]");
  EXPECT_EQ(type_text({Format::kI8, {2, 3}, Space::kWeights}), "i8[2,3]@weights");
}

}  // namespace
}  // namespace tally::ir
