// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/vector_state.h"

#include <algorithm>

namespace tally {
namespace {

void apply_body(const isa::Stream& body, VectorState* state) {
  state->streams[body.stream] = {.set = true,
                                 .space = body.space,
                                 .element = body.element,
                                 .start = body.start,
                                 .stride0 = body.stride0,
                                 .stride1 = body.stride1,
                                 .stride2 = body.stride2};
}

void apply_body(const isa::Routine& body, VectorState* state) {
  const std::uint64_t steps[] = {body.step0, body.step1, body.step2};
  for (std::uint32_t i = 0; i < body.count; ++i) state->routine[body.first + i] = steps[i];
}

void apply_body(const isa::Run& body, VectorState* state) {
  const std::int32_t increments[] = {body.increment0, body.increment1, body.increment2,
                                     body.increment3, body.increment4, body.increment5,
                                     body.increment6, body.increment7};
  for (int i = 0; i < isa::kStreams; ++i) {
    std::uint32_t& start = state->streams[i].start;
    start = (start + std::uint32_t(increments[i])) & kStreamStartMask;
  }
}

template <class Other>
void apply_body(const Other&, VectorState*) {}

}  // namespace

int StreamRegister::element_bytes() const {
  return element == isa::Element::kF32 || element == isa::Element::kI32 ? 4 : 1;
}

void VectorState::apply(const isa::Instruction& instruction) {
  std::visit([&](const auto& body) { apply_body(body, this); }, instruction.body);
}

bool is_psum(isa::StepOp op) { return op == isa::StepOp::kPsumAdd || op == isa::StepOp::kPsumMax; }

bool is_fold(isa::StepOp op) { return op == isa::StepOp::kFoldAdd || op == isa::StepOp::kFoldMax; }

Expected<VectorRun> prepare_run(const isa::Run& run, const VectorState& state) {
  VectorRun out;
  out.run = run;
  out.streams = state.streams;
  for (std::uint32_t i = run.first; i <= run.last; ++i) {
    auto step = isa::decode_step(state.routine[i]);
    if (!step) return fail("routine step {}: {}", i, step.error().message);
    out.steps.push_back(*step);
  }
  const auto fold = std::find_if(out.steps.begin(), out.steps.end(),
                                 [](const isa::Step& step) { return is_fold(step.op); });
  out.body = std::size_t(fold - out.steps.begin());
  out.by_rows = std::any_of(out.steps.begin(), out.steps.end(), [](const isa::Step& step) {
    return is_psum(step.op) || is_fold(step.op);
  });
  return out;
}

}  // namespace tally
