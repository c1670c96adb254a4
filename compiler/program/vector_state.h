// SPDX-License-Identifier: Apache-2.0
// The vector unit's stream registers and routine memory, followed through a program: what a run
// instruction works on. Runs never change them but for the streams' increments, so this needs no
// values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/isa/isa.h"

namespace tally {

struct StreamRegister {
  bool set = false;
  isa::Space space{};
  isa::Element element{};
  std::uint32_t start = 0;  // 24 bits
  std::int32_t stride0 = 0, stride1 = 0, stride2 = 0;

  int element_bytes() const;
};

inline constexpr std::uint32_t kStreamStartMask = (1u << 24) - 1;

struct VectorState {
  std::array<StreamRegister, isa::kStreams> streams{};
  std::array<std::uint64_t, isa::kRoutineSteps> routine{};

  // Takes over a stream, routine or run instruction; others change nothing.
  void apply(const isa::Instruction& instruction);
};

// A run with what it finds: its steps, all valid, and the streams at its start. `body` is the
// number of steps before the fold, all if there is none.
struct VectorRun {
  isa::Run run;
  std::vector<isa::Step> steps;
  std::size_t body = 0;
  bool by_rows = false;  // a psum or fold: every row begins a new batch
  std::array<StreamRegister, isa::kStreams> streams{};

  std::span<const isa::Step> body_steps() const { return {steps.data(), body}; }
  std::span<const isa::Step> tail_steps() const {
    return std::span<const isa::Step>(steps).subspan(body);
  }
};

// Fails if the routine memory holds a step that is not valid.
Expected<VectorRun> prepare_run(const isa::Run& run, const VectorState& state);

bool is_psum(isa::StepOp op);
bool is_fold(isa::StepOp op);

}  // namespace tally
