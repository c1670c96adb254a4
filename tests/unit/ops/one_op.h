// SPDX-License-Identifier: Apache-2.0
// Runs a function body given as IR text on inputs, for the tests of single ops.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "compiler/ir/parser.h"
#include "models/ops/interpreter.h"
#include "tests/unit/ir/op_samples.h"

namespace tally::ops {

using ir::Tensor;

// Every value that the body defines, by its name.
inline Expected<Tensors> values_of(const std::string& body, const Tensors& inputs,
                                   Semantics semantics = Semantics::kExact) {
  TALLY_ASSIGN(ir::Module module, ir::parse(ir::sample_module(body)));
  TALLY_ASSIGN(Interpreter interpreter, Interpreter::create(module, semantics));
  Tensors seen;
  auto note = [&](const ir::Value& value, const Tensor& tensor) { seen[value.name()] = tensor; };
  TALLY_TRY(interpreter.run(inputs, note));
  return seen;
}

// The value %y.
inline Tensor value_of(const std::string& body, const Tensors& inputs,
                       Semantics semantics = Semantics::kExact) {
  auto values = values_of(body, inputs, semantics);
  EXPECT_TRUE(values) << values.error().message;
  return values ? values->at("y") : Tensor::of<float>({}, {0});
}

// Seeded values of a format: floats in -4 to 4, bytes over their range, i32 in 0 to 1.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::vector<float> floats(std::size_t n, float low = -4, float high = 4) {
    std::uniform_real_distribution<float> values(low, high);
    std::vector<float> result(n);
    for (float& value : result) value = values(engine_);
    return result;
  }
  template <class T>
  std::vector<T> integers(std::size_t n, int low, int high) {
    std::uniform_int_distribution<int> values(low, high);
    std::vector<T> result(n);
    for (T& value : result) value = static_cast<T>(values(engine_));
    return result;
  }
  Tensor of(const ir::Type& type) {
    auto n = static_cast<std::size_t>(type.elements());
    switch (type.format) {
      case ir::Format::kI8:
        return Tensor::of(type.shape, integers<std::int8_t>(n, -128, 127));
      case ir::Format::kU8:
        return Tensor::of(type.shape, integers<std::uint8_t>(n, 0, 255));
      case ir::Format::kI32:
        return Tensor::of(type.shape, integers<std::int32_t>(n, 0, 1));
      default:
        return Tensor::of(type.shape, floats(n));
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace tally::ops
