// SPDX-License-Identifier: Apache-2.0
// attention_i8: docs/numerics.md gives the formula, step by step.
#include <algorithm>
#include <bit>
#include <limits>

#include "models/numeric/f32.h"
#include "models/numeric/functions.h"
#include "models/numeric/int_matmul.h"
#include "models/numeric/quantize.h"
#include "models/numeric/sums.h"
#include "models/ops/call.h"

namespace tally::ops::exact {
namespace {

using ir::Tensor;

constexpr float kHidden = -std::numeric_limits<float>::infinity();

const FunctionInfo& exp_sequence() {
  static const FunctionInfo sequence = *find_function("exp");
  return sequence;
}

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

// Columns of one head, as a matrix of its own; `turned` transposed.
std::vector<std::int8_t> head_of(const Matrix<std::int8_t>& matrix, std::int64_t head,
                                 std::int64_t width, bool turned) {
  std::vector<std::int8_t> result;
  result.reserve(static_cast<std::size_t>(matrix.rows * width));
  std::int64_t outer = turned ? width : matrix.rows;
  std::int64_t inner = turned ? matrix.rows : width;
  for (std::int64_t a = 0; a < outer; ++a)
    for (std::int64_t b = 0; b < inner; ++b) {
      std::int64_t row = turned ? b : a;
      std::int64_t column = head * width + (turned ? a : b);
      result.push_back(matrix.values[static_cast<std::size_t>(row * matrix.columns + column)]);
    }
  return result;
}

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
        q_scales_(call, "q", heads_),
        k_scales_(call, "k", kv_heads_),
        v_scales_(call, "v", kv_heads_) {}

  Tensor run() {
    auto y = call_.buffer<float>();
    for (std::int64_t head = 0; head < heads_; ++head) {
      kv_head_ = head / (heads_ / kv_heads_);
      load_head(head);
      for (std::int64_t i = 0; i < queries_; ++i)
        query(i, head, y.data() + (i * heads_ + head) * value_width_);
    }
    return Tensor::of(call_.result_shape(), std::move(y));
  }

 private:
  // Integer scores and values of a head.
  void load_head(std::int64_t head) {
    auto q = head_of(call_.matrix<std::int8_t>("q"), head, width_, false);
    auto k = head_of(call_.matrix<std::int8_t>("k"), kv_head_, width_, true);
    products_.resize(static_cast<std::size_t>(queries_ * keys_));
    tally::matmul_i8({static_cast<std::size_t>(queries_), static_cast<std::size_t>(width_),
                      static_cast<std::size_t>(keys_)},
                     q.data(), k.data(), products_.data());
    values_ = head_of(call_.matrix<std::int8_t>("v"), kv_head_, value_width_, false);
  }

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
    float factor = f32::mul(q_scales_.at(i, head), call_.real("scale"));
    std::vector<float> scores(static_cast<std::size_t>(end - begin), kHidden);
    for (std::int64_t j = begin; j < end; ++j)
      if (!hidden(i, j))
        scores[static_cast<std::size_t>(j - begin)] = tally::dequantize(
            products_[static_cast<std::size_t>(i * keys_ + j)], factor, k_scales_.at(j, kv_head_));
    return scores;
  }

  BlockResult block(std::int64_t i, std::int64_t head, std::int64_t begin, std::int64_t end) const {
    std::vector<float> e = scores(i, head, begin, end);
    float largest = max64(e.data(), e.size());
    float base = largest == kHidden ? 0.0f : largest;
    for (float& value : e) value = f32::sub(value, base);
    exp_sequence().array(e.data(), e.data(), e.size());
    float sum = sum64(e.data(), e.size());
    return {largest, sum, weighted_values(std::move(e), begin)};
  }

  // The weights (e of a block) in uint8, times the rows of v from `begin` on.
  std::vector<float> weighted_values(std::vector<float> e, std::int64_t begin) const {
    std::vector<std::uint8_t> p(e.size());
    float scale = 0;
    if (v_scales_.single()) {
      for (std::size_t j = 0; j < e.size(); ++j) p[j] = f32::to_u8(f32::mul(e[j], kU8Levels), 0);
      scale = f32::mul(v_scales_.at(begin, kv_head_), 1.0f / kU8Levels);
    } else {
      for (std::size_t j = 0; j < e.size(); ++j)
        e[j] = f32::mul(e[j], v_scales_.at(begin + static_cast<std::int64_t>(j), kv_head_));
      scale = quantize_row_u8(e.data(), e.size(), p.data());
    }
    auto columns = static_cast<std::size_t>(value_width_);
    std::vector<std::int32_t> acc(columns);
    tally::matmul_u8i8({1, e.size(), columns}, p.data(),
                       &values_[static_cast<std::size_t>(begin) * columns], acc.data());
    std::vector<float> output(columns);
    std::ranges::transform(acc, output.begin(),
                           [&](std::int32_t a) { return tally::dequantize(a, scale); });
    return output;
  }

  void merge(const std::vector<BlockResult>& blocks, float* to) const {
    float largest = kHidden;
    for (const BlockResult& block : blocks) largest = f32::max(largest, block.largest);
    float sum = 0;
    std::vector<float> output(static_cast<std::size_t>(value_width_), 0.0f);
    for (const BlockResult& block : blocks) {
      bool empty = block.largest == kHidden;
      float f = empty ? 0.0f : exp_sequence().scalar(f32::sub(block.largest, largest));
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
  Scales q_scales_;
  Scales k_scales_;
  Scales v_scales_;
  // Of the head at work.
  std::int64_t kv_head_ = 0;
  std::vector<std::int32_t> products_;
  std::vector<std::int8_t> values_;
};

}  // namespace

Tensor attention_i8(const Call& call) { return Attention(call).run(); }

}  // namespace tally::ops::exact
