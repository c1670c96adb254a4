// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/vector_rules.h"

#include <algorithm>
#include <optional>

#include "compiler/program/footprint.h"

namespace tally {
namespace {

using isa::Step;
using isa::StepOp;

class RunRules {
 public:
  RunRules(const VectorRun& run, const Design& design) : run_(run), design_(design) {}

  std::vector<RuleBreak> check() {
    check_sums();
    check_registers(run_.body_steps(), 0);
    check_registers(run_.tail_steps(), run_.body);
    for (std::size_t i = 0; i < run_.steps.size(); ++i)
      if (isa::step_spec(run_.steps[i].op).stream) check_stream(i);
    // What follows needs addresses that mean something.
    if (breaks_.empty()) {
      check_stores_disjoint();
      check_batches();
    }
    return std::move(breaks_);
  }

 private:
  template <class... Args>
  void found(Violation violation, std::size_t step, fmt::format_string<Args...> format,
             Args&&... args) {
    const StepOp op = run_.steps[step].op;
    breaks_.push_back({violation, fmt::format("routine step {} ({}): {}", run_.run.first + step,
                                              isa::step_spec(op).name,
                                              fmt::format(format, std::forward<Args>(args)...))});
  }

  void check_sums() {
    std::optional<std::size_t> psum, fold;
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      const StepOp op = run_.steps[i].op;
      if (is_psum(op)) {
        if (psum) found(Violation::kRoutine, i, "a second partial sum");
        if (fold) found(Violation::kRoutine, i, "a partial sum after the fold");
        psum = i;
      }
      if (!is_fold(op)) continue;
      if (fold) found(Violation::kRoutine, i, "a second fold");
      if (!psum)
        found(Violation::kRoutine, i, "a fold without a partial sum");
      else if ((op == StepOp::kFoldAdd) != (run_.steps[*psum].op == StepOp::kPsumAdd))
        found(Violation::kRoutine, i, "the fold of another kind than the partial sum");
      fold = i;
    }
  }

  void check_registers(std::span<const Step> steps, std::size_t first) {
    bool written[isa::kLaneRegisters] = {};
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& step = steps[i];
      const isa::StepSpec& spec = isa::step_spec(step.op);
      const auto reads = [&](int index) {
        if (!written[index])
          found(Violation::kRegister, first + i,
                "register {} is read before a step of the {} wrote it", index,
                first == 0 ? "body" : "tail");
      };
      if (spec.a) reads(step.a);
      if (spec.b && !step.immediate) reads(step.b);
      if (step.op == StepOp::kSelect) reads(step.dst);
      if (spec.dst) written[step.dst] = true;
    }
  }

  void check_stream(std::size_t index) {
    const Step& step = run_.steps[index];
    const StreamRegister& stream = run_.streams[step.stream];
    if (!stream.set) {
      found(Violation::kStream, index, "stream {} is not set", step.stream);
      return;
    }
    const bool accumulators = stream.space == isa::Space::kAccumulators;
    if (accumulators && step.op == StepOp::kStore)
      found(Violation::kStream, index, "stream {} stores to accumulators", step.stream);
    if (accumulators && stream.element != isa::Element::kI32)
      found(Violation::kStream, index, "stream {} reads accumulators as {}", step.stream,
            isa::kElementNames[int(stream.element)]);
    const ByteRange bounds = access(index).bounds();
    if (bounds.begin < 0 || bounds.end > memory_bytes(design_, stream.space))
      found(Violation::kFootprint, index, "stream {} reaches {} bytes {} to {} of {}", step.stream,
            isa::kSpaceNames[int(stream.space)], bounds.begin, bounds.end - 1,
            memory_bytes(design_, stream.space));
  }

  Access access(std::size_t index) const {
    return step_access(run_, run_.steps[index], index >= run_.body);
  }

  void check_stores_disjoint() {
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      if (run_.steps[i].op != StepOp::kStore) continue;
      const Access stored = access(i);
      if (!reaches_each_byte_once(stored))
        found(Violation::kStoreOverlap, i, "stream {} reaches an element twice",
              run_.steps[i].stream);
      for (std::size_t j = 0; j < i; ++j)
        if (run_.steps[j].op == StepOp::kStore && overlap(stored, access(j)))
          found(Violation::kStoreOverlap, i, "writes what step {} of the run writes",
                run_.run.first + j);
    }
  }

  static bool reaches_each_byte_once(const Access& access) {
    const std::int64_t elements = access.count[0] * access.count[1] * access.count[2];
    const ByteRange bounds = access.bounds();
    if (elements * access.bytes > bounds.end - bounds.begin) return false;
    if (nested(access)) return true;
    std::int64_t distinct = 0;
    for (const ByteRange& range : access.ranges()) distinct += range.end - range.begin;
    return distinct == elements * access.bytes;
  }

  // Every stride steps over all that the smaller ones reach: no element twice.
  static bool nested(const Access& access) {
    std::vector<std::pair<std::int64_t, std::int64_t>> levels;
    for (int i = 0; i < 3; ++i)
      if (access.count[i] > 1) levels.emplace_back(std::abs(access.stride[i]), access.count[i]);
    std::sort(levels.begin(), levels.end());
    std::int64_t extent = access.bytes;
    for (const auto& [stride, count] : levels) {
      if (stride < extent) return false;
      extent += stride * (count - 1);
    }
    return true;
  }

  // A stored range is loaded only element by element where it is stored, before the store.
  void check_batches() {
    for (std::size_t i = 0; i < run_.steps.size(); ++i) {
      if (run_.steps[i].op != StepOp::kStore) continue;
      for (std::size_t j = 0; j < run_.steps.size(); ++j) {
        if (run_.steps[j].op != StepOp::kLoad || in_place(j, i)) continue;
        if (overlap(access(i), access(j)))
          found(Violation::kBatchHazard, j, "loads what step {} of the run stores",
                run_.run.first + i);
      }
    }
  }

  bool in_place(std::size_t load, std::size_t store) const {
    if (load >= store || load >= run_.body || store >= run_.body) return false;
    const StreamRegister& a = run_.streams[run_.steps[load].stream];
    const StreamRegister& b = run_.streams[run_.steps[store].stream];
    return a.space == b.space && a.element_bytes() == b.element_bytes() && a.start == b.start &&
           a.stride0 == b.stride0 && a.stride1 == b.stride1 && a.stride2 == b.stride2;
  }

  const VectorRun& run_;
  const Design& design_;
  std::vector<RuleBreak> breaks_;
};

}  // namespace

std::vector<RuleBreak> check_run(const VectorRun& run, const Design& design) {
  return RunRules(run, design).check();
}

}  // namespace tally
