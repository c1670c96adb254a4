// SPDX-License-Identifier: Apache-2.0
// Constant vectors of a group (scales, biases, norms' weights): one blob in DRAM, loaded at once.
#include <algorithm>
#include <cstring>

#include "compiler/codegen/group_lowering.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;

bool reads_vectors(OpKind kind) {
  switch (kind) {
    case OpKind::kDequantize:
    case OpKind::kRequantize:
    case OpKind::kLayernorm:
    case OpKind::kRmsnorm:
    case OpKind::kAdd:
    case OpKind::kMul:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool GroupLowering::is_parameter(const Op& op, std::size_t operand) const {
  const ir::Value* value = op.operand(operand);
  return value != nullptr && reads_vectors(op.kind()) && is_constant(value) &&
         value->type.rank() == 1;
}

std::int64_t GroupLowering::add_parameter_bytes(std::int64_t bytes) {
  const std::int64_t offset = parameter_bytes_;
  parameter_bytes_ += round_up(bytes, std::max(4 * design_.lanes, design_.port_bytes));
  return offset;
}

void GroupLowering::collect_parameters() {
  std::vector<std::pair<std::int64_t, const ir::Value*>> vectors;
  for (const Op* op : group_.ops) {
    for (std::size_t i = 0; i < op->operands().size(); ++i) {
      const ir::Value* value = op->operand(i);
      if (!is_parameter(*op, i) || parameter_offset_.contains(value)) continue;
      const std::int64_t offset = add_parameter_bytes(4 * value->type.elements());
      parameter_offset_[value] = offset;
      vectors.emplace_back(offset, value);
    }
    if (op->kind() == OpKind::kAttentionI8 && op->get<bool>("causal"))
      positions_count_ = std::max(positions_count_, op->operand("k")->type.shape[0]);
  }
  if (positions_count_ > 0) positions_offset_ = add_parameter_bytes(4 * positions_count_);
  if (parameter_bytes_ == 0) return;
  const ir::Module* module = &lowering_->module;
  const auto make = [module, vectors, at = positions_offset_,
                     count = positions_count_](std::vector<std::uint8_t>* bytes) -> Status {
    for (const auto& [offset, value] : vectors) {
      TALLY_ASSIGN(const ir::Tensor tensor, constant_tensor(*module, *value));
      std::memcpy(bytes->data() + offset, tensor.data(), tensor.bytes().size());
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const float position = float(i);
      std::memcpy(bytes->data() + at + 4 * i, &position, 4);
    }
    return {};
  };
  parameter_blob_ = lowering_->image.place(parameter_bytes_, make);
}

void GroupLowering::load_parameters() {
  if (parameter_bytes_ == 0) return;
  set_node(group_.ops.front());
  const Layout layout{LayoutKind::kRows,    isa::Element::kF32, 1, 1,
                      parameter_bytes_ / 4, parameter_bytes_,   0};
  parameters_ = make(layout, group_.ops.front());
  lowering_->emitter.load(parameter_blob_, parameter_bytes_, 1, parameter_bytes_, parameters_.space,
                          parameters_.address, parameter_bytes_);
}

Stream GroupLowering::parameter(const ir::Value* value, std::int64_t first_column) const {
  const auto element =
      value->type.format == ir::Format::kI32 ? isa::Element::kI32 : isa::Element::kF32;
  return {parameters_.space,
          element,
          (parameters_.address + parameter_offset_.at(value)) / 4 + first_column,
          {0, 0, 1}};
}

Stream GroupLowering::positions(std::int64_t first) const {
  return {parameters_.space,
          isa::Element::kF32,
          (parameters_.address + positions_offset_) / 4 + first,
          {0, 0, 1}};
}

}  // namespace tally::codegen
