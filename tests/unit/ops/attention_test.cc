// SPDX-License-Identifier: Apache-2.0
// Both forms of attention against plain binary64, and what masks and blocks may not change.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "models/numeric/f32.h"
#include "models/numeric/functions.h"
#include "models/numeric/sums.h"
#include "tests/unit/ops/one_op.h"

namespace tally::ops {
namespace {

struct Shapes {
  std::int64_t queries = 5;
  std::int64_t keys = 9;
  std::int64_t heads = 4;
  std::int64_t kv_heads = 2;
  std::int64_t width = 3;
  std::int64_t value_width = 2;
};

struct Case {
  Shapes shapes = {};
  bool causal = false;
  bool mask = false;
  std::int64_t block = 0;
  float v_scale = 0;  // one scale for all of V where not 0
};

constexpr float kScale = 0.5f;

// The IR of one attention_i8 or attention on inputs named after the operands.
std::string body(const Case& c, bool quantised) {
  const Shapes& s = c.shapes;
  std::string format = quantised ? "i8" : "f32";
  auto input = [](const std::string& name, const std::string& type, std::int64_t rows,
                  std::int64_t columns) {
    return fmt::format("%{0} = input() {{name = \"{0}\"}} : {1}[{2},{3}]\n", name, type, rows,
                       columns);
  };
  std::string text = input("q", format, s.queries, s.heads * s.width) +
                     input("k", format, s.keys, s.kv_heads * s.width) +
                     input("v", format, s.keys, s.kv_heads * s.value_width);
  if (quantised) {
    text += input("qs", "f32", s.queries, s.heads) + input("ks", "f32", s.keys, s.kv_heads);
    if (c.v_scale == 0) text += input("vs", "f32", s.keys, s.kv_heads);
  }
  if (c.mask) text += fmt::format("%m = input() {{name = \"m\"}} : f32[{}]\n", s.keys);
  std::string operands =
      quantised ? (c.v_scale == 0 ? "%q, %qs, %k, %ks, %v, %vs" : "%q, %qs, %k, %ks, %v, _")
                : "%q, %k, %v";
  if (c.mask) operands += ", %m";
  std::string attributes = fmt::format("causal = {}, heads = {}, kv_heads = {}, scale = {}",
                                       c.causal, s.heads, s.kv_heads, kScale);
  if (c.block != 0) attributes += fmt::format(", block = {}", c.block);
  if (c.v_scale != 0) attributes += fmt::format(", v_scale = {}", ir::float_text(c.v_scale));
  return text + fmt::format("%y = {}({}) {{{}}} : f32[{},{}]\n",
                            quantised ? "attention_i8" : "attention", operands, attributes,
                            s.queries, s.heads * s.value_width);
}

Tensors random_inputs(const Case& c, unsigned seed) {
  const Shapes& s = c.shapes;
  Random random(seed);
  auto bytes = [&](std::int64_t rows, std::int64_t columns) {
    return Tensor::of({rows, columns}, random.integers<std::int8_t>(
                                           static_cast<std::size_t>(rows * columns), -127, 127));
  };
  auto scales = [&](std::int64_t rows, std::int64_t columns) {
    return Tensor::of({rows, columns},
                      random.floats(static_cast<std::size_t>(rows * columns), 0.005f, 0.03f));
  };
  Tensors inputs = {{"q", bytes(s.queries, s.heads * s.width)},
                    {"k", bytes(s.keys, s.kv_heads * s.width)},
                    {"v", bytes(s.keys, s.kv_heads * s.value_width)},
                    {"qs", scales(s.queries, s.heads)},
                    {"ks", scales(s.keys, s.kv_heads)}};
  if (c.v_scale == 0) inputs["vs"] = scales(s.keys, s.kv_heads);
  if (c.mask) {
    std::vector<float> mask(static_cast<std::size_t>(s.keys), 1.0f);
    mask[1] = 0;
    mask.back() = 0;
    inputs["m"] = Tensor::of({s.keys}, mask);
  }
  return inputs;
}

// The real values that bytes and scales stand for: width columns a head share a scale.
std::vector<double> real_values(const Tensor& bytes, const Tensor* scales, float single,
                                std::int64_t heads) {
  std::vector<double> values;
  std::int64_t columns = bytes.shape()[1];
  for (std::int64_t i = 0; i < bytes.elements(); ++i) {
    std::int64_t head = i % columns / (columns / heads);
    double scale =
        scales ? scales->as<float>()[static_cast<std::size_t>(i / columns * heads + head)] : single;
    values.push_back(bytes.as<std::int8_t>()[static_cast<std::size_t>(i)] * scale);
  }
  return values;
}

bool hidden(const Case& c, const Tensors& inputs, std::int64_t i, std::int64_t j) {
  if (c.mask && inputs.at("m").as<float>()[static_cast<std::size_t>(j)] == 0) return true;
  return c.causal && j > i + c.shapes.keys - c.shapes.queries;
}

struct RealInputs {
  std::vector<double> q;
  std::vector<double> k;
  std::vector<double> v;
};

RealInputs real_inputs(const Case& c, const Tensors& inputs) {
  const Shapes& s = c.shapes;
  const Tensor* vs = c.v_scale == 0 ? &inputs.at("vs") : nullptr;
  return {real_values(inputs.at("q"), &inputs.at("qs"), 0, s.heads),
          real_values(inputs.at("k"), &inputs.at("ks"), 0, s.kv_heads),
          real_values(inputs.at("v"), vs, c.v_scale, s.kv_heads)};
}

std::vector<double> plain_attention(const Case& c, const Tensors& inputs) {
  const Shapes& s = c.shapes;
  RealInputs real = real_inputs(c, inputs);
  std::vector<double> y;
  for (std::int64_t i = 0; i < s.queries; ++i)
    for (std::int64_t h = 0; h < s.heads; ++h) {
      std::int64_t g = h / (s.heads / s.kv_heads);
      std::vector<double> e(static_cast<std::size_t>(s.keys), 0.0);
      double sum = 0;
      for (std::int64_t j = 0; j < s.keys; ++j) {
        if (hidden(c, inputs, i, j)) continue;
        double dot = 0;
        for (std::int64_t d = 0; d < s.width; ++d)
          dot += real.q[static_cast<std::size_t>((i * s.heads + h) * s.width + d)] *
                 real.k[static_cast<std::size_t>((j * s.kv_heads + g) * s.width + d)];
        sum += e[static_cast<std::size_t>(j)] = std::exp(dot * kScale);
      }
      for (std::int64_t d = 0; d < s.value_width; ++d) {
        double value = 0;
        for (std::int64_t j = 0; j < s.keys; ++j)
          value += e[static_cast<std::size_t>(j)] *
                   real.v[static_cast<std::size_t>((j * s.kv_heads + g) * s.value_width + d)];
        y.push_back(sum == 0 ? 0 : value / sum);
      }
    }
  return y;
}

void expect_close(const Tensor& got, const std::vector<double>& expected, double tolerance) {
  auto values = got.as<float>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_TRUE(std::abs(values[i] - expected[i]) <= tolerance)
        << i << ": " << values[i] << " " << expected[i];
}

std::vector<Case> cases() {
  return {{},
          {.causal = true},
          {.mask = true},
          {.causal = true, .mask = true, .block = 4},
          {.block = 1},
          {.causal = true, .block = 3, .v_scale = 0.02f},
          {.shapes = {1, 1, 1, 1, 1, 1}},
          {.shapes = {7, 7, 3, 1, 8, 5}, .causal = true},
          {.shapes = {2, 130, 2, 2, 16, 16}, .block = 64}};
}

TEST(Attention, ReferenceIsPlainAttention) {
  unsigned seed = 10;
  for (const Case& c : cases()) {
    Tensors bytes = random_inputs(c, ++seed);
    RealInputs real = real_inputs(c, bytes);
    auto tensor = [](const Tensor& like, const std::vector<double>& values) {
      return Tensor::of(like.shape(), std::vector<float>(values.begin(), values.end()));
    };
    Tensors inputs = {{"q", tensor(bytes.at("q"), real.q)},
                      {"k", tensor(bytes.at("k"), real.k)},
                      {"v", tensor(bytes.at("v"), real.v)}};
    if (c.mask) inputs["m"] = bytes.at("m");
    Case plain = c;
    plain.v_scale = 0;
    expect_close(value_of(body(plain, false), inputs, Semantics::kReference),
                 plain_attention(c, bytes), 1e-5);
  }
}

TEST(AttentionI8, IsNearPlainAttention) {
  unsigned seed = 10;
  for (const Case& c : cases()) {
    Tensors inputs = random_inputs(c, ++seed);
    // Weights are rounded to 1/255 of the largest; a block's error is at most half of that a key.
    double largest = 127 * 0.03;
    double tolerance = largest * 0.5 / 255 * static_cast<double>(c.shapes.keys) + 1e-5;
    expect_close(value_of(body(c, true), inputs), plain_attention(c, inputs), tolerance);
  }
}

// The formula of docs/numerics.md for one query, one head, width 1, written out with scalar steps.
TEST(AttentionI8, BitsOfASmallCaseWrittenOut) {
  Case c{.shapes = {1, 3, 1, 1, 1, 1}, .block = 2};
  Tensors inputs = {{"q", Tensor::of<std::int8_t>({1, 1}, {100})},
                    {"k", Tensor::of<std::int8_t>({3, 1}, {50, -20, 90})},
                    {"v", Tensor::of<std::int8_t>({3, 1}, {10, -100, 77})},
                    {"qs", Tensor::of<float>({1, 1}, {0.013f})},
                    {"ks", Tensor::of<float>({3, 1}, {0.021f, 0.017f, 0.011f})},
                    {"vs", Tensor::of<float>({3, 1}, {0.3f, 0.2f, 0.1f})}};
  auto exp = find_function("exp")->scalar;
  volatile float factor = 0.013f * kScale;
  auto score = [&](float acc, float k_scale) {
    volatile float s = acc * factor;
    return s * k_scale;
  };
  float s0 = score(5000, 0.021f);
  float s1 = score(-2000, 0.017f);
  float s2 = score(9000, 0.011f);
  // Block 0: keys 0 and 1. Block 1: key 2 alone.
  float m0 = std::max(s0, s1);
  float e0 = exp(s0 - m0);
  float e1 = exp(s1 - m0);
  float w0 = e0 * 0.3f;
  float w1 = e1 * 0.2f;
  float t0 = std::max(w0, w1) / 255.0f;
  float r0 = 1.0f / t0;
  int p0 = f32::to_u8(w0 * r0, 0);
  int p1 = f32::to_u8(w1 * r0, 0);
  float l0 = e0 + e1;
  volatile float o0 = static_cast<float>(p0 * 10 - p1 * 100) * t0;
  float t1 = 1.0f * 0.1f / 255.0f;
  int p2 = f32::to_u8(0.1f * (1.0f / t1), 0);
  volatile float o1 = static_cast<float>(p2 * 77) * t1;
  float largest = std::max(m0, s2);
  volatile float f0 = exp(m0 - largest);
  volatile float f1 = exp(s2 - largest);
  volatile float l = 0.0f + f0 * l0;
  volatile float fl1 = f1 * 1.0f;
  l = l + fl1;
  volatile float fo0 = f0 * o0;
  volatile float fo1 = f1 * o1;
  volatile float o = 0.0f + fo0;
  o = o + fo1;
  EXPECT_EQ(value_of(body(c, true), inputs).as<float>()[0], o / l);
}

TEST(AttentionI8, ABlockOfTheWholeRowIsNoBlock) {
  Case c{.causal = true};
  Tensors inputs = random_inputs(c, 3);
  Tensor whole = value_of(body(c, true), inputs);
  c.block = c.shapes.keys;
  EXPECT_EQ(value_of(body(c, true), inputs), whole);
  c.block = 100;
  EXPECT_EQ(value_of(body(c, true), inputs), whole);
  c.block = 2;
  EXPECT_NE(value_of(body(c, true), inputs), whole);
}

// Rows behind the mask, whatever they hold, change no bit: caches may be longer than what is in
// them.
TEST(AttentionI8, MaskedKeysDoNotMatter) {
  for (std::int64_t block : {std::int64_t{0}, std::int64_t{4}}) {
    Case small{.shapes = {1, 9, 4, 2, 3, 2}, .mask = true, .block = block};
    Case large = small;
    large.shapes.keys = 64;
    Tensors inputs = random_inputs(small, 4);
    Tensors longer = random_inputs(large, 5);
    for (const char* name : {"q", "qs"}) longer[name] = inputs[name];
    for (const char* name : {"k", "v"}) {
      auto values = longer[name].as<std::int8_t>();
      std::vector<std::int8_t> mixed(values.begin(), values.end());
      std::ranges::copy(inputs[name].as<std::int8_t>(), mixed.begin());
      longer[name] = Tensor::of(longer[name].shape(), mixed);
    }
    for (const char* name : {"ks", "vs"}) {
      std::vector<float> mixed(static_cast<std::size_t>(longer[name].elements()), 1e30f);
      if (std::string(name) == "ks") mixed.back() = std::nanf("");
      std::ranges::copy(inputs[name].as<float>(), mixed.begin());
      longer[name] = Tensor::of(longer[name].shape(), mixed);
    }
    std::vector<float> mask(64, 0.0f);
    std::ranges::copy(inputs["m"].as<float>(), mask.begin());
    longer["m"] = Tensor::of({64}, mask);
    EXPECT_EQ(value_of(body(large, true), longer), value_of(body(small, true), inputs));
  }
}

TEST(Attention, AQueryThatSeesNoKeyGivesZero) {
  Case c{.mask = true};
  Tensors inputs = random_inputs(c, 6);
  inputs["m"] = Tensor::of({9}, std::vector<float>(9, 0.0f));
  EXPECT_EQ(value_of(body(c, true), inputs), Tensor::of({5, 8}, std::vector<float>(40, 0.0f)));
  c.block = 4;
  EXPECT_EQ(value_of(body(c, true), inputs), Tensor::of({5, 8}, std::vector<float>(40, 0.0f)));
  auto input = [](std::int64_t rows, std::int64_t columns) {
    return Tensor::of({rows, columns}, Random(7).floats(static_cast<std::size_t>(rows * columns)));
  };
  Tensors reals = {{"q", input(5, 12)}, {"k", input(9, 6)}, {"v", input(9, 4)}, {"m", inputs["m"]}};
  EXPECT_EQ(value_of(body(c, false), reals, Semantics::kReference),
            Tensor::of({5, 8}, std::vector<float>(40, 0.0f)));
}

// Minus zero has a bit set, so it does not hide, as the vector unit's select has it.
TEST(Attention, MaskLooksAtBits) {
  Case c{.mask = true};
  Tensors inputs = random_inputs(c, 8);
  inputs["m"] = Tensor::of({9}, std::vector<float>(9, -0.0f));
  Case open;
  Tensors without = inputs;
  without.erase("m");
  EXPECT_EQ(value_of(body(c, true), inputs), value_of(body(open, true), without));
}

TEST(AttentionI8, StaticScalesAreScalesThatAreEqual) {
  Case c{};
  Tensors inputs = random_inputs(c, 9);
  auto same = [&](const char* name, float value) {
    std::vector<float> values(static_cast<std::size_t>(inputs[name].elements()), value);
    inputs[name] = Tensor::of(inputs[name].shape(), values);
  };
  same("qs", 0.01f);
  same("ks", 0.02f);
  c.v_scale = 0.5f;
  inputs.erase("vs");
  Tensor dynamic = value_of(body(c, true), inputs);
  std::string text = body(c, true);
  auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("%q, %qs, %k, %ks", "%q, _, %k, _");
  replace("v_scale = 0.5", "v_scale = 0.5, q_scale = 0.01, k_scale = 0.02");
  EXPECT_EQ(value_of(text, inputs), dynamic);
}

}  // namespace
}  // namespace tally::ops
