// SPDX-License-Identifier: Apache-2.0
// The vector unit: batches of eight places, a step over the whole batch at a time.
#include <algorithm>
#include <array>
#include <cstring>

#include "models/functional/units.h"
#include "models/numeric/f32.h"
#include "models/numeric/f32_array.h"

namespace tally::functional {
namespace {

using isa::Step;
using isa::StepOp;

constexpr std::uint32_t kMinusInfinity = 0xff800000u;

// One group of lanes' work: elements first .. first + active - 1 of row (i0, i1).
struct Place {
  std::int64_t i0, i1;
  std::uint32_t first, active;
};

// The same operation for a body batch (n = places x L) and for the tail (n = 1).
void arithmetic(const Step& step, std::uint32_t* const registers[], std::size_t n) {
  const std::uint32_t* a = registers[step.a];
  const std::uint32_t* b = registers[step.b];
  std::uint32_t* d = registers[step.dst];
  const auto binary = [&](auto array, auto scalar) {
    if (step.immediate)
      scalar(a, step.imm, d, n);
    else
      array(a, b, d, n);
  };
#define TALLY_BINARY(op)                                                      \
  binary([](auto x, auto y, auto z, auto count) { f32::op(x, y, z, count); }, \
         [](auto x, std::uint32_t y, auto z, auto count) { f32::op(x, y, z, count); })
  switch (step.op) {
    case StepOp::kMove:
      for (std::size_t i = 0; i < n; ++i) d[i] = step.immediate ? step.imm : b[i];
      return;
    case StepOp::kAdd:
      return TALLY_BINARY(add);
    case StepOp::kSub:
      return TALLY_BINARY(sub);
    case StepOp::kMul:
      return TALLY_BINARY(mul);
    case StepOp::kDiv:
      return TALLY_BINARY(div);
    case StepOp::kSqrt:
      return f32::sqrt(a, d, n);
    case StepOp::kMin:
      return TALLY_BINARY(min);
    case StepOp::kMax:
      return TALLY_BINARY(max);
    case StepOp::kAbs:
      return f32::abs(a, d, n);
    case StepOp::kNeg:
      return f32::neg(a, d, n);
    case StepOp::kLt:
      return TALLY_BINARY(lt);
    case StepOp::kLe:
      return TALLY_BINARY(le);
    case StepOp::kEq:
      return TALLY_BINARY(eq);
    case StepOp::kSelect:
      return TALLY_BINARY(select);
    case StepOp::kScale2:
      return TALLY_BINARY(scale2);
    case StepOp::kI32ToF32:
      return f32::i32_to_f32(a, d, n);
    case StepOp::kF32ToI32:
      return TALLY_BINARY(to_i32);
    case StepOp::kF32ToI8:
      return TALLY_BINARY(to_i8);
    case StepOp::kF32ToU8:
      return TALLY_BINARY(to_u8);
    case StepOp::kAddI32:
      return TALLY_BINARY(add_i32);
    default:
      TALLY_CHECK(false, "step {}", int(step.op));
  }
#undef TALLY_BINARY
}

class Routine {
 public:
  Routine(const VectorRun& run, Chip* chip)
      : run_(run), chip_(*chip), lanes_(std::uint32_t(chip->design.lanes)) {
    values_.resize(isa::kLaneRegisters * isa::kBatchGroups * lanes_);
    for (std::size_t i = 0; i < registers_.size(); ++i)
      registers_[i] = values_.data() + i * isa::kBatchGroups * lanes_;
    for (std::size_t i = 0; i < tail_.size(); ++i) tail_registers_[i] = &tail_[i];
  }

  void execute() {
    const isa::Run& run = run_.run;
    for (std::int64_t i0 = 0; i0 < run.extent0; ++i0)
      for (std::int64_t i1 = 0; i1 < run.extent1; ++i1) {
        begin_row();
        for (std::uint32_t first = 0; first < run.extent2; first += lanes_)
          add_place({i0, i1, first, std::min(lanes_, run.extent2 - first)});
        if (run_.by_rows) end_row(i0, i1);
      }
    end_batch();
  }

 private:
  void begin_row() {
    partial_.fill(0);
    for (const Step& step : run_.steps)
      if (step.op == StepOp::kPsumMax) partial_.fill(kMinusInfinity);
  }

  void add_place(const Place& place) {
    batch_.push_back(place);
    if (batch_.size() == isa::kBatchGroups) end_batch();
  }

  void end_batch() {
    if (batch_.empty()) return;
    for (const Step& step : run_.body_steps()) body_step(step);
    batch_.clear();
  }

  void end_row(std::int64_t i0, std::int64_t i1) {
    end_batch();
    for (const Step& step : run_.tail_steps()) tail_step(step, i0, i1);
  }

  void body_step(const Step& step) {
    std::uint64_t active = 0;
    for (const Place& place : batch_) active += place.active;
    chip_.events.vector_operations[std::size_t(step.op)] += active;
    if (isa::step_spec(step.op).stream) {
      for (std::size_t i = 0; i < batch_.size(); ++i) access(step, batch_[i], i);
    } else if (is_psum(step.op)) {
      for (std::size_t i = 0; i < batch_.size(); ++i) add_partial(step, batch_[i], i);
    } else {
      arithmetic(step, registers_.data(), batch_.size() * lanes_);
    }
  }

  void access(const Step& step, const Place& place, std::size_t index) {
    const StreamRegister& stream = run_.streams[step.stream];
    const bool store = step.op == StepOp::kStore;
    std::uint32_t* lane = registers_[store ? step.a : step.dst] + index * lanes_;
    const std::int64_t first = element(stream, place.i0, place.i1, place.first);
    for (std::uint32_t i = 0; i < place.active; ++i) {
      const std::int64_t address = first + std::int64_t(i) * stream.stride2;
      if (store)
        write(stream, address, lane[i]);
      else
        lane[i] = read(stream, address);
    }
    count_accesses(stream, store, accesses(stream, first, place.active));
  }

  // Bank accesses for one place: c of docs/timing.md.
  std::uint64_t accesses(const StreamRegister& stream, std::int64_t first,
                         std::uint32_t active) const {
    if (active <= 1 || stream.stride2 == 0) return 1;
    if (stream.stride2 != 1 || first % std::int64_t(lanes_) != 0) return active;
    if (stream.space != isa::Space::kAccumulators) return 1;
    const std::uint32_t width = std::min(lanes_, std::uint32_t(chip_.design.columns));
    return (active + width - 1) / width;
  }

  void count_accesses(const StreamRegister& stream, bool store, std::uint64_t accesses) {
    if (store)
      chip_.writes(stream.space, accesses);
    else
      chip_.reads(stream.space, accesses);
  }

  void add_partial(const Step& step, const Place& place, std::size_t index) {
    const std::uint32_t* lane = registers_[step.a] + index * lanes_;
    for (std::uint32_t i = 0; i < place.active; ++i) {
      std::uint32_t& sum = partial_[(place.first + i) % isa::kPartialSums];
      sum = step.op == StepOp::kPsumAdd ? f32::add(sum, lane[i]) : f32::max(sum, lane[i]);
    }
  }

  void tail_step(const Step& step, std::int64_t i0, std::int64_t i1) {
    std::uint64_t& operations = chip_.events.vector_operations[std::size_t(step.op)];
    if (isa::step_spec(step.op).stream) {
      tail_access(step, i0, i1);
      operations += 1;
    } else if (is_fold(step.op)) {
      tail_[step.dst] = fold(step.op);
      operations += isa::kPartialSums - 1;
    } else {
      arithmetic(step, tail_registers_.data(), 1);
      operations += lanes_;
    }
  }

  void tail_access(const Step& step, std::int64_t i0, std::int64_t i1) {
    const StreamRegister& stream = run_.streams[step.stream];
    const bool store = step.op == StepOp::kStore;
    const std::int64_t address = element(stream, i0, i1, 0);
    if (store)
      write(stream, address, tail_[step.a]);
    else
      tail_[step.dst] = read(stream, address);
    count_accesses(stream, store, 1);
  }

  std::uint32_t fold(StepOp op) const {
    auto p = partial_;
    for (std::size_t h = isa::kPartialSums / 2; h >= 1; h /= 2)
      for (std::size_t i = 0; i < h; ++i)
        p[i] = op == StepOp::kFoldAdd ? f32::add(p[i], p[i + h]) : f32::max(p[i], p[i + h]);
    return p[0];
  }

  static std::int64_t element(const StreamRegister& stream, std::int64_t i0, std::int64_t i1,
                              std::int64_t i2) {
    return std::int64_t(stream.start) + i0 * stream.stride0 + i1 * stream.stride1 +
           i2 * stream.stride2;
  }

  std::uint32_t read(const StreamRegister& stream, std::int64_t element) {
    const ChipMemory& memory = chip_.memory(stream.space);
    const std::uint8_t* at =
        memory.data() + memory.wrap(std::uint64_t(element * stream.element_bytes()));
    if (stream.element == isa::Element::kI8) return std::uint32_t(std::int32_t(std::int8_t(*at)));
    if (stream.element == isa::Element::kU8) return *at;
    std::uint32_t value;
    std::memcpy(&value, at, 4);
    return value;
  }

  void write(const StreamRegister& stream, std::int64_t element, std::uint32_t value) {
    const int bytes = stream.element_bytes();
    for (int i = 0; i < bytes; ++i)
      chip_.write_byte(stream.space, std::uint64_t(element * bytes + i),
                       std::uint8_t(value >> 8 * i));
  }

  const VectorRun& run_;
  Chip& chip_;
  std::uint32_t lanes_;
  std::vector<Place> batch_;
  std::vector<std::uint32_t> values_;
  std::array<std::uint32_t*, isa::kLaneRegisters> registers_;  // each 8 groups x L values
  std::array<std::uint32_t, isa::kPartialSums> partial_;
  std::array<std::uint32_t, isa::kLaneRegisters> tail_{};
  std::array<std::uint32_t*, isa::kLaneRegisters> tail_registers_;
};

}  // namespace

void execute(const VectorRun& run, Chip* chip) { Routine(run, chip).execute(); }

}  // namespace tally::functional
