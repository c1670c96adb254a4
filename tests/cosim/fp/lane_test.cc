// SPDX-License-Identifier: Apache-2.0
// Every step of a lane against models/numeric/f32.h, bit for bit: all pairs of corner values and
// TALLY_FP_VECTORS (default 100,000) random pairs a step, over three shapes of the lane. Each class
// of operands and results is counted, and an empty one is a failure.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "lane_fast.h"
#include "lane_slow.h"
#include "models/numeric/f32.h"
#include "tests/cosim/fp/lane_driver.h"
#include "tests/cosim/fp/operand_source.h"

namespace tally {
namespace {

constexpr std::uint64_t kSeed = 20240607;

std::uint32_t expected(int op, const Operands& v) {
  switch (op) {
    case 3:
      return v.b;
    case 4:
      return f32::add(v.a, v.b);
    case 5:
      return f32::sub(v.a, v.b);
    case 6:
      return f32::mul(v.a, v.b);
    case 7:
      return f32::div(v.a, v.b);
    case 8:
      return f32::sqrt(v.a);
    case 9:
      return f32::min(v.a, v.b);
    case 10:
      return f32::max(v.a, v.b);
    case 11:
      return f32::abs(v.a);
    case 12:
      return f32::neg(v.a);
    case 13:
      return f32::lt(v.a, v.b);
    case 14:
      return f32::le(v.a, v.b);
    case 15:
      return f32::eq(v.a, v.b);
    case 16:
      return f32::select(v.a, v.b, v.old);
    case 17:
      return f32::scale2(v.a, v.b);
    case 18:
      return f32::i32_to_f32(v.a);
    case 19:
      return f32::to_i32(v.a, v.b);
    case 20:
      return f32::to_i8(v.a, v.b);
    case 21:
      return f32::to_u8(v.a, v.b);
    case 22:
      return f32::add_i32(v.a, v.b);
  }
  return 0;
}

enum Class { kZero, kSubnormal, kNormal, kInfinite, kNan, kClasses };
Class class_of(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & ~kSignBit;
  if (magnitude == 0) return kZero;
  if (magnitude < 0x00800000u) return kSubnormal;
  if (magnitude < kInfinityBits) return kNormal;
  return magnitude == kInfinityBits ? kInfinite : kNan;
}

std::uint64_t vectors_per_step() {
  const char* text = std::getenv("TALLY_FP_VECTORS");
  return text == nullptr ? 100'000 : std::strtoull(text, nullptr, 10);
}

template <class LaneModel, int L, int B>
struct Shape {
  using Driver = LaneDriver<LaneModel, L, B>;
  static constexpr int kLatency = L;
  static constexpr int kInterval = (26 + B - 1) / B + 1;
};

template <class S>
class LaneTest : public ::testing::Test {
 protected:
  static constexpr int kPlaces = isa::kBatchGroups;

  void check(int op, const std::array<Operands, kPlaces>& operands, bool immediate) {
    const auto got = driver_.run(op, operands, immediate);
    for (int i = 0; i < kPlaces; ++i) {
      Operands v = operands[i];
      if (immediate) v.b = operands[0].b;
      const std::uint32_t want = expected(op, v);
      ++vectors_;
      ++operand_classes_[class_of(v.a) * kClasses + class_of(v.b)];
      ++result_classes_[class_of(want)];
      if (got[i] != want && ++differences_ <= 5) {
        ADD_FAILURE() << std::hex << "step " << op << " a " << v.a << " b " << v.b << " old "
                      << v.old << ": got " << got[i] << ", expected " << want;
      }
    }
  }

  void check_corners(int op) {
    const auto corners = corner_values();
    std::array<Operands, kPlaces> group{};
    int filled = 0;
    for (const std::uint32_t a : corners) {
      for (const std::uint32_t b : corners) {
        group[filled++] = {a, b, 0x12345678u};
        if (filled == kPlaces) check(op, group, false);
        filled %= kPlaces;
      }
    }
    if (filled > 0) check(op, group, false);
  }

  void check_random(int op) {
    OperandSource source(kSeed + static_cast<std::uint64_t>(op));
    for (std::uint64_t i = 0; i < vectors_per_step(); i += kPlaces) {
      std::array<Operands, kPlaces> group;
      for (Operands& v : group) {
        const auto pair = source.next();
        v = {pair.a, pair.b, ~pair.a};
      }
      check(op, group, i % (64 * kPlaces) == 0);
    }
  }

  void expect_all_operand_classes() const {
    for (int i = 0; i < kClasses * kClasses; ++i) EXPECT_GT(operand_classes_[i], 100u) << i;
  }

  typename S::Driver driver_;
  std::array<std::uint64_t, kClasses * kClasses> operand_classes_{};
  std::array<std::uint64_t, kClasses> result_classes_{};
  std::uint64_t vectors_ = 0;
  int differences_ = 0;
};

using Shapes = ::testing::Types<Shape<lane_fast, 1, 4>, Shape<lane_slow, 8, 1>>;
TYPED_TEST_SUITE(LaneTest, Shapes);

TYPED_TEST(LaneTest, StepsEqualTheModel) {
  for (int op = 3; op <= 22; ++op) {
    this->result_classes_ = {};
    this->check_corners(op);
    this->check_random(op);
    EXPECT_EQ(this->differences_, 0) << isa::kSteps[op - 1].name;
    // add, sub, mul, div, scale2 give every class of result; the others at least zero and another.
    const auto hit = [this](Class c) { return this->result_classes_[c] > 10; };
    if ((op >= 4 && op <= 7) || op == 17) {
      EXPECT_TRUE(hit(kZero) && hit(kSubnormal) && hit(kNormal) && hit(kInfinite) && hit(kNan))
          << isa::kSteps[op - 1].name;
    } else {
      EXPECT_TRUE(hit(kZero) && (hit(kSubnormal) || hit(kNormal))) << isa::kSteps[op - 1].name;
    }
  }
  this->expect_all_operand_classes();
  this->RecordProperty("vectors", std::to_string(this->vectors_));
}

TYPED_TEST(LaneTest, ResultComesAfterTheLatency) {
  EXPECT_EQ(this->driver_.measured_latency(4, {f32::kOne, f32::kOne, 0}), TypeParam::kLatency);
  EXPECT_EQ(this->driver_.measured_latency(kStepDivide, {f32::kOne, f32::kOne, 0}),
            TypeParam::kInterval);
  EXPECT_EQ(this->driver_.measured_latency(kStepSquareRoot, {f32::kOne, 0, 0}),
            TypeParam::kInterval);
}

}  // namespace
}  // namespace tally
