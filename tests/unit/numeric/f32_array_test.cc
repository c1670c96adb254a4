// SPDX-License-Identifier: Apache-2.0
// The array steps equal the scalar ones bit for bit, in place too and at every length around a
// vector.
#include "models/numeric/f32_array.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/numeric/f32.h"
#include "tests/unit/numeric/sample.h"

namespace tally {
namespace {

using Registers = std::vector<uint32_t>;
using Scalar = uint32_t (*)(uint32_t, uint32_t);
using Array = void (*)(const uint32_t*, const uint32_t*, uint32_t*, std::size_t);
using Immediate = void (*)(const uint32_t*, uint32_t, uint32_t*, std::size_t);

struct Step {
  const char* name;
  Scalar scalar;
  Array array;
  Immediate immediate;
};

#define TALLY_STEP(op) \
  Step { #op, f32::op, f32::op, f32::op }
const Step kSteps[] = {TALLY_STEP(add),   TALLY_STEP(sub),    TALLY_STEP(mul),    TALLY_STEP(div),
                       TALLY_STEP(min),   TALLY_STEP(max),    TALLY_STEP(lt),     TALLY_STEP(le),
                       TALLY_STEP(eq),    TALLY_STEP(scale2), TALLY_STEP(to_i32), TALLY_STEP(to_i8),
                       TALLY_STEP(to_u8), TALLY_STEP(add_i32)};

struct Operands {
  Registers a, b;
};

Operands operands() {
  Operands result;
  const Registers boundary = boundary_bits();
  for (uint32_t a : boundary) {
    for (uint32_t b : boundary) {
      result.a.push_back(a);
      result.b.push_back(b);
    }
  }
  const Registers x = random_bits(50000, 7), y = random_bits(50000, 8);
  result.a.insert(result.a.end(), x.begin(), x.end());
  result.b.insert(result.b.end(), y.begin(), y.end());
  return result;
}

Registers expected(const Step& step, const Registers& a, const Registers& b) {
  Registers d(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) d[i] = step.scalar(a[i], b[i]);
  return d;
}

TEST(F32Array, EqualsScalar) {
  const auto [a, b] = operands();
  for (const Step& step : kSteps) {
    Registers d(a.size());
    step.array(a.data(), b.data(), d.data(), d.size());
    EXPECT_EQ(d, expected(step, a, b)) << step.name;
  }
}

TEST(F32Array, InPlace) {
  const auto [a, b] = operands();
  for (const Step& step : kSteps) {
    Registers first = a, second = b;
    step.array(first.data(), b.data(), first.data(), first.size());
    step.array(a.data(), second.data(), second.data(), second.size());
    EXPECT_EQ(first, expected(step, a, b)) << step.name;
    EXPECT_EQ(second, expected(step, a, b)) << step.name;
    Registers both = a;
    step.array(both.data(), both.data(), both.data(), both.size());
    EXPECT_EQ(both, expected(step, a, a)) << step.name;
  }
}

TEST(F32Array, Immediate) {
  const Registers a = operands().a;
  Registers immediates = boundary_bits();
  for (uint32_t zero_point :
       {100u, 255u, 0xffffff80u, 0x1fffffu, 0x200000u, 0xffe00001u, 0xffe00000u}) {
    immediates.push_back(zero_point);  // around the limit of the fast conversion too
  }
  for (const Step& step : kSteps) {
    for (uint32_t b : immediates) {
      Registers d = a;
      step.immediate(d.data(), b, d.data(), d.size());
      ASSERT_EQ(d, expected(step, a, Registers(a.size(), b))) << step.name << " " << std::hex << b;
    }
  }
}

TEST(F32Array, EveryLengthAroundAVector) {
  const auto [a, b] = operands();
  for (const Step& step : kSteps) {
    for (std::size_t n = 0; n <= 70; ++n) {
      Registers d(n + 1, 0xdeadbeef);
      step.array(a.data(), b.data(), d.data(), n);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(d[i], step.scalar(a[i], b[i])) << step.name;
      ASSERT_EQ(d[n], 0xdeadbeef) << step.name;
    }
  }
}

TEST(F32Array, Unary) {
  const Registers a = operands().a;
  Registers root(a.size()), magnitude(a.size()), negative(a.size()), real(a.size());
  f32::sqrt(a.data(), root.data(), a.size());
  f32::abs(a.data(), magnitude.data(), a.size());
  f32::neg(a.data(), negative.data(), a.size());
  f32::i32_to_f32(a.data(), real.data(), a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(root[i], f32::sqrt(a[i]));
    ASSERT_EQ(magnitude[i], f32::abs(a[i]));
    ASSERT_EQ(negative[i], f32::neg(a[i]));
    ASSERT_EQ(real[i], f32::i32_to_f32(a[i]));
  }
}

TEST(F32Array, Select) {
  const auto [a, b] = operands();
  Registers d(a.size()), imm(a.size());
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = imm[i] = static_cast<uint32_t>(i);
  f32::select(a.data(), b.data(), d.data(), d.size());
  f32::select(a.data(), 0xff800001u, imm.data(), imm.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(d[i], f32::select(a[i], b[i], static_cast<uint32_t>(i)));
    ASSERT_EQ(imm[i], f32::select(a[i], 0xff800001u, static_cast<uint32_t>(i)));
  }
}

}  // namespace
}  // namespace tally
