// SPDX-License-Identifier: Apache-2.0
#include "sysc/vector_values.h"

#include <algorithm>
#include <array>
#include <vector>

#include "models/numeric/f32_array.h"
#include "sysc/vector_steps.h"
#include "sysc/vector_streams.h"

namespace tally::sysc {
namespace {

constexpr std::uint32_t kMinusInfinity = 0xff800000u;
constexpr std::uint32_t kChunk = 1024;  // elements worked on at a time; a multiple of 64

// The 64 partial results of a row (models/numeric/sums.h states the rule).
class PartialSums {
 public:
  void begin_row(bool maximum) { values_.fill(maximum ? kMinusInfinity : 0); }

  // `first` of the row's elements is a multiple of 64.
  void add(isa::StepOp op, const std::uint32_t* a, std::size_t n) {
    for (std::size_t i = 0; i < n; i += values_.size()) {
      const std::size_t count = std::min(values_.size(), n - i);
      combine(op == isa::StepOp::kPsumMax, a + i, count);
    }
  }

  std::uint32_t fold(isa::StepOp op) {
    for (std::size_t half = values_.size() / 2; half > 0; half /= 2)
      combine(op == isa::StepOp::kFoldMax, values_.data() + half, half);
    return values_[0];
  }

 private:
  void combine(bool maximum, const std::uint32_t* with, std::size_t n) {
    if (maximum) {
      f32::max(values_.data(), with, values_.data(), n);
    } else {
      f32::add(values_.data(), with, values_.data(), n);
    }
  }

  std::array<std::uint32_t, isa::kPartialSums> values_{};
};

class RunValues {
 public:
  RunValues(const isa::Run& run, std::span<const isa::Step> steps, const StreamRegisters& streams,
            Memories* memories, WriteHash* hash)
      : run_(run), body_(steps.first(body_steps(steps))), tail_(steps.subspan(body_.size())) {
    for (const isa::Stream& stream : streams) streams_.emplace_back(stream, run, memories, hash);
    for (const isa::Step& step : steps) {
      by_row_ = by_row_ || is_psum(step.op) || is_fold(step.op);
      maximum_ = maximum_ || step.op == isa::StepOp::kPsumMax;
    }
  }

  void execute() {
    const std::uint32_t rows = run_.extent0 * run_.extent1;
    const std::uint32_t together = by_row_ ? 1 : std::max(1u, kChunk / run_.extent2);
    for (std::uint32_t row = 0; row < rows; row += together)
      rows_of(row, std::min(together, rows - row));
  }

 private:
  void rows_of(std::uint32_t first_row, std::uint32_t rows) {
    sums_.begin_row(maximum_);
    for (std::uint32_t first = 0; first < run_.extent2; first += kChunk) {
      const Piece piece{first_row, rows, first, std::min(kChunk, run_.extent2 - first)};
      for (const isa::Step& step : body_) execute(step, piece);
    }
    for (const isa::Step& step : tail_) execute(step, {first_row, 1, 0, 1});
  }

  // Elements first..first + width - 1 of `rows` rows, one row after the other in the registers.
  struct Piece {
    std::uint32_t first_row, rows, first, width;
    std::size_t elements() const { return std::size_t(rows) * width; }
  };

  void execute(const isa::Step& step, const Piece& piece) {
    if (step.op == isa::StepOp::kLoad || step.op == isa::StepOp::kStore) {
      access(step, piece);
    } else if (is_psum(step.op)) {
      sums_.add(step.op, lane(step.a), piece.elements());
    } else if (is_fold(step.op)) {
      lane(step.dst)[0] = sums_.fold(step.op);
    } else {
      compute(step, lane(step.a), lane(step.b), lane(step.dst), piece.elements());
    }
  }

  void access(const isa::Step& step, const Piece& piece) {
    const StreamAccess& stream = streams_[step.stream];
    for (std::uint32_t i = 0; i < piece.rows; ++i) {
      const std::uint32_t row = piece.first_row + i;
      const std::uint32_t i0 = row / run_.extent1, i1 = row % run_.extent1;
      const std::size_t offset = std::size_t(i) * piece.width;
      if (step.op == isa::StepOp::kLoad) {
        stream.load(i0, i1, piece.first, lane(step.dst) + offset, piece.width);
      } else {
        stream.store(i0, i1, piece.first, lane(step.a) + offset, piece.width);
      }
    }
  }

  std::uint32_t* lane(std::uint8_t index) { return registers_[index].data(); }

  const isa::Run& run_;
  std::span<const isa::Step> body_, tail_;
  std::vector<StreamAccess> streams_;
  bool by_row_ = false, maximum_ = false;
  PartialSums sums_;
  std::array<std::array<std::uint32_t, kChunk>, isa::kLaneRegisters> registers_{};
};

}  // namespace

void run_steps(const isa::Run& run, std::span<const isa::Step> steps,
               const StreamRegisters& streams, Memories* memories, WriteHash* hash) {
  RunValues(run, steps, streams, memories, hash).execute();
}

}  // namespace tally::sysc
