// SPDX-License-Identifier: Apache-2.0
// attention_i8: docs/ir.md gives the formula, step by step.
#include <algorithm>
#include <bit>
#include <limits>

#include "models/numeric/f32.h"
#include "models/numeric/functions.h"
#include "models/numeric/sums.h"
#include "models/ops/call.h"
#include "models/ops/integer_product.h"

namespace tally::ops::exact {
namespace {

using ir::Tensor;

constexpr float kHidden = -std::numeric_limits<float>::infinity();

// Scales of q, k or v: an operand of one a row and head, or one attribute.
class Scales {
 public:
  Scales(const Call& call, const std::string& name, std::int64_t heads)
      : values_(call.values<float>(name + "_scales")), heads_(heads) {
    if (values_.empty()) single_ = call.real(name + "_scale");
  }
  bool single() const { return values_.empty(); }
  float at(std::int64_t row, std::int64_t head) const {
    return single() ? single_ : values_[static_cast<std::size_t>(row * heads_ + head)];
  }

 private:
  std::span<const float> values_;
  std::int64_t heads_;
  float single_ = 0;
};

// What one block of keys gives one query.
struct BlockResult {
  float largest;
  float sum;
  std::vector<float> output;
};

class Attention {
 public:
  explicit Attention(const Call& call)
      : call_(call),
        heads_(call.integer("heads")),
        kv_heads_(call.integer("kv_heads")),
        queries_(call.operand("q").shape()[0]),
        keys_(call.operand("k").shape()[0]),
        width_(call.operand("q").shape()[1] / heads_),
        value_width_(call.operand("v").shape()[1] / kv_heads_),
        block_(call.op().has("block") ? call.integer("block") : keys_),
        causal_(call.op().get<bool>("causal")),
        mask_(call.values<float>("mask")),
        q_(widened(call.values<std::int8_t>("q"))),
        k_(widened(call.values<std::int8_t>("k"))),
        v_(call.values<std::int8_t>("v")),
        q_scales_(call, "q", heads_),
        k_scales_(call, "k", kv_heads_),
        v_scales_(call, "v", kv_heads_) {}

  Tensor run() const {
    auto y = call_.buffer<float>();
    for (std::int64_t head = 0; head < heads_; ++head)
      for (std::int64_t i = 0; i < queries_; ++i)
        query(i, head, y.data() + (i * heads_ + head) * value_width_);
    return Tensor::of(call_.result_shape(), std::move(y));
  }

 private:
  std::int64_t kv_head(std::int64_t head) const { return head / (heads_ / kv_heads_); }

  bool hidden(std::int64_t i, std::int64_t j) const {
    bool masked =
        !mask_.empty() && std::bit_cast<std::uint32_t>(mask_[static_cast<std::size_t>(j)]) == 0;
    return masked || (causal_ && j > i + keys_ - queries_);
  }

  void query(std::int64_t i, std::int64_t head, float* to) const {
    std::vector<BlockResult> blocks;
    for (std::int64_t begin = 0; begin < keys_; begin += block_)
      blocks.push_back(block(i, head, begin, std::min(begin + block_, keys_)));
    merge(blocks, to);
  }

  std::vector<float> scores(std::int64_t i, std::int64_t head, std::int64_t begin,
                            std::int64_t end) const {
    const std::int16_t* query = &q_[static_cast<std::size_t>((i * heads_ + head) * width_)];
    float factor = f32::mul(q_scales_.at(i, head), call_.real("scale"));
    std::vector<float> scores(static_cast<std::size_t>(end - begin), kHidden);
    for (std::int64_t j = begin; j < end; ++j) {
      if (hidden(i, j)) continue;
      auto place = static_cast<std::size_t>((j * kv_heads_ + kv_head(head)) * width_);
      float acc = f32::from_i32(dot(query, &k_[place], width_));
      scores[static_cast<std::size_t>(j - begin)] =
          f32::mul(f32::mul(acc, factor), k_scales_.at(j, kv_head(head)));
    }
    return scores;
  }

  BlockResult block(std::int64_t i, std::int64_t head, std::int64_t begin, std::int64_t end) const {
    std::vector<float> e = scores(i, head, begin, end);
    float largest = max64(e.data(), e.size());
    float base = largest == kHidden ? 0.0f : largest;
    for (float& value : e) value = f32::sub(value, base);
    find_function("exp")->array(e.data(), e.data(), e.size());
    float sum = sum64(e.data(), e.size());
    return {largest, sum, weighted_values(std::move(e), kv_head(head), begin)};
  }

  // The weights (e of a block) in uint8, times the rows of v from `begin` on.
  std::vector<float> weighted_values(std::vector<float> e, std::int64_t head,
                                     std::int64_t begin) const {
    float inverse = 255.0f;
    float scale = f32::mul(v_scales_.at(begin, head), 1.0f / 255.0f);
    if (!v_scales_.single()) {
      for (std::size_t j = 0; j < e.size(); ++j)
        e[j] = f32::mul(e[j], v_scales_.at(begin + static_cast<std::int64_t>(j), head));
      scale = f32::div(max64(e.data(), e.size()), 255.0f);
      inverse = f32::div(1.0f, scale);
    }
    std::vector<std::int32_t> acc(static_cast<std::size_t>(value_width_), 0);
    for (std::size_t j = 0; j < e.size(); ++j) {
      std::int32_t p = f32::to_u8(f32::mul(e[j], inverse), 0);
      std::int64_t row = begin + static_cast<std::int64_t>(j);
      const std::int8_t* value =
          &v_[static_cast<std::size_t>((row * kv_heads_ + head) * value_width_)];
      for (std::size_t c = 0; c < acc.size(); ++c) acc[c] += p * value[c];
    }
    std::vector<float> output(acc.size());
    std::ranges::transform(acc, output.begin(),
                           [&](std::int32_t a) { return f32::mul(f32::from_i32(a), scale); });
    return output;
  }

  void merge(const std::vector<BlockResult>& blocks, float* to) const {
    float largest = kHidden;
    for (const BlockResult& block : blocks) largest = f32::max(largest, block.largest);
    float sum = 0;
    std::vector<float> output(static_cast<std::size_t>(value_width_), 0.0f);
    for (const BlockResult& block : blocks) {
      float f = block.largest == kHidden
                    ? 0.0f
                    : find_function("exp")->scalar(f32::sub(block.largest, largest));
      sum = f32::add(sum, f32::mul(f, block.sum));
      for (std::size_t c = 0; c < output.size(); ++c)
        output[c] = f32::add(output[c], f32::mul(f, block.output[c]));
    }
    for (std::size_t c = 0; c < output.size(); ++c)
      to[c] = largest == kHidden ? 0.0f : f32::div(output[c], sum);
  }

  const Call& call_;
  std::int64_t heads_;
  std::int64_t kv_heads_;
  std::int64_t queries_;
  std::int64_t keys_;
  std::int64_t width_;
  std::int64_t value_width_;
  std::int64_t block_;
  bool causal_;
  std::span<const float> mask_;
  std::vector<std::int16_t> q_;
  std::vector<std::int16_t> k_;
  std::span<const std::int8_t> v_;
  Scales q_scales_;
  Scales k_scales_;
  Scales v_scales_;
};

}  // namespace

Tensor attention_i8(const Call& call) { return Attention(call).run(); }

}  // namespace tally::ops::exact
