// SPDX-License-Identifier: Apache-2.0
// Ops that move data as a whole: patchify, concat_rows, copy.
#include <algorithm>

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
    default:
      throw CannotLower{ir::describe(op) + ": this operation cannot be lowered to the machine"};
  }
}

}  // namespace tally::codegen
