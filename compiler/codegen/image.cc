// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/image.h"

namespace tally::codegen {

DramAddress Image::reserve(RegionKind kind, std::int64_t bytes) {
  std::int64_t& size = sizes_[int(kind)];
  const std::int64_t offset = round_up(size, std::max(64, design_->scratchpad_width()));
  size = offset + bytes;
  return {int(kind), offset};
}

DramAddress Image::place(std::int64_t bytes, Maker make) {
  const DramAddress at = reserve(RegionKind::kConstants, bytes);
  pending_.push_back({at.offset, bytes, std::move(make)});
  return at;
}

Image::Mark Image::mark() const {
  Mark mark{{}, pending_.size()};
  std::copy(std::begin(sizes_), std::end(sizes_), mark.sizes);
  return mark;
}

void Image::rollback(const Mark& mark) {
  std::copy(std::begin(mark.sizes), std::end(mark.sizes), sizes_);
  pending_.resize(mark.makers);
}

Status Image::finish(Program* program) {
  for (int kind = 0; kind < kRegionKinds; ++kind)
    program->regions.push_back({std::string(kRegionNames[kind]), kind,
                                std::uint64_t(round_up(sizes_[kind], std::int64_t(kPageBytes)))});
  for (Pending& pending : pending_) {
    Segment segment{int(RegionKind::kConstants), std::uint64_t(pending.offset), {}};
    segment.bytes.assign(std::size_t(pending.bytes), 0);
    TALLY_TRY(pending.make(&segment.bytes));
    program->segments.push_back(std::move(segment));
  }
  return {};
}

bool is_constant(const ir::Value* value) {
  return value->producer()->kind() == ir::OpKind::kConstant;
}

Expected<ir::Tensor> constant_tensor(const ir::Module& module, const ir::Value& value) {
  const ir::Op& op = *value.producer();
  if (op.has("value")) return op.get<ir::Tensor>("value");
  const std::string& name = op.get<std::string>("tensor");
  const auto entry = module.store().find(name);
  if (entry == nullptr) return fail("{}: the module has no tensor '{}'", ir::describe(op), name);
  return entry->load();
}

}  // namespace tally::codegen
