// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/functions.h"

#include <bit>

#include "models/numeric/sequences.h"

namespace tally::codegen {
namespace {

using ir::OpKind;
using isa::StepOp;

// The builder that models/numeric/sequences.h asks for, in steps of a routine.
class SequenceBuilder {
 public:
  using Value = RoutineBuilder::Value;
  struct Operand {  // the second source of a step: a value or an immediate
    Operand(Value value) : value(value) {}
    Operand(float immediate) : immediate(immediate) {}
    Value value;
    float immediate = 0;
  };

  explicit SequenceBuilder(RoutineBuilder* builder) : b_(*builder) {}

  Value constant(float value) { return b_.constant(value); }
  Value abs(Value a) { return b_.unary(StepOp::kAbs, a); }
  Value neg(Value a) { return b_.unary(StepOp::kNeg, a); }
  Value sqrt(Value a) { return b_.unary(StepOp::kSqrt, a); }
  Value i32_to_f32(Value a) { return b_.unary(StepOp::kI32ToF32, a); }
  Value to_i32(Value a) { return b_.binary_bits(StepOp::kF32ToI32, a, 0); }
  Value add(Value a, Operand b) { return binary(StepOp::kAdd, a, b); }
  Value sub(Value a, Operand b) { return binary(StepOp::kSub, a, b); }
  Value mul(Value a, Operand b) { return binary(StepOp::kMul, a, b); }
  Value div(Value a, Operand b) { return binary(StepOp::kDiv, a, b); }
  Value min(Value a, Operand b) { return binary(StepOp::kMin, a, b); }
  Value max(Value a, Operand b) { return binary(StepOp::kMax, a, b); }
  Value lt(Value a, Operand b) { return binary(StepOp::kLt, a, b); }
  Value scale2(Value a, Value n) { return b_.binary(StepOp::kScale2, a, n); }
  Value select(Value condition, Operand if_set, Value otherwise) {
    return if_set.value.id >= 0 ? b_.select(condition, if_set.value, otherwise)
                                : b_.select(condition, if_set.immediate, otherwise);
  }

 private:
  Value binary(StepOp op, Value a, const Operand& b) {
    return b.value.id >= 0 ? b_.binary(op, a, b.value) : b_.binary(op, a, b.immediate);
  }

  RoutineBuilder& b_;
};

}  // namespace

bool is_function(OpKind kind) {
  return kind == OpKind::kGeluErf || kind == OpKind::kGeluTanh || kind == OpKind::kSilu ||
         kind == OpKind::kRelu || kind == OpKind::kTanh || kind == OpKind::kSigmoid;
}

RoutineBuilder::Value emit_function(OpKind kind, RoutineBuilder* builder, RoutineBuilder::Value x) {
  SequenceBuilder b(builder);
  switch (kind) {
    case OpKind::kGeluErf:
      return sequences::gelu_erf(b, x);
    case OpKind::kGeluTanh:
      return sequences::gelu_tanh(b, x);
    case OpKind::kSilu:
      return sequences::silu(b, x);
    case OpKind::kTanh:
      return sequences::tanh(b, x);
    case OpKind::kSigmoid:
      return sequences::sigmoid(b, x);
    case OpKind::kRelu:
      return b.max(x, 0.0f);
    default:
      TALLY_CHECK(false, "op {} is no function", int(kind));
      __builtin_unreachable();
  }
}

RoutineBuilder::Value emit_exp(RoutineBuilder* builder, RoutineBuilder::Value x) {
  SequenceBuilder b(builder);
  return sequences::exp(b, x);
}

RowScale emit_row_scale(RoutineBuilder* builder, RoutineBuilder::Value maximum, float levels) {
  const auto scale = builder->binary(StepOp::kDiv, maximum, levels);
  const auto reciprocal = builder->binary(StepOp::kDiv, builder->constant(1.0f), scale);
  return {scale, reciprocal};
}

float static_output_scale(float value_scale) { return value_scale * (1.0f / 255.0f); }

}  // namespace tally::codegen
