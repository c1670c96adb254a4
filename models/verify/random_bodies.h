// SPDX-License-Identifier: Apache-2.0
// Random instructions whose footprints lie inside the memories, odd shapes and ends of memories
// preferred. One function an instruction; the vector unit's make a whole group: streams, routine,
// run.
#pragma once

#include <optional>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/program/vector_state.h"
#include "models/verify/random.h"
#include "models/verify/sync_planner.h"

namespace tally {

// DRAM as the generator lays it out.
struct DramPlan {
  static constexpr std::int64_t kOperandBytes = 32768, kResultBytes = 16384, kIndexBytes = 8192;
  int operands = 0, results = 1, indices = 2;  // base registers
  std::int64_t index_used = 0;
  std::vector<std::uint8_t> index_data;  // of the indices region
};

struct BodyContext {
  const Design& design;
  Random& random;
  const SyncPlanner& planner;
  DramPlan& dram;
};

isa::Load random_load(BodyContext& context);
isa::Store random_store(BodyContext& context);
// Writes its indices into the plan; nothing if the indices region is full.
std::optional<isa::Gather> random_gather(BodyContext& context);
isa::Matmul random_matmul(BodyContext& context);

// Stream, routine and run instructions of a run that breaks no rule, from the vector unit's state
// on. Empty: none was found.
std::vector<isa::Body> random_run(BodyContext& context, const VectorState& state);

// On-chip byte address for `span` bytes, a multiple of `unit`: at the start or end of the memory,
// or in a bank, one that no other unit is using where there is one.
std::int64_t random_place(BodyContext& context, isa::Unit user, isa::Space space, std::int64_t span,
                          std::int64_t unit);

}  // namespace tally
