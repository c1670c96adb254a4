// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/compile.h"

#include <algorithm>

#include "compiler/codegen/group_lowering.h"
#include "compiler/schedule/order.h"
#include "compiler/schedule/sync.h"

namespace tally::codegen {
namespace {

using ir::Op;
using ir::OpKind;
using Blocks = std::vector<Block>;

// Rows in DRAM start at multiples of this many, so that the scales of a block are port-aligned.
std::int64_t block_unit(const Design& design) { return std::max(1, design.port_bytes / 4); }

// The group's rows in sets of `side_by_side` blocks of at most `rows` rows.
std::vector<Blocks> make_sets(std::int64_t total, std::int64_t rows, int side_by_side) {
  std::vector<Blocks> sets;
  for (std::int64_t row = 0; row < total;) {
    Blocks set;
    for (int i = 0; i < side_by_side && row < total; ++i, row += rows)
      set.push_back({row, std::min(rows, total - row), {}});
    sets.push_back(std::move(set));
  }
  return sets;
}

struct Choice {
  std::int64_t rows;
  int side_by_side;
};

// Row blocks to try, best first: as few sets as possible, two blocks side by side while each still
// keeps the array busy for as long as a weight tile takes to load.
std::vector<Choice> choices(const Design& design, std::int64_t total, int side_by_side) {
  const std::int64_t unit = block_unit(design);
  const std::int64_t efficient = std::max(design.rows, design.columns);
  std::vector<Choice> list;
  for (std::int64_t sets = 1;; sets *= 2) {
    const std::int64_t rows = ceil_div(total, sets);
    if (side_by_side != 1) {
      const std::int64_t half = round_up(ceil_div(rows, 2), unit);
      if (half < total && (half >= efficient || side_by_side == 2)) list.push_back({half, 2});
    }
    list.push_back({std::min(total, round_up(rows, unit)), 1});
    if (rows <= unit) return list;
  }
}

class Compiler {
 public:
  Compiler(const ir::Module& module, const Design& design, const CompileOptions& options)
      : options_(options), lowering_{module,
                                     *module.main(),
                                     design,
                                     Emitter(design),
                                     Image(design),
                                     schedule::Banks(design),
                                     {},
                                     {},
                                     {}} {}

  Expected<Program> run() {
    try {
      number_nodes();
      bind_inputs();
      bind_outputs();
      TALLY_ASSIGN(const std::vector<Group> groups, partition(lowering_.function));
      for (const Group& group : groups) TALLY_TRY(lower(group));
      return finish();
    } catch (const CannotLower& error) {
      return fail("{}", error.message);
    }
  }

 private:
  void number_nodes() {
    std::map<std::string, std::uint32_t> by_name;
    for (const auto& op : lowering_.function.ops()) {
      const std::string name = op->node.empty() ? std::string(op->info().name) : op->node;
      auto [found, added] = by_name.try_emplace(name, std::uint32_t(lowering_.nodes.size()));
      if (added) lowering_.nodes.push_back({name, std::string(op->info().name), 0});
      lowering_.node_of_op[op.get()] = found->second;
      if (op->info().has(ir::kProduct)) lowering_.nodes[found->second].op = op->info().name;
    }
  }

  void place_value(const ir::Value* value, RegionKind kind) {
    auto layout = layout_of(lowering_.design, *value);
    if (!layout) throw CannotLower{layout.error().message};
    lowering_.dram[value] = {lowering_.image.reserve(kind, layout->bytes()), *layout};
  }

  void bind_inputs() {
    for (const Op* op : lowering_.function.inputs()) place_value(op->result(), RegionKind::kInputs);
  }

  // An output that a group makes is stored where the host reads it. Views and repeated outputs stay
  // where they are and are read from there.
  void bind_outputs() {
    for (const Op* op : lowering_.function.outputs()) {
      const ir::Value* value = op->operand(0);
      if (!lowering_.dram.contains(value) && !is_boundary(*value->producer()))
        place_value(value, RegionKind::kOutputs);
    }
  }

  Status lower(const Group& group) { return lower(group, group.ops.size() == 1); }

  Status lower(const Group& group, bool short_blocks) {
    const auto banks = lowering_.banks;
    if (!group.row_wise) {
      try {
        lower_whole(&lowering_, *group.ops.front());
        return {};
      } catch (const NoRoom& none) {
        return refuse(none);
      }
    }
    const std::int64_t efficient = std::max(lowering_.design.rows, lowering_.design.columns);
    std::optional<NoRoom> last;
    for (const Choice& choice : choices(lowering_.design, group.rows, options_.side_by_side)) {
      // Short blocks leave the array waiting for weights: rather split a long group.
      if (!short_blocks && choice.rows < std::min(group.rows, efficient)) break;
      const auto mark = lowering_.emitter.mark();
      const auto image = lowering_.image.mark();
      const auto dram = lowering_.dram;
      const auto nodes = lowering_.nodes;
      try {
        GroupLowering(&lowering_, group, make_sets(group.rows, choice.rows, choice.side_by_side))
            .lower();
        return {};
      } catch (const NoRoom& none) {
        last = none;
        lowering_.emitter.rollback(mark);
        lowering_.image.rollback(image);
        lowering_.dram = dram;
        lowering_.nodes = nodes;
        lowering_.banks = banks;
      }
    }
    return short_blocks ? refuse(*last) : split(group);
  }

  Status split(const Group& group) {
    std::size_t middle = group.ops.size() / 2;
    const auto fused = [&](std::size_t i) { return group.ops[i]->kind() == OpKind::kMatmulI8; };
    // Products stay with the op that drains them.
    while (middle < group.ops.size() && fused(middle - 1)) ++middle;
    if (middle == group.ops.size()) {
      middle = group.ops.size() / 2;
      while (middle > 0 && fused(middle - 1)) --middle;
      if (middle == 0) return lower(group, true);
    }
    Group first{group.rows, {group.ops.begin(), group.ops.begin() + std::int64_t(middle)}, true};
    Group second{group.rows, {group.ops.begin() + std::int64_t(middle), group.ops.end()}, true};
    TALLY_TRY(lower(first));
    return lower(second);
  }

  Status refuse(const NoRoom& none) const {
    return fail(
        "{}: does not fit into design '{}': no room for {} bytes in {} ({} bytes in {} banks)",
        ir::describe(*none.op), lowering_.design.name, none.bytes,
        isa::kSpaceNames[int(none.space)],
        lowering_.banks.bank_bytes(none.space) * lowering_.banks.banks(none.space),
        lowering_.banks.banks(none.space));
  }

  Binding binding(const Op* op, const ir::Value* value) {
    const DramTensor tensor = lowering_.place_of(value);
    return {op->get<std::string>("name"),
            tensor.address.base,
            std::uint64_t(tensor.address.offset),
            tensor.layout.element,
            tensor.layout.rows,
            tensor.layout.columns * tensor.layout.groups,
            tensor.layout.pitch};
  }

  Expected<Program> finish() {
    Program program;
    program.model = options_.model;
    program.recipe = options_.recipe;
    program.design = lowering_.design.name;
    program.design_hash = lowering_.design.hash();
    program.design_keys = lowering_.design.hardware_keys();
    for (const Op* op : lowering_.function.inputs())
      program.inputs.push_back(binding(op, op->result()));
    for (const Op* op : lowering_.function.outputs())
      program.outputs.push_back(binding(op, op->operand(0)));
    const auto& tasks = lowering_.emitter.tasks();
    if (tasks.empty()) return fail("{}: the model has nothing to compute", options_.model);
    const auto dependences = schedule::find_dependences(tasks, lowering_.design);
    const auto order = schedule::order_by_start(tasks, dependences);
    TALLY_ASSIGN(const auto syncs,
                 schedule::assign_semaphores(tasks, dependences, order, lowering_.design));
    for (int task : order) {
      program.code.push_back(
          isa::encode({syncs[std::size_t(task)], tasks[std::size_t(task)].body}));
      program.node_of_instruction.push_back(tasks[std::size_t(task)].node);
    }
    TALLY_TRY(lowering_.image.finish(&program));
    program.nodes = lowering_.nodes;
    return program;
  }

  const CompileOptions& options_;
  Lowering lowering_;
};

}  // namespace

Expected<Program> compile(const ir::Module& module, const Design& design,
                          const CompileOptions& options) {
  if (module.main() == nullptr) return fail("{}: the module has no function 'main'", module.name());
  return Compiler(module, design, options).run();
}

}  // namespace tally::codegen
