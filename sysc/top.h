// SPDX-License-Identifier: Apache-2.0
// The machine for one run: all blocks, connected. Something else (shell.h, or a loop in a test)
// advances the blocks until none wants a step; then result() is complete.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sysc/arbiter.h"
#include "sysc/fetch.h"
#include "sysc/load.h"
#include "sysc/matrix.h"
#include "sysc/memories.h"
#include "sysc/run_log.h"
#include "sysc/semaphores.h"
#include "sysc/store.h"
#include "sysc/vector.h"
#include "sysc/write_hash.h"

namespace tally::sysc {

inline constexpr int kBlocks = 7;

class Top {
 public:
  // `code`: as Fetch takes it. The image has the design's capacity.
  Top(const Design& design, const MachineProgram& program, std::span<const isa::Instruction> code,
      const RunOptions& options, DramImage* dram);

  // In the order of phases, units in their order.
  std::array<Block*, kBlocks> blocks();
  // After the last step.
  RunResult result();

 private:
  std::vector<Waiting> waiting() const;
  bool finished() const;

  Dram dram_;
  Memories memories_;
  RunLog log_;
  std::unique_ptr<WriteHash> hash_;
  Arbiter arbiter_;
  Semaphores semaphores_;
  Context context_;
  Load load_;
  Store store_;
  Matrix matrix_;
  Vector vector_;
  Fetch fetch_;
};

}  // namespace tally::sysc
