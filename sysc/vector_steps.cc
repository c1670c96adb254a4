// SPDX-License-Identifier: Apache-2.0
#include "sysc/vector_steps.h"

#include <algorithm>
#include <array>

#include "models/numeric/f32_array.h"

namespace tally::sysc {
namespace {

using Word = std::uint32_t;
using ByRegister = void (*)(const Word*, const Word*, Word*, std::size_t);
using ByImmediate = void (*)(const Word*, Word, Word*, std::size_t);
using ByOne = void (*)(const Word*, Word*, std::size_t);

struct Loops {
  ByRegister by_register = nullptr;
  ByImmediate by_immediate = nullptr;
  ByOne by_one = nullptr;
};

void move(const Word*, const Word* b, Word* d, std::size_t n) { std::copy_n(b, n, d); }
void move(const Word*, Word b, Word* d, std::size_t n) { std::fill_n(d, n, b); }

std::array<Loops, 64> make_table() {
  std::array<Loops, 64> table{};
  const auto two = [&](isa::StepOp op, ByRegister by_register, ByImmediate by_immediate) {
    table[std::size_t(op)] = {by_register, by_immediate, nullptr};
  };
  const auto one = [&](isa::StepOp op, ByOne loop) { table[std::size_t(op)].by_one = loop; };
  two(isa::StepOp::kMove, move, move);
  two(isa::StepOp::kAdd, f32::add, f32::add);
  two(isa::StepOp::kSub, f32::sub, f32::sub);
  two(isa::StepOp::kMul, f32::mul, f32::mul);
  two(isa::StepOp::kDiv, f32::div, f32::div);
  two(isa::StepOp::kMin, f32::min, f32::min);
  two(isa::StepOp::kMax, f32::max, f32::max);
  two(isa::StepOp::kLt, f32::lt, f32::lt);
  two(isa::StepOp::kLe, f32::le, f32::le);
  two(isa::StepOp::kEq, f32::eq, f32::eq);
  two(isa::StepOp::kSelect, f32::select, f32::select);
  two(isa::StepOp::kScale2, f32::scale2, f32::scale2);
  two(isa::StepOp::kF32ToI32, f32::to_i32, f32::to_i32);
  two(isa::StepOp::kF32ToI8, f32::to_i8, f32::to_i8);
  two(isa::StepOp::kF32ToU8, f32::to_u8, f32::to_u8);
  two(isa::StepOp::kAddI32, f32::add_i32, f32::add_i32);
  one(isa::StepOp::kSqrt, f32::sqrt);
  one(isa::StepOp::kAbs, f32::abs);
  one(isa::StepOp::kNeg, f32::neg);
  one(isa::StepOp::kI32ToF32, f32::i32_to_f32);
  return table;
}

}  // namespace

void compute(const isa::Step& step, const Word* a, const Word* b, Word* d, std::size_t n) {
  static const std::array<Loops, 64> table = make_table();
  const Loops& loops = table[std::size_t(step.op)];
  if (loops.by_one != nullptr) return loops.by_one(a, d, n);
  if (loops.by_register == nullptr) return;
  if (step.immediate) return loops.by_immediate(a, step.imm, d, n);
  loops.by_register(a, b, d, n);
}

}  // namespace tally::sysc
