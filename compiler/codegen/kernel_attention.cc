// SPDX-License-Identifier: Apache-2.0
// Attention with integer products, by the arithmetic of docs/numerics.md. Keys and values of one
// KV head are stationary operands; queries stream through them; the vector unit turns scores into
// uint8 weights in a few passes and merges the key blocks.
#include <algorithm>
#include <limits>

#include "compiler/codegen/functions.h"
#include "compiler/codegen/group_lowering.h"
#include "compiler/codegen/row_reduction.h"
#include "models/numeric/f32.h"

namespace tally::codegen {
namespace {

using ir::Op;
using isa::Space;
using isa::StepOp;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

Stream over(const OnChip& value) { return stream_over(value.layout, value.space, value.address); }

}  // namespace

// One head: its keys and values on the chip, for all blocks of queries.
class AttentionHead {
 public:
  // Keys or values of one KV head in the weight scratchpad, a padded row a key.
  struct Operand {
    Hold hold;
    Layout layout;                   // of the whole value
    const OnChip* scales = nullptr;  // null: one static scale
  };

  AttentionHead(GroupLowering* group, const Op& op, std::int64_t head, std::int64_t kv_head,
                const Operand& keys, const Operand& values, const OnChip* mask)
      : group_(*group),
        design_(group->design_),
        op_(op),
        head_(head),
        kv_head_(kv_head),
        keys_(keys),
        values_(values),
        mask_(mask) {}

  void attend(Block* block);

 private:
  // Row values of a key block: its maximum, the shift of its exponents (then the factor f of the
  // merge), its sum, the scale of its weights and that scale's reciprocal.
  enum Slot { kMaximum, kShift, kSum, kScale, kReciprocal, kSlots };
  struct KeyBlock {
    std::int64_t index, first, count;
  };

  Stream slot(std::int64_t block, Slot which) const {
    return group_.row_value(stats_, block * kSlots + which);
  }
  Stream total_maximum() const { return group_.row_value(stats_, blocks_ * kSlots); }
  Stream total_sum() const { return group_.row_value(stats_, blocks_ * kSlots + 1); }
  Stream column_scales(const OnChip& scales, const KeyBlock& keys) const;
  Stream accumulator_stream(const Hold& hold, std::int64_t columns) const;
  Hold product(const OnChip& a, std::int64_t a_offset, const Operand& w, const KeyBlock& keys,
               bool transposed);

  void scores(const Hold& accumulators, const KeyBlock& keys, const OnChip& s);
  void exponentials(const KeyBlock& keys, const OnChip& s);
  void weights(const KeyBlock& keys, const OnChip& s, const OnChip& p);
  void merge_sums();
  void merge_outputs(const std::vector<Stream>& outputs, bool from_accumulators);

  GroupLowering& group_;
  const Design& design_;
  const Op& op_;
  std::int64_t head_, kv_head_;
  const Operand &keys_, &values_;
  const OnChip* mask_;  // null: none

  Block* block_ = nullptr;
  std::int64_t rows_ = 0, blocks_ = 0;
  OnChip stats_;
};

Stream AttentionHead::column_scales(const OnChip& scales, const KeyBlock& keys) const {
  return {scales.space,
          isa::Element::kF32,
          (scales.address + kv_head_ * scales.layout.pitch) / 4 + keys.first,
          {0, 0, 1}};
}

Stream AttentionHead::accumulator_stream(const Hold& hold, std::int64_t columns) const {
  return {Space::kAccumulators,
          isa::Element::kI32,
          hold->address / 4,
          {0, round_up(columns, design_.columns), 1}};
}

// (rows, K) from the activations times keys or values: scores (K = depth, N = keys) or outputs (K =
// keys, N = width).
Hold AttentionHead::product(const OnChip& a, std::int64_t a_offset, const Operand& w,
                            const KeyBlock& keys, bool transposed) {
  const std::int64_t k = transposed ? w.layout.columns : keys.count;
  const std::int64_t n = transposed ? keys.count : w.layout.columns;
  const std::int64_t tiles = ceil_div(n, design_.columns);
  const Hold to = group_.hold(Space::kAccumulators, rows_ * tiles * design_.columns * 4, &op_);
  group_.lowering_->emitter.matmul(
      {.a_address = std::uint32_t(a.address + a_offset),
       .a_pitch = std::uint32_t(a.layout.pitch),
       .w_address = std::uint32_t(w.hold->address + keys.first * w.layout.group_pitch),
       .w_pitch = std::uint32_t(w.layout.group_pitch),
       .m = std::uint32_t(rows_),
       .k = std::uint32_t(k),
       .n = std::uint32_t(n),
       .acc_row = std::uint32_t(to->address / (4 * design_.columns)),
       .acc_m_stride = std::uint32_t(tiles),
       .acc_n_stride = 1,
       .a_unsigned = a.layout.element == isa::Element::kU8,
       .transposed = transposed,
       .mode = isa::AccumulateMode::kWrite});
  group_.add_macs(&op_, rows_ * k * n);
  return to;
}

// s = float(acc) x (query scale x scale) x key scale, masked; m = its row maximum.
void AttentionHead::scores(const Hold& accumulators, const KeyBlock& keys, const OnChip& s) {
  StreamedRoutine r;
  auto value =
      r.builder.unary(StepOp::kI32ToF32, r.load(accumulator_stream(accumulators, keys.count)));
  const float scale = op_.get<float>("scale");
  if (const ir::Value* scales = op_.operand("q_scales"); scales != nullptr) {
    Stream stream = over(block_->values.at(scales));
    stream.start += head_ * stream.stride[0];
    stream.stride[0] = 0;
    const auto factor = r.builder.binary(StepOp::kMul, r.load(stream), scale);
    value = r.builder.binary(StepOp::kMul, value, factor);
  } else {
    value = r.builder.binary(StepOp::kMul, value, f32::mul(op_.get<float>("q_scale"), scale));
  }
  value = keys_.scales != nullptr
              ? r.builder.binary(StepOp::kMul, value, r.load(column_scales(*keys_.scales, keys)))
              : r.builder.binary(StepOp::kMul, value, op_.get<float>("k_scale"));
  const std::int64_t first_own = keys_.layout.rows - group_.group_.rows + block_->first_row;
  const bool cut = op_.get<bool>("causal") && keys.first + keys.count - 1 > first_own;
  if (cut && mask_ != nullptr)
    throw CannotLower{ir::describe(op_) +
                      ": causal attention of several queries with a mask cannot be lowered"};
  if (cut) {
    Stream own = group_.positions(first_own);
    own.stride = {0, 1, 0};
    const auto seen =
        r.builder.binary(StepOp::kLe, r.load(group_.positions(keys.first)), r.load(own));
    value = r.builder.select(seen, value, r.builder.constant(-kInfinity));
  }
  if (mask_ != nullptr) {
    const Stream mask{mask_->space, isa::Element::kF32, mask_->address / 4 + keys.first, {0, 0, 1}};
    value = r.builder.select(r.load(mask), value, r.builder.constant(-kInfinity));
  }
  r.store(value, over(s));
  r.builder.psum(StepOp::kPsumMax, value);
  const Stream maximum_slot = slot(keys.index, kMaximum), shift_slot = slot(keys.index, kShift);
  reduce_rows(&group_.lowering_->emitter, r, StepOp::kFoldMax, {1, rows_, keys.count}, maximum_slot,
              [&](StreamedRoutine* rows, auto maximum, const auto& at) {
                rows->store(maximum, at(maximum_slot));
                const auto empty = rows->builder.binary(StepOp::kEq, maximum, -kInfinity);
                rows->store(rows->builder.select(empty, 0.0f, maximum), at(shift_slot));
              });
}

// e = exp(s - m), l = its sum; s becomes w = e x scale of the value's row.
void AttentionHead::exponentials(const KeyBlock& keys, const OnChip& s) {
  StreamedRoutine r;
  const auto shifted =
      r.builder.binary(StepOp::kSub, r.load(over(s)), r.load(slot(keys.index, kShift)));
  const auto e = emit_exp(&r.builder, shifted);
  r.builder.psum(StepOp::kPsumAdd, e);
  r.store(values_.scales != nullptr
              ? r.builder.binary(StepOp::kMul, e, r.load(column_scales(*values_.scales, keys)))
              : e,
          over(s));
  r.store(r.builder.fold(StepOp::kFoldAdd), slot(keys.index, kSum));
  r.emit(&group_.lowering_->emitter, {1, rows_, keys.count});
}

// p = w in uint8 with the scale max(w) / 255 of the row; static values: w = e with 1 / 255.
void AttentionHead::weights(const KeyBlock& keys, const OnChip& s, const OnChip& p) {
  const Extents extents{1, rows_, keys.count};
  StreamedRoutine r;
  if (values_.scales == nullptr) {
    const auto scaled = r.builder.binary(StepOp::kMul, r.load(over(s)), 255.0f);
    r.store(r.builder.binary_bits(StepOp::kF32ToU8, scaled, 0), over(p));
    return r.emit(&group_.lowering_->emitter, extents);
  }
  StreamedRoutine m;
  m.builder.psum(StepOp::kPsumMax, m.load(over(s)));
  const Stream scale_slot = slot(keys.index, kScale), inverse_slot = slot(keys.index, kReciprocal);
  reduce_rows(&group_.lowering_->emitter, m, StepOp::kFoldMax, extents, scale_slot,
              [&](StreamedRoutine* rows, auto maximum, const auto& at) {
                const RowScale row = emit_row_scale(&rows->builder, maximum, 255.0f);
                rows->store(row.scale, at(scale_slot));
                rows->store(row.reciprocal, at(inverse_slot));
              });
  const auto scaled =
      r.builder.binary(StepOp::kMul, r.load(over(s)), r.load(slot(keys.index, kReciprocal)));
  r.store(r.builder.binary_bits(StepOp::kF32ToU8, scaled, 0), over(p));
  r.emit(&group_.lowering_->emitter, extents);
}

// M = max m_b; f_b = exp(m_b - M), 0 where m_b = -inf; l = sum of f_b l_b, from +0.
void AttentionHead::merge_sums() {
  Emitter* emitter = &group_.lowering_->emitter;
  const Extents row{1, 1, rows_};
  for (std::int64_t b = 0; b < blocks_; ++b) {
    StreamedRoutine r;
    auto maximum = r.load(rows_as_columns(slot(b, kMaximum)));
    if (b > 0)
      maximum = r.builder.binary(StepOp::kMax, r.load(rows_as_columns(total_maximum())), maximum);
    r.store(maximum, rows_as_columns(total_maximum()));
    r.emit(emitter, row);
  }
  for (std::int64_t b = 0; b < blocks_; ++b) {
    StreamedRoutine r;
    const auto maximum = r.load(rows_as_columns(slot(b, kMaximum)));
    const auto e = emit_exp(&r.builder, r.builder.binary(StepOp::kSub, maximum,
                                                         r.load(rows_as_columns(total_maximum()))));
    const auto again = r.load(rows_as_columns(slot(b, kMaximum)));
    const auto f = r.builder.select(r.builder.binary(StepOp::kEq, again, -kInfinity), 0.0f, e);
    r.store(f, rows_as_columns(slot(b, kShift)));
    const auto part = r.builder.binary(StepOp::kMul, f, r.load(rows_as_columns(slot(b, kSum))));
    const auto before = b == 0 ? r.builder.constant(0.0f) : r.load(rows_as_columns(total_sum()));
    r.store(r.builder.binary(StepOp::kAdd, before, part), rows_as_columns(total_sum()));
    r.emit(emitter, row);
  }
}

// o = sum of f_b o_b, from +0; the result is o / l, and 0 where M = -inf.
void AttentionHead::merge_outputs(const std::vector<Stream>& outputs, bool from_accumulators) {
  const OnChip& y = block_->values.at(op_.result());
  Stream to = over(y);
  to.start += head_ * values_.layout.columns;
  for (std::int64_t b = 0; b < blocks_; ++b) {
    StreamedRoutine r;
    auto o = r.load(outputs[std::size_t(b)]);
    if (from_accumulators) {
      o = r.builder.unary(StepOp::kI32ToF32, o);
      o = values_.scales != nullptr
              ? r.builder.binary(StepOp::kMul, o, r.load(slot(b, kScale)))
              : r.builder.binary(StepOp::kMul, o, static_output_scale(op_.get<float>("v_scale")));
    }
    o = r.builder.binary(StepOp::kMul, r.load(slot(b, kShift)), o);
    const auto before = b == 0 ? r.builder.constant(0.0f) : r.load(to);
    o = r.builder.binary(StepOp::kAdd, before, o);
    if (b == blocks_ - 1) {
      o = r.builder.binary(StepOp::kDiv, o, r.load(total_sum()));
      const auto empty = r.builder.binary(StepOp::kEq, r.load(total_maximum()), -kInfinity);
      o = r.builder.select(empty, 0.0f, o);
    }
    r.store(o, to);
    r.emit(&group_.lowering_->emitter, {1, rows_, values_.layout.columns});
  }
}

void AttentionHead::attend(Block* block) {
  block_ = block;
  rows_ = block->rows;
  const std::int64_t all_keys = keys_.layout.rows;
  // Keys after the last query's own change no bit, and are left out.
  const std::int64_t visible =
      op_.get<bool>("causal") ? all_keys - group_.group_.rows + block->first_row + rows_ : all_keys;
  const std::int64_t block_keys = op_.has("block") ? op_.get<std::int64_t>("block") : all_keys;
  blocks_ = ceil_div(visible, block_keys);
  stats_ = group_.make_row_values(*block, blocks_ * kSlots + 2, &op_);
  const OnChip& q = block->values.at(op_.operand("q"));

  Layout stack = rows_layout(design_, isa::Element::kF32, rows_ * blocks_, values_.layout.columns);
  std::optional<OnChip> partial;
  if (blocks_ > 1) partial = group_.make(stack, &op_);
  std::vector<Stream> outputs;
  Hold last;
  for (std::int64_t b = 0; b < blocks_; ++b) {
    const KeyBlock keys{b, b * block_keys, std::min(block_keys, visible - b * block_keys)};
    const OnChip s = group_.make(rows_layout(design_, isa::Element::kF32, rows_, keys.count), &op_);
    scores(product(q, head_ * q.layout.group_pitch, keys_, keys, true), keys, s);
    exponentials(keys, s);
    const OnChip p = group_.make(rows_layout(design_, isa::Element::kU8, rows_, keys.count), &op_);
    weights(keys, s, p);
    last = product(p, 0, values_, keys, false);
    const Stream accumulators = accumulator_stream(last, values_.layout.columns);
    if (!partial) {
      outputs.push_back(accumulators);
      continue;
    }
    Stream o = over(*partial);
    o.start += b * rows_ * stack.pitch / 4;
    StreamedRoutine r;
    auto value = r.builder.unary(StepOp::kI32ToF32, r.load(accumulators));
    value =
        values_.scales != nullptr
            ? r.builder.binary(StepOp::kMul, value, r.load(slot(b, kScale)))
            : r.builder.binary(StepOp::kMul, value, static_output_scale(op_.get<float>("v_scale")));
    r.store(value, o);
    r.emit(&group_.lowering_->emitter, {1, rows_, values_.layout.columns});
    outputs.push_back(o);
  }
  merge_sums();
  merge_outputs(outputs, !partial);
}

void GroupLowering::lower_attention(const Op& op) {
  const auto heads = op.get<std::int64_t>("heads"), kv_heads = op.get<std::int64_t>("kv_heads");
  Emitter& emitter = lowering_->emitter;

  const auto load_whole = [&](const char* name) -> std::optional<OnChip> {
    const ir::Value* value = op.operand(name);
    if (value == nullptr) return std::nullopt;
    const DramTensor tensor = lowering_->place_of(value);
    const OnChip to = make(tensor.layout, &op);
    const std::int64_t pitch = tensor.layout.pitch;
    emitter.load(tensor.address, pitch, tensor.layout.bytes() / pitch, pitch, to.space, to.address,
                 pitch);
    return to;
  };
  const auto load_head = [&](const char* name, std::int64_t head,
                             const std::optional<OnChip>& scales) {
    const DramTensor tensor = lowering_->place_of(op.operand(name));
    const std::int64_t pitch = tensor.layout.group_pitch;
    const Hold to = hold(Space::kWeights, tensor.layout.rows * pitch, &op);
    emitter.load({tensor.address.base, tensor.address.offset + head * pitch}, tensor.layout.pitch,
                 tensor.layout.rows, pitch, Space::kWeights, to->address, pitch);
    return AttentionHead::Operand{to, tensor.layout, scales ? &*scales : nullptr};
  };

  const auto key_scales = load_whole("k_scales"), value_scales = load_whole("v_scales"),
             mask = load_whole("mask");
  for (Block& block : *blocks_) {
    need(&block, op.operand("q"));
    if (op.operand("q_scales") != nullptr) need(&block, op.operand("q_scales"));
    make_result(&block, op.result(), &op);
  }
  for (std::int64_t kv_head = 0; kv_head < kv_heads; ++kv_head) {
    const auto keys = load_head("k", kv_head, key_scales);
    const auto values = load_head("v", kv_head, value_scales);
    const std::int64_t shared = heads / kv_heads;
    for (std::int64_t head = kv_head * shared; head < (kv_head + 1) * shared; ++head)
      for (Block& block : *blocks_)
        AttentionHead(this, op, head, kv_head, keys, values, mask ? &*mask : nullptr)
            .attend(&block);
  }
  for (Block& block : *blocks_) store_result(block, op.result());
}

}  // namespace tally::codegen
