// SPDX-License-Identifier: Apache-2.0
// The vector unit in RTL against the functional model (values, events) and the cycles of
// docs/timing.md as the SystemC model computes them: random runs on two shapes of the unit, and
// hand counted ones. TALLY_VECTOR_RUNS (default 400) runs a shape.
#include <gtest/gtest.h>

#include <cstdlib>

#include "compiler/program/vector_state.h"
#include "models/functional/units.h"
#include "sysc/vector_timing.h"
#include "tests/cosim/vector/random_run.h"
#include "tests/cosim/vector/vector_bench.h"
#include "vector_base.h"
#include "vector_one.h"

namespace tally {
namespace {

constexpr std::uint64_t kSeed = 20240608;

// Numbers as in CMakeLists.txt. One memory is large enough for every bit of an increment to matter.
template <class Model, int Lanes, int Columns, int Latency, int DivideBits,
          int ActivationBankBytes = 8192>
struct Shape {
  using Top = Model;
  static Design design() {
    Design design;
    design.rows = design.columns = Columns;
    design.lanes = Lanes;
    design.vector_latency = Latency;
    design.divide_bits = DivideBits;
    design.port_bytes = 16;
    design.activations = {4, ActivationBankBytes};
    design.weights = {4, 8192};
    design.accumulators = {4, 4096};
    return design;
  }
};

std::string text(const std::vector<isa::Step>& steps, const isa::Run& run) {
  std::string out = fmt::format("{} x {} x {}:", run.extent0, run.extent1, run.extent2);
  for (const isa::Step& step : steps)
    out += fmt::format(" {}(d{} a{} b{}{} s{})", isa::step_spec(step.op).name, step.dst, step.a,
                       step.b, step.immediate ? "imm" : "", step.stream);
  return out;
}

template <class S>
class VectorTest : public testing::Test {
 protected:
  using Bench = VectorBench<typename S::Top>;

  VectorTest() : design_(S::design()), bench_(design_), chip_(design_) {}

  void set_memory(isa::Space space, const std::vector<std::uint8_t>& bytes) {
    bench_.memory(space) = bytes;
    std::copy(bytes.begin(), bytes.end(), chip_.memory(space).data());
  }

  // Runs one instruction on the RTL and on the models; false once something differs.
  bool step(const isa::Instruction& instruction, int gap) {
    const UnitRun got = bench_.run(instruction, gap);
    EXPECT_FALSE(got.out_of_order);
    if (const auto* run = std::get_if<isa::Run>(&instruction.body)) {
      check_run(*run, got);
    } else {
      EXPECT_EQ(got.end, 0u);
      EXPECT_EQ(got.ready, 1u);
      EXPECT_EQ(got.busy, 1u);
      EXPECT_EQ(got.active, 0u);
    }
    state_.apply(instruction);
    return !this->HasFailure();
  }

  void check_run(const isa::Run& run, const UnitRun& got) {
    const auto prepared = prepare_run(run, state_);
    ASSERT_TRUE(prepared.has_value());
    SCOPED_TRACE(text(prepared->steps, run));
    const auto timing = sysc::time_run(run, prepared->steps, streams(), design_);
    EXPECT_EQ(got.end, timing.cycles + 1);
    EXPECT_EQ(got.ready, timing.cycles + 2);
    EXPECT_EQ(got.active, timing.cycles + 1);
    EXPECT_EQ(got.busy, timing.busy);
    chip_.events = {};
    functional::execute(*prepared, &chip_);
    EXPECT_EQ(got.events, chip_.events);
    for (const isa::Space space :
         {isa::Space::kActivations, isa::Space::kWeights, isa::Space::kAccumulators}) {
      const auto& memory = bench_.memory(space);
      const std::uint8_t* want = chip_.memory(space).data();
      const auto differs = std::mismatch(memory.begin(), memory.end(), want);
      EXPECT_TRUE(differs.first == memory.end())
          << isa::kSpaceNames[std::size_t(space)] << " byte " << differs.first - memory.begin();
    }
    runs_compared_ += 1;
  }

  sysc::StreamRegisters streams() const {
    sysc::StreamRegisters out;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const StreamRegister& from = state_.streams[i];
      out[i] = {std::uint32_t(i), from.space,   from.element, from.start,
                from.stride0,     from.stride1, from.stride2};
    }
    return out;
  }

  Design design_;
  Bench bench_;
  functional::Chip chip_;
  VectorState state_;
  std::uint64_t runs_compared_ = 0;
};

int random_runs() {
  const char* value = std::getenv("TALLY_VECTOR_RUNS");
  return value == nullptr ? 400 : std::atoi(value);
}

using Shapes =
    testing::Types<Shape<vector_base, 16, 16, 4, 2>, Shape<vector_one, 1, 2, 1, 4, 1 << 20>>;
TYPED_TEST_SUITE(VectorTest, Shapes);

TYPED_TEST(VectorTest, RandomRunsEqualTheModels) {
  RandomRun generator(this->design_, kSeed);
  std::mt19937 gaps(kSeed);
  std::vector<std::uint8_t> bytes;
  const int runs = random_runs();
  std::uint64_t generated = 0;
  for (int i = 0; i < runs; ++i) {
    if (i % 50 == 0) {  // another program: reset, other data
      this->bench_.reset();
      this->state_ = {};
      for (const auto space :
           {isa::Space::kActivations, isa::Space::kWeights, isa::Space::kAccumulators}) {
        bytes.resize(this->bench_.memory(space).size());
        generator.fill(&bytes);
        this->set_memory(space, bytes);
      }
    }
    for (const auto& instruction : generator.next()) {
      generated += std::holds_alternative<isa::Run>(instruction.body);
      ASSERT_TRUE(this->step(instruction, int(gaps() % 3))) << "run " << i;
    }
  }
  EXPECT_EQ(this->runs_compared_, generated);
  EXPECT_GE(generated, std::uint64_t(runs));
  for (const auto& [name, times] : generator.classes())
    EXPECT_GT(times * 100, runs) << name << " in fewer than 1% of the runs";
}

// Cycles counted by hand from docs/timing.md, L = 16, A = 4, I = 14.
class BaseVector : public VectorTest<Shape<vector_base, 16, 16, 4, 2>> {
 protected:
  static isa::Instruction with(isa::Body body) {
    isa::Instruction instruction;
    instruction.body = std::move(body);
    return instruction;
  }

  static isa::Step make(isa::StepOp op, int dst, int a, int b, int stream) {
    isa::Step step;
    step.op = op;
    step.dst = std::uint8_t(dst), step.a = std::uint8_t(a), step.b = std::uint8_t(b);
    step.stream = std::uint8_t(stream);
    return step;
  }

  // Stream 0 is loaded from `space`, stream 1 stored to weights.
  void set_streams(isa::Space space, std::uint32_t start, std::int32_t stride2) {
    isa::Stream from;
    from.space = space;
    from.element = isa::Element::kI32;
    from.start = start;
    from.stride1 = 16, from.stride2 = stride2;
    step(with(from), 0);
    isa::Stream to;
    to.stream = 1;
    to.space = isa::Space::kWeights;
    to.stride1 = 1024, to.stride2 = 1;
    step(with(to), 0);
  }

  // N of a run of the steps over `rows` rows of n elements.
  std::uint64_t cycles(const std::vector<isa::Step>& steps, std::uint32_t rows, std::uint32_t n) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      isa::Routine routine;
      routine.first = std::uint32_t(i);
      routine.count = 1;
      routine.step0 = isa::encode_step(steps[i]);
      step(with(routine), 0);
    }
    isa::Run run;
    run.last = std::uint32_t(steps.size()) - 1;
    run.extent0 = 1, run.extent1 = rows, run.extent2 = n;
    const UnitRun got = bench_.run(with(run), 0);
    check_run(run, got);
    return got.end - 1;
  }

  const isa::Step load_ = make(isa::StepOp::kLoad, 0, 0, 0, 0);
  const isa::Step store_ = make(isa::StepOp::kStore, 0, 0, 0, 1);
  const isa::Step add_ = make(isa::StepOp::kAdd, 0, 0, 0, 0);
  const isa::Step div_ = make(isa::StepOp::kDiv, 0, 0, 0, 0);
  const isa::Step psum_ = make(isa::StepOp::kPsumAdd, 0, 0, 0, 0);
  const isa::Step fold_ = make(isa::StepOp::kFoldAdd, 0, 0, 0, 0);
};

TEST_F(BaseVector, TakesTheCyclesCountedByHand) {
  set_streams(isa::Space::kActivations, 0, 1);
  EXPECT_EQ(cycles({load_, store_}, 1, 128), 16u);                // one batch of 8 places
  EXPECT_EQ(cycles({load_, store_}, 1, 1), 16u);                  // 7 of them empty
  EXPECT_EQ(cycles({load_, store_}, 1, 129), 32u);                // two batches
  EXPECT_EQ(cycles({load_, add_, store_}, 1, 128), 24u);          // another step
  EXPECT_EQ(cycles({load_, store_}, 8, 16), 16u);                 // a batch crosses rows
  EXPECT_EQ(cycles({load_, div_, store_}, 1, 128), 128u);         // 8 I more
  EXPECT_EQ(cycles({load_, psum_, fold_, store_}, 1, 16), 52u);   // fold 3 + 5 + 5 x 4
  EXPECT_EQ(cycles({load_, psum_, fold_, store_}, 3, 16), 156u);  // a batch a row
  EXPECT_EQ(cycles({load_, psum_, fold_, div_, store_}, 1, 16), 66u);
  set_streams(isa::Space::kActivations, 1, 1);
  EXPECT_EQ(cycles({load_, store_}, 1, 128), 136u);          // not aligned: an element a cycle
  EXPECT_EQ(cycles({load_, store_}, 1, 20), 20u + 6u + 8u);  // 16 + 4 elements, 6 empty places
  set_streams(isa::Space::kActivations, 1, 0);
  EXPECT_EQ(cycles({load_, store_}, 1, 128), 16u);  // one element for all lanes
  set_streams(isa::Space::kActivations, 0, 2);
  EXPECT_EQ(cycles({load_, store_}, 1, 128), 136u);
  set_streams(isa::Space::kAccumulators, 0, 1);
  EXPECT_EQ(cycles({load_, store_}, 1, 128), 16u);  // C = L columns a cycle
}

}  // namespace
}  // namespace tally
