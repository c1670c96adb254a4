// SPDX-License-Identifier: Apache-2.0
// Elementwise ops that follow each other become one vector routine.
#include <algorithm>
#include <cmath>

#include "compiler/codegen/functions.h"
#include "compiler/codegen/group_lowering.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;
using isa::StepOp;

bool is_elementwise(OpKind kind) {
  return kind == OpKind::kAdd || kind == OpKind::kMul || kind == OpKind::kQuantizeStatic ||
         is_function(kind);
}

// A result in groups of columns needs a run of its own, over groups.
bool in_groups(const Design& design, const ir::Value& value) {
  const auto layout = layout_of(design, value);
  return layout && layout->kind == LayoutKind::kGrouped;
}

int add_stream(std::vector<Stream>* streams, const Stream& stream) {
  streams->push_back(stream);
  return int(streams->size()) - 1;
}

// `columns` columns from `first` on of a value in rows, walked as `groups` groups.
Stream part_of(const OnChip& value, std::int64_t first, std::int64_t groups, std::int64_t columns) {
  Stream stream = stream_over(value.layout, value.space, value.address);
  if (value.layout.kind == LayoutKind::kRows) {
    stream.start += first;
    if (groups > 1) stream.stride[0] = columns;
  }
  return stream;
}

// The sum of accumulator and offset must stay within int32: both are at most 255 x 128 a product.
void check_offset(const Op& op) {
  const Op& product = *op.operand("acc")->producer();
  if (product.kind() != OpKind::kMatmulI8) return;
  constexpr std::int64_t kDepth = ((std::int64_t{1} << 31) - 1) / (2 * 255 * 128);
  if (product.operand("weight")->type.shape[1] > kDepth)
    throw CannotLower{fmt::format("{}: {} products plus an offset may overflow int32 (at most {})",
                                  ir::describe(op), product.operand("weight")->type.shape[1],
                                  kDepth)};
}

int streams_of(const Op& op) {
  int count = 0;
  for (const ir::Value* operand : op.operands()) count += operand != nullptr;
  return count;
}

}  // namespace

bool GroupLowering::starts_before(const ir::Value* value, std::size_t index) const {
  const auto found = position_.find(value->producer());
  return found == position_.end() || found->second < index;
}

Chain GroupLowering::chain_from(std::size_t index) const {
  Chain chain{{group_.ops[index], -1}};
  int streams = streams_of(*group_.ops[index]) + 1;
  for (;;) {
    const ir::Value* running = chain.back().op->result();
    const auto users = lowering_->function.users(running);
    if (users.size() != 1 || !in_group(users[0]) || !is_elementwise(users[0]->kind())) return chain;
    const Op* next = users[0];
    const int entered = next->operand(0) == running ? 0 : 1;
    for (std::size_t i = 0; i < next->operands().size(); ++i)
      if (int(i) != entered &&
          (next->operand(i) == running || !starts_before(next->operand(i), index)))
        return chain;
    streams += streams_of(*next) - 1;
    if (streams > isa::kStreams || in_groups(design_, *next->result())) return chain;
    chain.push_back({next, entered});
  }
}

GroupLowering::Value GroupLowering::apply(const Link& link, Value running, Block* block,
                                          const ChainPart& part, RoutineBuilder* builder,
                                          std::vector<Stream>* streams) {
  const Op& op = *link.op;
  const auto load_vector = [&](const char* operand) {
    return builder->load(add_stream(streams, parameter(op.operand(operand), part.first_column)));
  };
  switch (op.kind()) {
    case OpKind::kDequantize:
    case OpKind::kRequantize: {
      if (op.operand("offset") != nullptr) {
        check_offset(op);
        running = builder->binary(StepOp::kAddI32, running, load_vector("offset"));
      }
      running = builder->unary(StepOp::kI32ToF32, running);
      if (op.kind() == OpKind::kRequantize) {
        running = builder->binary(StepOp::kMul, running, load_vector("column_scales"));
        const auto to =
            op.get<ir::Format>("format") == ir::Format::kI8 ? StepOp::kF32ToI8 : StepOp::kF32ToU8;
        return builder->binary_bits(to, running, std::uint32_t(op.get<std::int64_t>("zero_point")));
      }
      if (const ir::Value* scales = op.operand("row_scales"); scales != nullptr) {
        const OnChip& rows = need(block, scales);
        const auto scale =
            builder->load(add_stream(streams, stream_over(rows.layout, rows.space, rows.address)));
        running = builder->binary(StepOp::kMul, running, scale);
      }
      running = builder->binary(StepOp::kMul, running, load_vector("column_scales"));
      if (op.operand("bias") != nullptr)
        running = builder->binary(StepOp::kAdd, running, load_vector("bias"));
      return running;
    }
    case OpKind::kAdd:
    case OpKind::kMul: {
      const std::size_t other = link.running_operand == 1 ? 0 : 1;
      const Stream stream =
          is_parameter(op, other)
              ? parameter(op.operand(other), part.first_column)
              : part_of(need(block, op.operand(other)), part.first_column, 1, part.columns);
      const auto value = builder->load(add_stream(streams, stream));
      const auto step = op.kind() == OpKind::kAdd ? StepOp::kAdd : StepOp::kMul;
      return other == 1 ? builder->binary(step, running, value)
                        : builder->binary(step, value, running);
    }
    case OpKind::kQuantizeStatic: {
      const float inverse = 1.0f / op.get<float>("scale");
      running = builder->binary(StepOp::kMul, running, inverse);
      const auto to =
          op.get<ir::Format>("format") == ir::Format::kI8 ? StepOp::kF32ToI8 : StepOp::kF32ToU8;
      return builder->binary_bits(to, running, std::uint32_t(op.get<std::int64_t>("zero_point")));
    }
    default:
      return emit_function(op.kind(), builder, running);
  }
}

void GroupLowering::run_chain(Block* block, const Chain& chain, const ChainPart& part,
                              const OnChip& result) {
  RoutineBuilder builder;
  std::vector<Stream> streams;
  const std::int64_t groups = result.layout.kind == LayoutKind::kGrouped ? result.layout.groups : 1;
  const std::int64_t columns = groups > 1 ? result.layout.columns : part.columns;
  Stream first = part.accumulators ? *part.accumulators
                                   : part_of(need(block, chain.front().op->operand(0)),
                                             part.first_column, groups, columns);
  auto running = builder.load(add_stream(&streams, first));
  for (const Link& link : chain) running = apply(link, running, block, part, &builder, &streams);
  builder.store(running, add_stream(&streams, part_of(result, part.first_column, 1, columns)));
  lowering_->emitter.run(builder.finish(), {groups, block->rows, columns}, streams);
}

void GroupLowering::lower_chain(std::size_t index) {
  const Chain chain = chain_from(index);
  const ir::Value* result = chain.back().op->result();
  for (Block& block : *blocks_) {
    const OnChip to = make_result(&block, result, group_.ops[index]);
    const std::int64_t columns = result->type.shape.back();
    run_chain(&block, chain, {0, columns, std::nullopt}, to);
    store_result(block, result);
  }
  for (const Link& link : chain) done_.insert(link.op);
}

}  // namespace tally::codegen
