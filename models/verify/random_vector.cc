// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "compiler/program/vector_rules.h"
#include "models/verify/random_bodies.h"

namespace tally {
namespace {

using isa::Element;
using isa::Space;
using isa::Step;
using isa::StepOp;

struct Extents {
  std::int64_t e0, e1, e2;
};

// Immediates that matter somewhere: fp32 of all classes, exponents and zero points.
std::uint32_t random_immediate(Random& random) {
  return random.pick<std::uint32_t>({0x00000000,
                                     0x80000000,
                                     0x3f800000,
                                     0xbf800000,
                                     0x3f000000,
                                     0x40490fdb,
                                     0x7f800000,
                                     0xff800000,
                                     0x7fc00000,
                                     0x7f800001,
                                     0x00000001,
                                     0x807fffff,
                                     0x00800000,
                                     0x7f7fffff,
                                     0x4f000000,
                                     0x43000000,
                                     0xc3000000,
                                     0x00000080,
                                     0xffffff80,
                                     0x0000007f,
                                     0x7fffffff,
                                     0x80000001,
                                     std::uint32_t(random.bits())});
}

class RunGenerator {
 public:
  RunGenerator(BodyContext& context, const VectorState& state)
      : context_(context), random_(context.random), design_(context.design), state_(state) {}

  std::vector<isa::Body> generate() {
    for (int attempt = 0; attempt < 12; ++attempt) {
      bodies_.clear();
      trial_ = state_;
      if (attempt_run()) return std::move(bodies_);
    }
    return {};
  }

 private:
  bool attempt_run() {
    choose_extents();
    const bool sums = random_.chance(35);
    make_steps(sums);
    set_streams();
    write_routine();
    isa::Run run{.first = first_,
                 .last = first_ + std::uint32_t(steps_.size()) - 1,
                 .extent0 = std::uint32_t(extents_.e0),
                 .extent1 = std::uint32_t(extents_.e1),
                 .extent2 = std::uint32_t(extents_.e2)};
    set_increments(&run);
    bodies_.push_back(run);
    const auto prepared = prepare_run(run, trial_);
    return prepared && check_run(*prepared, design_).empty();
  }

  // Cycles are about steps x 8 x batches: few groups, now and then many.
  void choose_extents() {
    const std::int64_t lanes = design_.lanes;
    extents_.e2 = std::max<std::int64_t>(
        1, random_.pick<std::int64_t>(
               {1, 1, 3, 7, 33, 65, lanes - 1, lanes, lanes, lanes + 1, 2 * lanes, 9 * lanes, 64}));
    extents_.e1 = random_.pick<std::int64_t>({1, 1, 2, 3, 5, 8});
    extents_.e0 = random_.pick<std::int64_t>({1, 1, 1, 2, 3});
    const auto groups = [&] {
      return extents_.e0 * extents_.e1 * ((extents_.e2 + lanes - 1) / lanes);
    };
    while (groups() > 40 && extents_.e0 > 1) --extents_.e0;
    while (groups() > 40 && extents_.e1 > 1) --extents_.e1;
    extents_.e2 = std::min(extents_.e2, 40 * lanes);
  }

  // Steps ---------------------------------------------------------------------------------------

  std::uint8_t written() { return random_.pick(written_); }

  std::uint8_t destination() {
    const auto dst = std::uint8_t(random_.below(isa::kLaneRegisters));
    if (std::find(written_.begin(), written_.end(), dst) == written_.end()) written_.push_back(dst);
    return dst;
  }

  void add_load() {
    const auto stream = std::uint8_t(random_.below(isa::kStreams));
    const auto dst = destination();
    steps_.push_back({.op = StepOp::kLoad, .dst = dst, .stream = stream});
  }

  void add_store() {
    const auto stream = std::uint8_t(random_.below(isa::kStreams));
    steps_.push_back({.op = StepOp::kStore, .a = written(), .stream = stream});
  }

  void add_arithmetic() {
    const isa::StepSpec* spec = nullptr;
    do {
      spec = &isa::kSteps[random_.below(std::int64_t(std::size(isa::kSteps)))];
    } while (spec->stream || !spec->dst || is_fold(StepOp(spec->code)));
    Step step{.op = StepOp(spec->code)};
    if (spec->a) step.a = written();
    if (spec->b) {
      step.immediate = random_.chance(40);
      if (step.immediate)
        step.imm = random_immediate(random_);
      else
        step.b = written();
    }
    step.dst = step.op == StepOp::kSelect ? written() : destination();
    steps_.push_back(step);
  }

  void make_steps(bool sums) {
    steps_.clear();
    written_.clear();
    add_load();
    if (random_.chance(40)) add_load();
    for (std::int64_t i = random_.between(sums ? 0 : 1, 5); i > 0; --i) add_arithmetic();
    if (!sums) {
      if (random_.chance(97)) add_store();
      if (random_.chance(12)) add_store();
      return;
    }
    const bool add = random_.chance(60);
    steps_.push_back({.op = add ? StepOp::kPsumAdd : StepOp::kPsumMax, .a = written()});
    if (random_.chance(30)) add_store();
    if (random_.chance(10)) return;  // partial sums that are never folded
    written_.clear();
    steps_.push_back({.op = add ? StepOp::kFoldAdd : StepOp::kFoldMax, .dst = destination()});
    if (random_.chance(25)) add_load();
    for (std::int64_t i = random_.between(0, 3); i > 0; --i) add_arithmetic();
    add_store();
  }

  // Streams -------------------------------------------------------------------------------------

  // A stream register keeps what it has if the run still works with it; else it is set anew.
  void set_streams() {
    std::vector<int> set;
    for (const Step& step : steps_) {
      if (!isa::step_spec(step.op).stream) continue;
      if (std::find(set.begin(), set.end(), step.stream) != set.end()) continue;
      set.push_back(step.stream);
      if (trial_.streams[step.stream].set && random_.chance(15)) continue;
      const isa::Stream stream = random_stream(step, set);
      bodies_.push_back(stream);
      trial_.apply({{}, stream});
    }
  }

  bool stored(std::uint8_t stream) const {
    return std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) {
      return step.op == StepOp::kStore && step.stream == stream;
    });
  }

  isa::Stream random_stream(const Step& step, const std::vector<int>& set) {
    isa::Stream out;
    out.stream = step.stream;
    const bool store = stored(step.stream);
    if (store && set.size() > 1 && random_.chance(30)) {  // in place
      const StreamRegister& other = trial_.streams[std::size_t(set[0])];
      if (other.set && other.space != Space::kAccumulators)
        return {.stream = step.stream,
                .space = other.space,
                .element = other.element,
                .start = other.start,
                .stride0 = other.stride0,
                .stride1 = other.stride1,
                .stride2 = other.stride2};
    }
    out.space = store ? random_.pick({Space::kActivations, Space::kWeights})
                      : random_.pick({Space::kActivations, Space::kActivations, Space::kWeights,
                                      Space::kAccumulators, Space::kAccumulators});
    out.element = out.space == Space::kAccumulators
                      ? Element::kI32
                      : random_.pick({Element::kF32, Element::kF32, Element::kI32, Element::kI8,
                                      Element::kU8});
    random_strides(store, &out);
    place(&out);
    return out;
  }

  void random_strides(bool store, isa::Stream* out) {
    const std::int64_t lanes = design_.lanes, n = extents_.e2;
    const std::int64_t padded = (n + lanes - 1) / lanes * lanes;
    std::int64_t s2 = 1, s1 = padded;
    switch (random_.below(store ? 5 : 7)) {
      case 0:
      case 1:
        break;  // dense rows, aligned
      case 2:
        s1 = n + random_.below(3);
        break;
      case 3:
        s2 = random_.between(2, 5), s1 = n * s2;
        break;
      case 4:
        s2 = extents_.e1, s1 = 1;  // transposed
        break;
      case 5:
        s2 = 0, s1 = random_.below(3);  // broadcast
        break;
      case 6:
        s1 = 0;  // the same row again and again
        break;
    }
    std::int64_t s0 = std::max({extents_.e1 * std::abs(s1), n * std::abs(s2), std::int64_t(1)});
    if (!store && random_.chance(10)) s0 = 0;
    if (random_.chance(10)) s2 = -s2;
    if (random_.chance(8)) s1 = -s1;
    if (random_.chance(8)) s0 = -s0;
    const auto idle = [&] { return random_.pick<std::int32_t>({-524288, 524287, 0, 1}); };
    out->stride0 = extents_.e0 == 1 && random_.chance(20) ? idle() : std::int32_t(s0);
    out->stride1 = extents_.e1 == 1 && random_.chance(20) ? idle() : std::int32_t(s1);
    out->stride2 = n == 1 && random_.chance(20) ? idle() : std::int32_t(s2);
  }

  void place(isa::Stream* out) {
    const std::int64_t bytes =
        out->element == Element::kF32 || out->element == Element::kI32 ? 4 : 1;
    std::int64_t low = 0, high = 0;
    for (const auto& [stride, count] : {std::pair{out->stride0, extents_.e0},
                                        {out->stride1, extents_.e1},
                                        {out->stride2, extents_.e2}}) {
      const std::int64_t last = std::int64_t(stride) * (count - 1);
      (last < 0 ? low : high) += last;
    }
    const std::int64_t span = (high - low + 1) * bytes;
    if (span > memory_bytes(design_, out->space)) return;  // refused by the check
    const std::int64_t unit = random_.chance(70) ? design_.lanes * bytes : bytes;
    const std::int64_t whole = (span + unit - 1) / unit * unit;
    if (whole > memory_bytes(design_, out->space)) return;
    const std::int64_t at = random_place(context_, isa::Unit::kVector, out->space, whole, unit);
    out->start = std::uint32_t(at / bytes - low);
  }

  // Routine and run -------------------------------------------------------------------------------

  void write_routine() {
    const auto count = std::int64_t(steps_.size());
    const std::int64_t last = isa::kRoutineSteps - count;
    first_ = std::uint32_t(random_.pick<std::int64_t>({0, last, random_.between(0, last)}));
    std::int64_t done = 0;
    while (done < count) {
      isa::Routine routine;
      routine.first = first_ + std::uint32_t(done);
      routine.count = std::uint32_t(std::min(random_.between(1, 3), count - done));
      std::uint64_t* const slots[] = {&routine.step0, &routine.step1, &routine.step2};
      for (std::uint32_t i = 0; i < routine.count; ++i)
        *slots[i] = isa::encode_step(steps_[std::size_t(done + i)]);
      done += routine.count;
      bodies_.push_back(routine);
      trial_.apply({{}, routine});
    }
  }

  void set_increments(isa::Run* run) {
    std::int32_t* const increments[] = {&run->increment0, &run->increment1, &run->increment2,
                                        &run->increment3, &run->increment4, &run->increment5,
                                        &run->increment6, &run->increment7};
    for (std::int32_t* increment : increments)
      if (random_.chance(30))
        *increment =
            random_.pick<std::int32_t>({1, -1, design_.lanes, -design_.lanes, 131071, -131072});
  }

  BodyContext& context_;
  Random& random_;
  const Design& design_;
  const VectorState& state_;
  VectorState trial_;
  Extents extents_{};
  std::vector<Step> steps_;
  std::vector<std::uint8_t> written_;
  std::uint32_t first_ = 0;
  std::vector<isa::Body> bodies_;
};

}  // namespace

std::vector<isa::Body> random_run(BodyContext& context, const VectorState& state) {
  return RunGenerator(context, state).generate();
}

}  // namespace tally
