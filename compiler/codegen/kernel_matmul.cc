// SPDX-License-Identifier: Apache-2.0
// Products with constant weights. Output columns are worked off in chunks: a chunk's weights are
// loaded once for all blocks, its accumulators are drained by the chain of elementwise ops that
// follows, and with several chunks under way load, array and vector unit overlap.
#include <algorithm>
#include <cstring>

#include "compiler/codegen/group_lowering.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;
using isa::Space;

Status fill_chunk(const ir::Tensor& weight, const WeightChunk& chunk,
                  std::vector<std::uint8_t>* bytes) {
  const auto values = weight.as<std::int8_t>();
  const std::int64_t depth = weight.shape()[1];
  for (std::int64_t n = 0; n < chunk.n; ++n)
    for (std::int64_t k = 0; k < chunk.k; ++k)
      (*bytes)[std::size_t(k * chunk.pitch + n)] =
          std::uint8_t(values[std::size_t((chunk.first_n + n) * depth + chunk.first_k + k)]);
  return {};
}

struct Sizes {
  std::int64_t columns;  // of a chunk, a multiple of C
  std::int64_t depth;    // of a chunk, K or a multiple of R
};

// Chunks that use about a quarter of the accumulators and of the weights, so that several are under
// way.
Sizes chunk_sizes(const Design& d, std::int64_t rows, std::int64_t k, std::int64_t n) {
  const auto share = [](const Memory& memory) {
    return std::max<std::int64_t>(memory.bank_bytes, memory.bytes() / 4);
  };
  const std::int64_t pitch_unit = std::max<std::int64_t>(d.columns, d.port_bytes);
  Sizes sizes;
  sizes.columns = share(d.accumulators) / (4 * rows) / d.columns * d.columns;
  sizes.columns = std::clamp<std::int64_t>(sizes.columns, d.columns, round_up(n, d.columns));
  const std::int64_t by_weights = share(d.weights) / k / pitch_unit * pitch_unit;
  sizes.columns = std::min(sizes.columns, std::max(by_weights, std::int64_t(d.columns)));
  // Wide chunks end on whole vector groups.
  const std::int64_t unit = std::max(d.columns, d.lanes);
  if (sizes.columns > unit) sizes.columns = sizes.columns / unit * unit;
  const std::int64_t fitting = share(d.weights) / round_up(sizes.columns, pitch_unit);
  sizes.depth = k <= fitting ? k : std::max<std::int64_t>(d.rows, fitting / d.rows * d.rows);
  return sizes;
}

}  // namespace

DramAddress GroupLowering::place_chunk(const ir::Value* weight, const WeightChunk& chunk,
                                       std::int64_t bytes) {
  const auto [found, added] =
      chunk_address_.try_emplace(std::tuple(weight, chunk.first_k, chunk.first_n));
  if (added) {
    const ir::Module* module = &lowering_->module;
    found->second = lowering_->image.place(
        bytes, [module, weight, chunk](std::vector<std::uint8_t>* to) -> Status {
          TALLY_ASSIGN(const ir::Tensor tensor, constant_tensor(*module, *weight));
          return fill_chunk(tensor, chunk, to);
        });
  }
  return found->second;
}

void GroupLowering::lower_matmul(std::size_t index) {
  const Op& op = *group_.ops[index];
  const auto users = lowering_->function.users(op.result());
  if (users.size() != 1 || !in_group(users[0]) ||
      (users[0]->kind() != OpKind::kDequantize && users[0]->kind() != OpKind::kRequantize))
    throw CannotLower{ir::describe(op) + ": products must be used by one dequantize or requantize"};
  const ir::Value* weight = op.operand("weight");
  if (!is_constant(weight))
    throw CannotLower{ir::describe(op) + ": products need constant weights"};
  const Chain chain = chain_from(position_.at(users[0]));
  const ir::Value* result = chain.back().op->result();
  const std::int64_t n_total = weight->type.shape[0], k_total = weight->type.shape[1];
  // The same chunks for every set, whose first block is the longest: weights are stored once.
  const Sizes sizes = chunk_sizes(design_, sets_.front().front().rows, k_total, n_total);
  Emitter& emitter = lowering_->emitter;

  for (Block& block : *blocks_) {
    need(&block, op.operand("x"));
    make_result(&block, result, &op);
  }
  for (std::int64_t n = 0; n < n_total; n += sizes.columns) {
    const std::int64_t columns = std::min(sizes.columns, n_total - n);
    const std::int64_t tiles = ceil_div(columns, design_.columns);
    std::vector<Hold> accumulators;
    for (Block& block : *blocks_)
      accumulators.push_back(
          hold(Space::kAccumulators, block.rows * tiles * design_.columns * 4, &op));
    for (std::int64_t k = 0; k < k_total; k += sizes.depth) {
      const WeightChunk chunk{k, std::min(sizes.depth, k_total - k), n, columns,
                              round_up(tiles * design_.columns, design_.port_bytes)};
      const std::int64_t bytes = round_up(chunk.k * chunk.pitch, design_.port_bytes);
      const DramAddress from = place_chunk(weight, chunk, bytes);
      const Hold weights = hold(Space::kWeights, bytes, &op);
      emitter.load(from, bytes, 1, bytes, Space::kWeights, weights->address, bytes);
      for (std::size_t b = 0; b < blocks_->size(); ++b) {
        const Block& block = (*blocks_)[b];
        const OnChip& x = block.values.at(op.operand("x"));
        emitter.matmul({.a_address = std::uint32_t(x.address + k),
                        .a_pitch = std::uint32_t(x.layout.pitch),
                        .w_address = std::uint32_t(weights->address),
                        .w_pitch = std::uint32_t(chunk.pitch),
                        .m = std::uint32_t(block.rows),
                        .k = std::uint32_t(chunk.k),
                        .n = std::uint32_t(columns),
                        .acc_row = std::uint32_t(accumulators[b]->address / (4 * design_.columns)),
                        .acc_m_stride = std::uint32_t(tiles),
                        .acc_n_stride = 1,
                        .a_unsigned = x.layout.element == isa::Element::kU8,
                        .transposed = false,
                        .mode = k == 0 ? isa::AccumulateMode::kWrite : isa::AccumulateMode::kAdd});
      }
    }
    for (std::size_t b = 0; b < blocks_->size(); ++b) {
      Block& block = (*blocks_)[b];
      const std::int64_t pitch = tiles * design_.columns;
      const Stream accumulator{
          Space::kAccumulators, isa::Element::kI32, accumulators[b]->address / 4, {0, pitch, 1}};
      set_node(chain.front().op);
      run_chain(&block, chain, {n, columns, accumulator}, block.values.at(result));
      set_node(&op);
    }
  }
  for (Block& block : *blocks_) {
    add_macs(&op, block.rows * k_total * n_total);
    store_result(block, result);
  }
  for (const Link& link : chain) done_.insert(link.op);
}

}  // namespace tally::codegen
