// SPDX-License-Identifier: Apache-2.0
// The shape of each sequence as an emitter sees it: step counts, divides, and registers alive at
// once.
#include "models/numeric/sequences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "models/numeric/functions.h"

namespace tally {
namespace {

// Records each step with the values that it reads.
class RecordingBuilder {
 public:
  struct Value {
    int id;
  };
  struct Operand {
    Operand(Value value) : id(value.id) {}
    Operand(float) : id(-1) {}
    int id;
  };
  struct Step {
    std::string op;
    std::vector<int> reads;
  };

  Value input() { return step("input", {}); }
  Value constant(float) { return step("move", {}); }
  Value abs(Value a) { return step("abs", {a.id}); }
  Value neg(Value a) { return step("neg", {a.id}); }
  Value sqrt(Value a) { return step("sqrt", {a.id}); }
  Value i32_to_f32(Value a) { return step("i32_to_f32", {a.id}); }
  Value to_i32(Value a) { return step("to_i32", {a.id}); }
  Value add(Value a, Operand b) { return step("add", {a.id, b.id}); }
  Value sub(Value a, Operand b) { return step("sub", {a.id, b.id}); }
  Value mul(Value a, Operand b) { return step("mul", {a.id, b.id}); }
  Value div(Value a, Operand b) { return step("div", {a.id, b.id}); }
  Value min(Value a, Operand b) { return step("min", {a.id, b.id}); }
  Value max(Value a, Operand b) { return step("max", {a.id, b.id}); }
  Value lt(Value a, Operand b) { return step("lt", {a.id, b.id}); }
  Value scale2(Value a, Value n) { return step("scale2", {a.id, n.id}); }
  Value select(Value c, Operand a, Value d) { return step("select", {c.id, a.id, d.id}); }

  const std::vector<Step>& steps() const { return steps_; }

  // The largest number of values that are still to be read after some step, its result included.
  int most_alive() const {
    std::map<int, std::size_t> last_read;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      for (int id : steps_[i].reads) last_read[id] = i;
    }
    int most = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      int alive = 0;
      for (std::size_t v = 0; v <= i; ++v) {
        const auto read = last_read.find(static_cast<int>(v));
        alive += v == i || (read != last_read.end() && read->second > i) ? 1 : 0;
      }
      most = std::max(most, alive);
    }
    return most;
  }

 private:
  Value step(std::string op, std::vector<int> reads) {
    steps_.push_back({std::move(op), std::move(reads)});
    return {static_cast<int>(steps_.size()) - 1};
  }

  std::vector<Step> steps_;
};

struct Shape {
  int steps, slow, alive;
};

template <class Sequence>
Shape shape_of(Sequence sequence) {
  RecordingBuilder builder;
  sequence(builder, builder.input());
  int slow = 0;
  for (const RecordingBuilder::Step& step : builder.steps()) {
    slow += step.op == "div" || step.op == "sqrt" ? 1 : 0;
  }
  return {static_cast<int>(builder.steps().size()) - 1, slow, builder.most_alive()};
}

#define TALLY_SHAPE(name)                                                  \
  {                                                                        \
#name, shape_of([](auto& b, auto x) { return sequences::name(b, x); }) \
  }

std::map<std::string, Shape> shapes() {
  return {TALLY_SHAPE(exp),       TALLY_SHAPE(sigmoid),    TALLY_SHAPE(silu),
          TALLY_SHAPE(tanh),      TALLY_SHAPE(erf),        TALLY_SHAPE(gelu_erf),
          TALLY_SHAPE(gelu_tanh), TALLY_SHAPE(reciprocal), TALLY_SHAPE(rsqrt)};
}

TEST(Sequences, TableGivesTheStepCounts) {
  const std::map<std::string, Shape> all = shapes();
  ASSERT_EQ(all.size(), functions().size());
  for (const FunctionInfo& function : functions()) {
    EXPECT_EQ(all.at(std::string(function.name)).steps, function.steps) << function.name;
  }
}

// A routine has 8 registers; two are left to the code around a sequence.
TEST(Sequences, FitIntoSixRegisters) {
  for (const auto& [name, shape] : shapes()) EXPECT_LE(shape.alive, 5) << name;
}

TEST(Sequences, DivideAndSquareRoot) {
  for (const auto& [name, shape] : shapes()) {
    const bool none = name == "exp" || name == "erf" || name == "gelu_erf" || name == "gelu_tanh";
    EXPECT_EQ(shape.slow, none ? 0 : (name == "rsqrt" ? 2 : 1)) << name;
  }
}

std::string bound_text(const ErrorBound& bound) {
  return bound.ulps > 0 ? fmt::format("{} ulp", bound.ulps)
                        : fmt::format("{:.1e} absolute", bound.absolute);
}

// docs/numerics.md has one line for each function and range of its bounds.
TEST(Sequences, DocumentGivesStepsAndBounds) {
  std::ifstream file(std::string(TALLY_SOURCE_DIR) + "/docs/numerics.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::map<std::string, Shape> all = shapes();
  for (const FunctionInfo& function : functions()) {
    const Shape& shape = all.at(std::string(function.name));
    for (const ErrorBound& bound : function.bounds) {
      const std::string line =
          fmt::format("| `{}` | {} | {} | {} to {} | {} |", function.name, shape.steps, shape.slow,
                      bound.low, bound.high, bound_text(bound));
      EXPECT_NE(text.str().find(line), std::string::npos) << "docs/numerics.md lacks: " << line;
    }
  }
}

}  // namespace
}  // namespace tally
