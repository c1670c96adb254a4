// SPDX-License-Identifier: Apache-2.0
// Small quantised modules with seeded random weights and one input "x", for tests of compiled
// programs.
#pragma once

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "compiler/ir/builder.h"
#include "models/ops/interpreter.h"

namespace tally::test {

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

}  // namespace tally::test
