// SPDX-License-Identifier: Apache-2.0
// Lowers one row-wise group for one choice of row blocks.
//
// Blocks are worked on side by side, op by op: while the vector unit is at one block the array is
// at the next, and a weight tile is loaded once for all of them. Values live in scratchpad banks
// from the op that makes them (or their load from DRAM) to their last use in the group; those used
// elsewhere are stored to DRAM when made.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "compiler/codegen/emitter.h"
#include "compiler/codegen/image.h"
#include "compiler/codegen/layout.h"
#include "compiler/codegen/partition.h"
#include "compiler/codegen/routine.h"
#include "compiler/schedule/banks.h"

namespace tally::codegen {

// Raised inside code generation where a buffer finds no room; caught by the choice of row blocks,
// never seen outside.
struct NoRoom {
  const ir::Op* op;
  isa::Space space;
  std::int64_t bytes;
};
// Raised inside code generation for what cannot be lowered; caught by compile().
struct CannotLower {
  std::string message;
};

// What all groups share.
struct Lowering {
  const ir::Module& module;
  const ir::Function& function;
  const Design& design;
  Emitter emitter;
  Image image;
  schedule::Banks banks;
  std::map<const ir::Value*, DramTensor> dram;  // values that have a place in DRAM
  std::map<const ir::Op*, std::uint32_t> node_of_op;
  std::vector<ProgramNode> nodes;

  // The place of a value, views followed. Made on first use for constants and for values that a
  // group is to store.
  DramTensor place_of(const ir::Value* value);
};

// Banks held until the last copy goes.
using Hold = std::shared_ptr<const schedule::Buffer>;

struct OnChip {
  Hold hold;
  std::int64_t address = 0;
  Layout layout;
  isa::Space space = isa::Space::kActivations;
};

// A range of rows of the group.
struct Block {
  std::int64_t first_row = 0, rows = 0;
  std::map<const ir::Value*, OnChip> values;
};

// One op of a chain of elementwise ops, and where the running value enters it.
struct Link {
  const ir::Op* op;
  int running_operand;  // index of the operand that is the running value; -1 for the first
};
using Chain = std::vector<Link>;

// A part of a weight matrix: k x n, stored in that order, rows padded to `pitch` bytes.
struct WeightChunk {
  std::int64_t first_k, k, first_n, n, pitch;
};

class GroupLowering {
 public:
  GroupLowering(Lowering* lowering, const Group& group, std::vector<std::vector<Block>> sets);

  // Emits all sets of blocks. Throws NoRoom or CannotLower.
  void lower();

 private:
  friend class AttentionHead;
  using Value = RoutineBuilder::Value;

  // --- group_lowering.cc: values and their places
  void lower_set(std::vector<Block>* blocks);
  void lower_op(std::size_t index);
  void release_dead(std::size_t index);
  Hold hold(isa::Space space, std::int64_t bytes, const ir::Op* op);
  OnChip make(const Layout& layout, const ir::Op* op, isa::Space space = isa::Space::kActivations);
  OnChip make_result(Block* block, const ir::Value* value, const ir::Op* op);
  const OnChip& need(Block* block, const ir::Value* value);
  void load_block(const DramTensor& tensor, const Block& block, const OnChip& to);
  void store_result(const Block& block, const ir::Value* value);
  bool leaves_group(const ir::Value* value) const;
  bool in_group(const ir::Op* op) const { return position_.contains(op); }
  void set_node(const ir::Op* op);
  void add_macs(const ir::Op* op, std::int64_t macs);

  // --- parameters: constant vectors, loaded once a set
  void collect_parameters();
  void load_parameters();
  bool is_parameter(const ir::Op& op, std::size_t operand) const;
  Stream parameter(const ir::Value* value, std::int64_t first_column = 0) const;
  std::int64_t add_parameter_bytes(std::int64_t bytes);
  Stream positions(std::int64_t first) const;  // fp32 0, 1, 2, ... along the columns

  // --- chain.cc: elementwise ops that become one routine
  Chain chain_from(std::size_t index) const;
  bool starts_before(const ir::Value* value, std::size_t index) const;
  struct ChainPart {
    std::int64_t first_column, columns;
    std::optional<Stream> accumulators;
  };
  void run_chain(Block* block, const Chain& chain, const ChainPart& part, const OnChip& result);
  void lower_chain(std::size_t index);
  Value apply(const Link& link, Value running, Block* block, const ChainPart& part,
              RoutineBuilder* builder, std::vector<Stream>* streams);

  // --- kernels, one file each
  void lower_matmul(std::size_t index);
  DramAddress place_chunk(const ir::Value* weight, const WeightChunk& chunk, std::int64_t bytes);
  void lower_embedding(const ir::Op& op);
  void lower_norm(const ir::Op& op);
  void lower_softmax(const ir::Op& op);
  void lower_quantize_rows(const ir::Op& op);
  void lower_rope(const ir::Op& op);
  void lower_attention(const ir::Op& op);
  // One fp32 for each row, `slots` times; slot i as a stream broadcast along the columns.
  OnChip make_row_values(const Block& block, std::int64_t slots, const ir::Op* op);
  Stream row_value(const OnChip& values, std::int64_t slot) const;
  void run(const RoutineBuilder& builder, const Extents& extents,
           const std::vector<Stream>& streams) {
    lowering_->emitter.run(builder.finish(), extents, streams);
  }

  Lowering* lowering_;
  const Design& design_;
  const Group& group_;
  std::vector<std::vector<Block>> sets_;
  std::vector<Block>* blocks_ = nullptr;  // of the set being lowered
  std::map<const ir::Op*, std::size_t> position_;
  std::set<const ir::Op*> done_;  // lowered as part of a chain
  std::map<const ir::Value*, std::int64_t> parameter_offset_;
  std::int64_t parameter_bytes_ = 0, positions_offset_ = -1, positions_count_ = 0;
  // Of each weight's chunk, by the weight and its first k and n.
  std::map<std::tuple<const ir::Value*, std::int64_t, std::int64_t>, DramAddress> chunk_address_;
  DramAddress parameter_blob_;
  OnChip parameters_;
};

// Ops that move data as a whole: patchify, concat_rows, copy.
void lower_whole(Lowering* lowering, const ir::Op& op);

}  // namespace tally::codegen
