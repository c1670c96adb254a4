// SPDX-License-Identifier: Apache-2.0
// Ops that move data as a whole: patchify, concat_rows, copy, cache_write.
#include <algorithm>
#include <cstring>

#include "compiler/codegen/group_lowering.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;
using isa::Space;
using isa::StepOp;

// Banks for the duration of one op.
class Scratch {
 public:
  Scratch(Lowering* lowering, const Op& op, std::int64_t bytes) : banks_(&lowering->banks) {
    const auto buffer = banks_->allocate(Space::kActivations, bytes);
    if (!buffer) throw NoRoom{&op, Space::kActivations, bytes};
    buffer_ = *buffer;
  }
  ~Scratch() { banks_->release(buffer_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::int64_t address() const { return buffer_.address; }

 private:
  schedule::Banks* banks_;
  schedule::Buffer buffer_;
};

// The rows of `tensor` from `first` on.
DramTensor rows_of(DramTensor tensor, std::int64_t first, std::int64_t count) {
  tensor.address.offset += first * tensor.layout.pitch;
  tensor.layout.rows = count;
  return tensor;
}

// Copies rows from one place in DRAM to another by way of the activation scratchpad.
void copy_rows(Lowering* lowering, const Op& op, const DramTensor& from, const DramTensor& to,
               std::int64_t to_row) {
  if (from.layout.pitch != to.layout.pitch)
    throw CannotLower{ir::describe(op) + ": rows of different layouts cannot be copied"};
  const std::int64_t pitch = from.layout.pitch;
  const std::int64_t at_once =
      std::max<std::int64_t>(1, lowering->design.activations.bank_bytes / pitch);
  for (std::int64_t row = 0; row < from.layout.rows; row += at_once) {
    const std::int64_t rows = std::min(at_once, from.layout.rows - row);
    const Scratch scratch(lowering, op, rows * pitch);
    lowering->emitter.load({from.address.base, from.address.offset + row * pitch}, pitch, rows,
                           pitch, Space::kActivations, scratch.address(), pitch);
    lowering->emitter.store({to.address.base, to.address.offset + (to_row + row) * pitch}, pitch,
                            rows, pitch, Space::kActivations, scratch.address(), pitch);
  }
}

// Bytes of an image to rows of patches, x scale + bias per channel: one run for each channel, row
// of patches and pixel row of a patch.
void lower_patchify(Lowering* lowering, const Op& op) {
  const ir::Shape& image = op.operand("image")->type.shape;  // channels, height, width
  const std::int64_t patch = op.get<std::int64_t>("patch");
  const auto& scale = op.get<std::vector<float>>("scale");
  const auto& bias = op.get<std::vector<float>>("bias");
  const DramTensor from = lowering->place_of(op.operand("image"));
  const DramTensor to = lowering->place_of(op.result());
  const Scratch bytes(lowering, op, from.layout.pitch);
  lowering->emitter.load(from.address, from.layout.pitch, 1, from.layout.pitch, Space::kActivations,
                         bytes.address(), from.layout.pitch);
  const std::int64_t across = image[2] / patch, down = image[1] / patch;
  const std::int64_t pitch = to.layout.pitch / 4;
  for (std::int64_t row = 0; row < down; ++row) {
    const Scratch rows(lowering, op, across * to.layout.pitch);
    for (std::int64_t channel = 0; channel < image[0]; ++channel) {
      RoutineBuilder b;
      auto value = b.unary(StepOp::kI32ToF32, b.load(0));
      value = b.binary(StepOp::kMul, value, scale[std::size_t(channel)]);
      b.store(b.binary(StepOp::kAdd, value, bias[std::size_t(channel)]), 1);
      const std::int64_t first = (channel * image[1] + row * patch) * image[2];
      // (patch across, pixel row, pixel)
      lowering->emitter.run(
          b.finish(), {across, patch, patch},
          {{Space::kActivations, isa::Element::kU8, bytes.address() + first, {patch, image[2], 1}},
           {Space::kActivations,
            isa::Element::kF32,
            rows.address() / 4 + channel * patch * patch,
            {pitch, patch, 1}}});
    }
    lowering->emitter.store({to.address.base, to.address.offset + row * across * to.layout.pitch},
                            to.layout.pitch, across, to.layout.pitch, Space::kActivations,
                            rows.address(), to.layout.pitch);
  }
}

// Row `position` of the cache, known only when the program runs, is the new row: every row is the
// new one where its number equals the position, else the old one.
void replace_row(Lowering* lowering, const Op& op) {
  const DramTensor cache = lowering->place_of(op.operand("cache"));
  const DramTensor row = lowering->place_of(op.operand("rows"));
  const DramTensor position = lowering->place_of(op.operand("position"));
  const DramTensor to = lowering->place_of(op.result());
  const std::int64_t rows = cache.layout.rows, pitch = cache.layout.pitch;
  const Layout numbers = rows_layout(lowering->design, isa::Element::kF32, 1, rows);
  const DramAddress number_blob =
      lowering->image.place(numbers.pitch, [rows](auto* bytes) -> Status {
        for (std::int64_t i = 0; i < rows; ++i) {
          const float number = float(i);
          std::memcpy(bytes->data() + 4 * i, &number, 4);
        }
        return {};
      });
  const auto load = [&](DramAddress from, std::int64_t count, std::int64_t bytes,
                        std::int64_t address) {
    lowering->emitter.load(from, bytes, count, bytes, Space::kActivations, address, bytes);
  };
  const Scratch number(lowering, op, numbers.pitch), place(lowering, op, position.layout.pitch),
      fresh(lowering, op, pitch);
  load(number_blob, 1, numbers.pitch, number.address());
  load(position.address, 1, position.layout.pitch, place.address());
  load(row.address, 1, pitch, fresh.address());
  const std::int64_t at_once =
      std::max<std::int64_t>(1, lowering->design.activations.bank_bytes / pitch);
  for (std::int64_t first = 0; first < rows; first += at_once) {
    const std::int64_t count = std::min(at_once, rows - first);
    const Scratch block(lowering, op, count * pitch);
    load({cache.address.base, cache.address.offset + first * pitch}, count, pitch, block.address());
    RoutineBuilder b;
    const auto here = b.binary(StepOp::kEq, b.unary(StepOp::kI32ToF32, b.load(1)), b.load(0));
    b.store(b.select(here, b.load(2), b.load(3)), 3);
    lowering->emitter.run(
        b.finish(), {1, count, cache.layout.columns},
        {{Space::kActivations, isa::Element::kF32, number.address() / 4 + first, {0, 1, 0}},
         {Space::kActivations, isa::Element::kI32, place.address() / 4, {0, 0, 0}},
         {Space::kActivations, isa::Element::kF32, fresh.address() / 4, {0, 0, 1}},
         {Space::kActivations, isa::Element::kF32, block.address() / 4, {0, pitch / 4, 1}}});
    lowering->emitter.store({to.address.base, to.address.offset + first * pitch}, pitch, count,
                            pitch, Space::kActivations, block.address(), pitch);
  }
}

void lower_cache_write(Lowering* lowering, const Op& op) {
  const ir::Value* position = op.operand("position");
  if (!is_constant(position)) {
    if (op.operand("rows")->type.shape[0] != 1)
      throw CannotLower{ir::describe(op) +
                        ": several rows at a computed position cannot be lowered"};
    return replace_row(lowering, op);
  }
  const auto value = constant_tensor(lowering->module, *position);
  if (!value) throw CannotLower{value.error().message};
  const std::int64_t first = value->as<std::int32_t>()[0];
  const DramTensor cache = lowering->place_of(op.operand("cache"));
  const DramTensor rows = lowering->place_of(op.operand("rows"));
  const DramTensor to = lowering->place_of(op.result());
  const std::int64_t behind = first + rows.layout.rows;
  if (first < 0 || behind > cache.layout.rows)
    throw CannotLower{ir::describe(op) + ": rows do not fit into the cache at that position"};
  if (first > 0) copy_rows(lowering, op, rows_of(cache, 0, first), to, 0);
  copy_rows(lowering, op, rows, to, first);
  if (behind < cache.layout.rows)
    copy_rows(lowering, op, rows_of(cache, behind, cache.layout.rows - behind), to, behind);
}

}  // namespace

void lower_whole(Lowering* lowering, const Op& op) {
  lowering->emitter.set_node(lowering->node_of_op.at(&op));
  switch (op.kind()) {
    case OpKind::kPatchify:
      return lower_patchify(lowering, op);
    case OpKind::kConcatRows: {
      const DramTensor to = lowering->place_of(op.result());
      const DramTensor a = lowering->place_of(op.operand("a"));
      copy_rows(lowering, op, a, to, 0);
      copy_rows(lowering, op, lowering->place_of(op.operand("b")), to, a.layout.rows);
      return;
    }
    case OpKind::kCopy:
      copy_rows(lowering, op, lowering->place_of(op.operand(0)), lowering->place_of(op.result()),
                0);
      return;
    case OpKind::kCacheWrite:
      return lower_cache_write(lowering, op);
    default:
      throw CannotLower{ir::describe(op) + ": this operation cannot be lowered to the machine"};
  }
}

}  // namespace tally::codegen
