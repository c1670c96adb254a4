// SPDX-License-Identifier: Apache-2.0
// The vector unit's cycles and accesses: the closed form against a walk over every batch, place and
// step as docs/timing.md says it, and single terms by programs that differ in them alone.
#include <gtest/gtest.h>

#include "sysc/vector_timing.h"
#include "tests/unit/sysc/bench.h"

namespace tally {
namespace {

using isa::Step;
using isa::StepOp;
using sysc::count_run;
using sysc::Cycle;
using sysc::StreamRegisters;
using sysc::time_run;

struct Account {
  Cycle cycles = 0, busy = 0;
  std::array<std::uint64_t, 3> reads{}, writes{};
  std::array<std::uint64_t, 32> operations{};
};

// Batch by batch, place by place.
class Walk {
 public:
  Walk(const isa::Run& run, const std::vector<Step>& steps, const StreamRegisters& streams,
       const Design& design)
      : run_(run), streams_(streams), design_(design) {
    bool by_row = false, tail = false;
    for (const Step& step : steps) {
      by_row = by_row || sysc::is_psum(step.op) || sysc::is_fold(step.op);
      tail = tail || sysc::is_fold(step.op);
      (tail ? tail_ : body_).push_back(step);
    }
    for (std::int64_t i0 = 0; i0 < run.extent0; ++i0)
      for (std::int64_t i1 = 0; i1 < run.extent1; ++i1) {
        for (std::int64_t first = 0; first < run.extent2; first += design.lanes) {
          batch_.push_back(
              {i0, i1, first, std::min<std::int64_t>(design.lanes, run.extent2 - first)});
          if (batch_.size() == 8) end_batch();
        }
        if (!by_row) continue;
        end_batch();
        for (const Step& step : tail_) tail_step(step);
      }
    end_batch();
  }
  Account account;

 private:
  struct Place {
    std::int64_t i0, i1, first, active;
  };

  std::int64_t accesses(const isa::Stream& s, const Place& place) const {
    const std::int64_t element =
        s.start + place.i0 * s.stride0 + place.i1 * s.stride1 + place.first * s.stride2;
    if (place.active <= 1 || s.stride2 == 0) return 1;
    if (s.stride2 != 1 || element % design_.lanes != 0) return place.active;
    if (s.space != isa::Space::kAccumulators) return 1;
    const std::int64_t width = std::min(design_.lanes, design_.columns);
    return (place.active + width - 1) / width;
  }

  void end_batch() {
    if (batch_.empty()) return;
    for (const Step& step : body_) {
      Cycle cycles = 0, busy = 8;
      for (const Place& place : batch_) account.operations[int(step.op)] += Cycle(place.active);
      if (step.op == StepOp::kLoad || step.op == StepOp::kStore) {
        const isa::Stream& stream = streams_[step.stream];
        auto& count = step.op == StepOp::kLoad ? account.reads : account.writes;
        for (const Place& place : batch_) {
          cycles += Cycle(accesses(stream, place));
          count[int(stream.space)] += Cycle(accesses(stream, place));
        }
        cycles += 8 - batch_.size();
        busy = cycles;
      } else if (step.op == StepOp::kDiv || step.op == StepOp::kSqrt) {
        cycles = 8 * Cycle(design_.divide_interval());
      } else if (sysc::is_psum(step.op)) {
        for (int place = 1; place <= 8; ++place) {
          ++cycles;
          const int pass = 64 / design_.lanes;
          if (place % pass == 0 && design_.vector_latency > pass)
            cycles += Cycle(design_.vector_latency - pass);
        }
      } else {
        cycles = 8;
      }
      account.cycles += cycles;
      account.busy += busy;
    }
    batch_.clear();
  }

  void tail_step(const Step& step) {
    const auto latency = Cycle(design_.vector_latency);
    const auto lanes = Cycle(design_.lanes);
    std::uint64_t& operations = account.operations[int(step.op)];
    if (sysc::is_fold(step.op)) {
      account.cycles += latency - 1;
      for (Cycle h : {32, 16, 8, 4, 2, 1}) {
        account.cycles += (h + lanes - 1) / lanes - 1 + latency;
        account.busy += (h + lanes - 1) / lanes;
      }
      operations += 63;
      return;
    }
    const bool slow = step.op == StepOp::kDiv || step.op == StepOp::kSqrt;
    account.cycles += slow ? std::max(8, design_.divide_interval()) : 8;
    account.busy += 1;
    const bool load = step.op == StepOp::kLoad;
    operations += load || step.op == StepOp::kStore ? 1 : lanes;
    if (load) ++account.reads[int(streams_[step.stream].space)];
    if (step.op == StepOp::kStore) ++account.writes[int(streams_[step.stream].space)];
  }

  const isa::Run& run_;
  const StreamRegisters& streams_;
  const Design& design_;
  std::vector<Step> body_, tail_;
  std::vector<Place> batch_;
};

TEST(Vector, ClosedFormIsTheWalk) {
  std::mt19937 random(5);
  const auto pick = [&](std::initializer_list<int> values) {
    return *(values.begin() + random() % values.size());
  };
  for (int round = 0; round < 4000; ++round) {
    Design design = base_design();
    design.lanes = 1 << random() % 7;
    design.columns = 2 << random() % 6;
    design.vector_latency = 1 + int(random() % 8);
    design.divide_bits = 1 << random() % 3;
    StreamRegisters streams{};
    for (isa::Stream& stream : streams) {
      stream.space = isa::Space(random() % 3);
      stream.element = isa::Element(random() % 4);
      stream.start = std::uint32_t(random() % 3 ? random() % 8 * 64 : random() % 500);
      stream.stride0 = pick({0, 1, 64, 128, 100, -64});
      stream.stride1 = pick({0, 1, 64, 17, 32, -3});
      stream.stride2 = pick({0, 1, 1, 1, 2, -1});
    }
    const isa::Run run{.extent0 = 1 + std::uint32_t(random() % 4),
                       .extent1 = 1 + std::uint32_t(random() % 6),
                       .extent2 = 1 + std::uint32_t(random() % (random() % 2 ? 10 : 300))};
    std::vector<Step> steps;
    const auto add_steps = [&] {
      for (int i = int(random() % 4); i > 0; --i)
        steps.push_back({.op = StepOp(1 + random() % 22), .stream = std::uint8_t(random() % 8)});
    };
    add_steps();
    const bool psum = random() % 2;
    if (psum) steps.push_back({.op = random() % 2 ? StepOp::kPsumAdd : StepOp::kPsumMax});
    add_steps();
    if (psum && random() % 4) {
      steps.push_back({.op = random() % 2 ? StepOp::kFoldAdd : StepOp::kFoldMax});
      add_steps();
    }
    if (steps.empty()) steps.push_back({.op = StepOp::kAdd});
    const Account want = Walk(run, steps, streams, design).account;
    const sysc::RunTiming got = time_run(run, steps, streams, design);
    ASSERT_EQ(got.cycles, want.cycles) << round;
    ASSERT_EQ(got.busy, want.busy) << round;
    Events events;
    count_run(run, steps, streams, design, &events);
    ASSERT_EQ(events.vector_operations, want.operations);
    ASSERT_EQ(events.activation_reads, want.reads[0]);
    ASSERT_EQ(events.weight_reads, want.reads[1]);
    ASSERT_EQ(events.accumulator_reads, want.reads[2]);
    ASSERT_EQ(events.activation_writes, want.writes[0]);
    ASSERT_EQ(events.weight_writes, want.writes[1]);
  }
}

struct RunProgram {
  std::vector<Step> steps;
  isa::Run run{.extent0 = 1, .extent1 = 1, .extent2 = 1};
  isa::Stream stream{
      .space = isa::Space::kActivations, .element = isa::Element::kF32, .stride2 = 1};
};

Record run_record(const Design& design, RunProgram program) {
  Script script;
  script.routine(program.steps);
  program.stream.stream = 0;
  script.add(program.stream);
  program.run.last = std::uint32_t(program.steps.size() - 1);
  const auto at = script.add(program.run);
  const auto after = script.add(idle_stream());
  const RunResult result = run_script(design, script);
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  // Ready again in E + 1.
  EXPECT_EQ(result.records[after].start, result.records[at].end + 1);
  return result.records[at];
}

std::uint64_t n_of(const Design& design, const RunProgram& program) {
  const Record record = run_record(design, program);
  return record.end - record.start - 1;
}

TEST(Vector, EveryStepTakesItsCycles) {
  const Design design = base_design();
  const Step move{.op = StepOp::kMove, .immediate = true, .imm = 0x3f800000};
  for (StepOp op :
       {StepOp::kMove, StepOp::kAdd, StepOp::kSub, StepOp::kMul, StepOp::kMin, StepOp::kMax,
        StepOp::kLt, StepOp::kLe, StepOp::kEq, StepOp::kSelect, StepOp::kScale2, StepOp::kF32ToI32,
        StepOp::kF32ToI8, StepOp::kF32ToU8, StepOp::kAddI32})
    EXPECT_EQ(n_of(design, {.steps = {move, {.op = op, .immediate = true}}}), 16u) << int(op);
  for (StepOp op : {StepOp::kAbs, StepOp::kNeg, StepOp::kI32ToF32})
    EXPECT_EQ(n_of(design, {.steps = {move, {.op = op}}}), 16u) << int(op);
  EXPECT_EQ(n_of(design, {.steps = {move, {.op = StepOp::kLoad}}}), 16u);
  for (int bits : {1, 2, 4}) {
    Design other = design;
    other.divide_bits = bits;
    const auto interval = std::uint64_t((26 + bits - 1) / bits + 1);
    EXPECT_EQ(n_of(other, {.steps = {move, {.op = StepOp::kDiv, .immediate = true}}}),
              8 + 8 * interval);
    EXPECT_EQ(n_of(other, {.steps = {move, {.op = StepOp::kSqrt}}}), 8 + 8 * interval);
  }
}

TEST(Vector, BatchesCrossRowsExceptWithFolds) {
  const Design design = base_design();
  const Step move{.op = StepOp::kMove, .immediate = true};
  // 5 rows of 20 elements: 10 groups of 16 lanes, 2 batches.
  const isa::Run run{.extent0 = 1, .extent1 = 5, .extent2 = 20};
  EXPECT_EQ(n_of(design, {.steps = {move}, .run = run}), 16u);
  EXPECT_EQ(n_of(design, {.steps = {move, {.op = StepOp::kPsumAdd}}, .run = run}), 5 * 16u);
  // Fold on 16 lanes, latency 4: 3 + 5 + 4 + 4 + 4 + 4 + 4; then one more step in the tail.
  EXPECT_EQ(n_of(design, {.steps = {move,
                                    {.op = StepOp::kPsumMax},
                                    {.op = StepOp::kFoldMax},
                                    {.op = StepOp::kSqrt}},
                          .run = run}),
            5 * (16u + 28 + 14));
}

TEST(Vector, PartialSumsWaitForTheAdder) {
  const Step move{.op = StepOp::kMove, .immediate = true};
  for (int lanes : {8, 16, 32, 64}) {
    for (int latency : {1, 4, 8}) {
      Design design = base_design();
      design.lanes = lanes;
      design.vector_latency = latency;
      design.activations.bank_bytes = design.weights.bank_bytes = 4096;
      EXPECT_EQ(n_of(design, {.steps = {move, {.op = StepOp::kPsumAdd}}}),
                8u + std::max(8, 8 * latency * lanes / 64))
          << lanes << " " << latency;
    }
  }
}

TEST(Vector, PlacesThatAreNotOneAccess) {
  const Design design = base_design();  // 16 lanes, 16 columns
  const auto load = [&](isa::Stream stream, std::uint32_t n) {
    return n_of(design, {.steps = {{.op = StepOp::kLoad}},
                         .run = {.extent0 = 1, .extent1 = 1, .extent2 = n},
                         .stream = stream});
  };
  isa::Stream stream{.space = isa::Space::kActivations, .element = isa::Element::kI8, .stride2 = 1};
  EXPECT_EQ(load(stream, 48), 8u);
  stream.start = 16;
  EXPECT_EQ(load(stream, 48), 8u);
  stream.start = 8;  // not aligned to 16 elements: one a cycle
  EXPECT_EQ(load(stream, 48), 48u + 5);
  EXPECT_EQ(load(stream, 1), 8u);
  stream.start = 0;
  stream.stride2 = 2;
  EXPECT_EQ(load(stream, 20), 20u + 6);
  stream.stride2 = 0;
  EXPECT_EQ(load(stream, 20), 8u);
  stream = {.space = isa::Space::kAccumulators, .element = isa::Element::kI32, .stride2 = 1};
  EXPECT_EQ(load(stream, 32), 8u);
  Design narrow = design;
  narrow.columns = 4;  // an access reads 4 columns
  EXPECT_EQ(n_of(narrow, {.steps = {{.op = StepOp::kLoad}},
                          .run = {.extent0 = 1, .extent1 = 1, .extent2 = 30},
                          .stream = stream}),
            4u + 4 + 6);
}

TEST(Vector, StatesOfARun) {
  const Design design = base_design();
  Script script;
  script.routine({{.op = StepOp::kMove, .immediate = true}, {.op = StepOp::kSqrt, .dst = 1}});
  const auto run = script.add(isa::Run{.last = 1, .extent0 = 1, .extent1 = 1, .extent2 = 5});
  const RunResult result = run_script(design, script);
  const std::uint64_t busy = 1 + 8 + 8, n = 8 + 8 * 14;
  EXPECT_EQ(result.records[run].end, result.records[run].start + n + 1);
  EXPECT_EQ(result.units[4].busy, busy);
  // An instruction is two beats, so the run is dispatched two cycles after the routine: one idle
  // cycle between them.
  EXPECT_EQ(result.records[run].start, result.records[0].start + 2);
  EXPECT_EQ(result.units[4].idle, result.records[0].start + 1);
  EXPECT_EQ(result.units[4].stalled, n + 2 - (busy - 1));
}

TEST(Vector, IncrementsMoveTheStreams) {
  const Design design = base_design();
  Script script;
  script.routine(
      {{.op = StepOp::kMove, .immediate = true, .imm = 7}, {.op = StepOp::kStore, .stream = 3}});
  script.add(isa::Stream{.stream = 3, .element = isa::Element::kI8, .start = 5, .stride2 = 1});
  isa::Run run{.last = 1, .extent0 = 1, .extent1 = 1, .extent2 = 3, .increment3 = 100};
  script.add(run);
  run.increment3 = -105;
  script.add(run);
  script.add(run, {}, {0});
  script.add(isa::Store{.rows = 1, .row_bytes = 128}, {0});
  DramImage dram(design.dram_capacity_bytes);
  run_script(design, script, {}, &dram);
  for (int i = 0; i < 128; ++i) {
    const bool written = (i >= 5 && i < 8) || (i >= 105 && i < 108) || i < 3;
    ASSERT_EQ(dram.data()[region(0) + std::uint64_t(i)], written ? 7 : 0) << i;
  }
}

}  // namespace
}  // namespace tally
