// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/group_lowering.h"

#include <algorithm>
#include <cstring>

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;

// Copies a constant matrix row by row into its layout.
Status fill_rows(const ir::Tensor& tensor, const Layout& layout, std::vector<std::uint8_t>* bytes) {
  const std::int64_t row = layout.columns * element_bytes(layout.element);
  const auto* from = reinterpret_cast<const std::uint8_t*>(tensor.data());
  for (std::int64_t r = 0; r < layout.rows; ++r)
    std::memcpy(bytes->data() + r * layout.pitch, from + r * row, std::size_t(row));
  return {};
}

Layout checked_layout(const Design& design, const ir::Value& value) {
  auto layout = layout_of(design, value);
  if (!layout) throw CannotLower{layout.error().message};
  return *layout;
}

}  // namespace

DramTensor Lowering::place_of(const ir::Value* value) {
  if (auto found = dram.find(value); found != dram.end()) return found->second;
  const Op& op = *value->producer();
  DramTensor tensor;
  if (op.kind() == OpKind::kSliceRows) {
    tensor = place_of(op.operand(0));
    tensor.address.offset += op.get<std::int64_t>("begin") * tensor.layout.pitch;
    tensor.layout.rows = value->type.shape[0];
  } else if (op.kind() == OpKind::kReshape) {
    tensor = place_of(op.operand(0));
    const Layout wanted = checked_layout(design, *value);
    if (wanted.rows != tensor.layout.rows || wanted.columns != tensor.layout.columns)
      throw CannotLower{ir::describe(op) +
                        ": a reshape that moves elements between rows cannot be lowered"};
  } else {
    tensor.layout = checked_layout(design, *value);
    if (is_constant(value)) {
      const auto make = [this, value,
                         layout = tensor.layout](std::vector<std::uint8_t>* bytes) -> Status {
        TALLY_ASSIGN(const ir::Tensor constant, constant_tensor(module, *value));
        return fill_rows(constant, layout, bytes);
      };
      tensor.address = image.place(tensor.layout.bytes(), make);
    } else {
      tensor.address = image.reserve(RegionKind::kScratch, tensor.layout.bytes());
    }
  }
  dram[value] = tensor;
  return tensor;
}

GroupLowering::GroupLowering(Lowering* lowering, const Group& group,
                             std::vector<std::vector<Block>> sets)
    : lowering_(lowering), design_(lowering->design), group_(group), sets_(std::move(sets)) {
  for (std::size_t i = 0; i < group.ops.size(); ++i) position_[group.ops[i]] = i;
}

void GroupLowering::lower() {
  collect_parameters();
  load_parameters();
  for (auto& set : sets_) lower_set(&set);
}

void GroupLowering::lower_set(std::vector<Block>* blocks) {
  blocks_ = blocks;
  done_.clear();
  for (std::size_t i = 0; i < group_.ops.size(); ++i) {
    if (!done_.contains(group_.ops[i])) {
      set_node(group_.ops[i]);
      lower_op(i);
    }
    release_dead(i);
  }
}

void GroupLowering::lower_op(std::size_t index) {
  const Op& op = *group_.ops[index];
  switch (op.kind()) {
    case OpKind::kMatmulI8:
      return lower_matmul(index);
    case OpKind::kEmbedding:
      return lower_embedding(op);
    case OpKind::kLayernorm:
    case OpKind::kRmsnorm:
      return lower_norm(op);
    case OpKind::kSoftmax:
      return lower_softmax(op);
    case OpKind::kQuantizeRows:
      return lower_quantize_rows(op);
    case OpKind::kRope:
      return lower_rope(op);
    case OpKind::kAttentionI8:
      return lower_attention(op);
    default:
      return lower_chain(index);
  }
}

// A value goes when the last op of the group that uses it is done.
void GroupLowering::release_dead(std::size_t index) {
  for (Block& block : *blocks_)
    std::erase_if(block.values, [&](const auto& entry) {
      const ir::Value* value = entry.first;
      for (const Op* user : lowering_->function.users(value))
        if (auto found = position_.find(user);
            found != position_.end() && found->second > index && !done_.contains(user))
          return false;
      return true;
    });
}

Hold GroupLowering::hold(isa::Space space, std::int64_t bytes, const Op* op) {
  const auto buffer = lowering_->banks.allocate(space, bytes);
  if (!buffer) throw NoRoom{op, space, bytes};
  schedule::Banks* banks = &lowering_->banks;
  return Hold(new schedule::Buffer(*buffer), [banks](const schedule::Buffer* held) {
    banks->release(*held);
    delete held;
  });
}

OnChip GroupLowering::make(const Layout& layout, const Op* op, isa::Space space) {
  OnChip made{hold(space, layout.bytes(), op), 0, layout, space};
  made.address = made.hold->address;
  return made;
}

OnChip GroupLowering::make_result(Block* block, const ir::Value* value, const Op* op) {
  const Layout whole = checked_layout(design_, *value);
  return block->values[value] = make(block_layout(design_, whole, block->rows), op);
}

const OnChip& GroupLowering::need(Block* block, const ir::Value* value) {
  if (auto found = block->values.find(value); found != block->values.end()) return found->second;
  const DramTensor tensor = lowering_->place_of(value);
  const OnChip place = make(block_layout(design_, tensor.layout, block->rows), value->producer());
  load_block(tensor, *block, place);
  return block->values[value] = place;
}

void GroupLowering::load_block(const DramTensor& tensor, const Block& block, const OnChip& to) {
  DramAddress from = tensor.address;
  if (tensor.layout.kind == LayoutKind::kScales) {
    from.offset += 4 * block.first_row;
    lowering_->emitter.load(from, tensor.layout.pitch, tensor.layout.groups,
                            round_up(4 * block.rows, design_.port_bytes), to.space, to.address,
                            to.layout.pitch);
    return;
  }
  from.offset += block.first_row * tensor.layout.pitch;
  lowering_->emitter.load(from, tensor.layout.pitch, block.rows, tensor.layout.pitch, to.space,
                          to.address, to.layout.pitch);
}

void GroupLowering::store_result(const Block& block, const ir::Value* value) {
  if (!leaves_group(value)) return;
  const OnChip& from = block.values.at(value);
  const DramTensor tensor = lowering_->place_of(value);
  DramAddress to = tensor.address;
  if (tensor.layout.kind == LayoutKind::kScales) {
    to.offset += 4 * block.first_row;
    lowering_->emitter.store(to, tensor.layout.pitch, tensor.layout.groups,
                             round_up(4 * block.rows, design_.port_bytes), from.space, from.address,
                             from.layout.pitch);
    return;
  }
  to.offset += block.first_row * tensor.layout.pitch;
  lowering_->emitter.store(to, tensor.layout.pitch, block.rows, tensor.layout.pitch, from.space,
                           from.address, from.layout.pitch);
}

bool GroupLowering::leaves_group(const ir::Value* value) const {
  const auto users = lowering_->function.users(value);
  return std::any_of(users.begin(), users.end(), [&](const Op* user) { return !in_group(user); });
}

void GroupLowering::set_node(const Op* op) {
  lowering_->emitter.set_node(lowering_->node_of_op.at(op));
}

void GroupLowering::add_macs(const Op* op, std::int64_t macs) {
  lowering_->nodes[lowering_->node_of_op.at(op)].macs += std::uint64_t(macs);
}

}  // namespace tally::codegen
