// SPDX-License-Identifier: Apache-2.0
// The functions of one variable that the vector unit computes as fixed sequences of steps.
#pragma once

#include "compiler/codegen/routine.h"
#include "compiler/ir/op_info.h"

namespace tally::codegen {

// gelu_erf, gelu_tanh, silu, relu, tanh, sigmoid.
bool is_function(ir::OpKind kind);
// The steps of such a function.
RoutineBuilder::Value emit_function(ir::OpKind kind, RoutineBuilder* builder,
                                    RoutineBuilder::Value x);
// Scale and its reciprocal for a row whose largest magnitude is `maximum`, the dynamic rule of
// docs/numerics.md with `levels` 127 or 255.
struct RowScale {
  RoutineBuilder::Value scale, reciprocal;
};
RowScale emit_row_scale(RoutineBuilder* builder, RoutineBuilder::Value maximum, float levels);
// What accumulators of attention weights in 1/255 and values of a static scale are multiplied with.
float static_output_scale(float value_scale);
// e^x.
RoutineBuilder::Value emit_exp(RoutineBuilder* builder, RoutineBuilder::Value x);

}  // namespace tally::codegen
