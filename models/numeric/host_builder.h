// SPDX-License-Identifier: Apache-2.0
// The builder of sequences.h that evaluates each step at once, for one value, by f32.h.
#pragma once

#include <cstdint>

#include "models/numeric/f32.h"

namespace tally {

struct HostBuilder {
  struct Value {
    uint32_t bits;
  };
  struct Operand {  // the second source of a step: a register or an immediate
    Operand(Value value) : bits(value.bits) {}
    Operand(float immediate) : bits(as_bits(immediate)) {}
    uint32_t bits;
  };

  Value constant(float value) { return {as_bits(value)}; }
  Value abs(Value a) { return {f32::abs(a.bits)}; }
  Value neg(Value a) { return {f32::neg(a.bits)}; }
  Value sqrt(Value a) { return {f32::sqrt(a.bits)}; }
  Value i32_to_f32(Value a) { return {f32::i32_to_f32(a.bits)}; }
  Value to_i32(Value a) { return {f32::to_i32(a.bits, 0u)}; }
  Value add(Value a, Operand b) { return {f32::add(a.bits, b.bits)}; }
  Value sub(Value a, Operand b) { return {f32::sub(a.bits, b.bits)}; }
  Value mul(Value a, Operand b) { return {f32::mul(a.bits, b.bits)}; }
  Value div(Value a, Operand b) { return {f32::div(a.bits, b.bits)}; }
  Value min(Value a, Operand b) { return {f32::min(a.bits, b.bits)}; }
  Value max(Value a, Operand b) { return {f32::max(a.bits, b.bits)}; }
  Value lt(Value a, Operand b) { return {f32::lt(a.bits, b.bits)}; }
  Value scale2(Value a, Value n) { return {f32::scale2(a.bits, n.bits)}; }
  Value select(Value condition, Operand if_set, Value otherwise) {
    return {f32::select(condition.bits, if_set.bits, otherwise.bits)};
  }
};

}  // namespace tally
