// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/vector/random_run.h"

#include <algorithm>
#include <cstring>

namespace tally {
namespace {

using isa::Step;
using isa::StepOp;

// Streams 0 to 3 load, 4 and 5 store, 6 loads and stores in place.
constexpr int kLoadStreams = 4, kInPlace = 6;
constexpr std::uint64_t kMaxElements = 3000;

StepOp op_at(std::uint32_t code) { return static_cast<StepOp>(code); }
constexpr std::uint32_t kFirstArithmetic = 3, kArithmetics = 20;  // move .. add_i32

isa::Instruction with(isa::Body body) {
  isa::Instruction instruction;
  instruction.body = std::move(body);
  return instruction;
}

}  // namespace

void RandomRun::fill(std::vector<std::uint8_t>* memory) {
  const std::uint32_t special[] = {0,          0x80000000, 1,          0x807fffff, 0x00800000,
                                   0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff, 0x3f800000};
  for (std::size_t at = 0; at + 4 <= memory->size(); at += 4) {
    std::uint32_t value = std::uint32_t(random_());
    switch (below(8)) {
      case 0:
        value = special[below(10)];
        break;
      case 1:
        value = below(512) - 256;
        break;
      case 2:
        break;
      default:
        value = (value & 0x80ffffff) | (120 + below(16)) << 23;
        break;
    }
    std::memcpy(memory->data() + at, &value, 4);
  }
}

RandomRun::Extents RandomRun::choose_extents() {
  const auto lanes = std::uint32_t(design_.lanes);
  const std::uint32_t lengths[] = {
      1,         2,         7,         33,        64,        65,  lanes,
      lanes + 1, 2 * lanes, 8 * lanes, 7 * lanes, 9 * lanes, 130, below(200) + 1};
  Extents extents{one_in(2) ? 1 : 1 + below(3), one_in(3) ? 1 : 1 + below(6),
                  lengths[below(std::size(lengths))]};
  if (one_in(12)) extents = {1 + below(9), 1 + below(9), 1 + below(3)};
  while (std::uint64_t(extents.e0) * extents.e1 * extents.n > kMaxElements)
    extents.e1 = extents.e0 = 1;
  if (extents.n == 1) count("rows of one element");
  if (extents.n % lanes != 0) count("last group masked");
  if (extents.n > 8 * lanes) count("rows of several batches");
  return extents;
}

std::int64_t RandomRun::elements(isa::Space space, isa::Element element) const {
  const Memory* memories[] = {&design_.activations, &design_.weights, &design_.accumulators};
  const bool word = element == isa::Element::kF32 || element == isa::Element::kI32;
  return memories[std::size_t(space)]->bytes() / (word ? 4 : 1);
}

// A start at which all elements lie in one half of the memory (accumulators: anywhere).
void RandomRun::place(isa::Stream* stream, const Extents& extents, bool upper_half) {
  const std::int64_t size = elements(stream->space, stream->element);
  std::int64_t low = 0, high = 0;
  const std::pair<std::int32_t, std::uint32_t> spans[] = {
      {stream->stride0, extents.e0}, {stream->stride1, extents.e1}, {stream->stride2, extents.n}};
  for (const auto& [stride, extent] : spans)
    (stride < 0 ? low : high) += std::int64_t(stride) * (extent - 1);
  const bool halves = stream->space != isa::Space::kAccumulators;
  const std::int64_t bottom = halves && upper_half ? size / 2 : 0;
  const std::int64_t top = halves && !upper_half ? size / 2 : size;
  std::int64_t first = bottom - low;
  const std::int64_t room = top - 1 - high - first;
  if (room < 0 && upper_half) {  // a store: bytes side by side always fit
    stream->element = isa::Element::kU8;
    stream->stride2 = 1;
    stream->stride1 = std::int32_t(extents.n);
    stream->stride0 = std::int32_t(extents.n * extents.e1);
    return place(stream, extents, upper_half);
  }
  if (room < 0) {  // a load: one element, again and again
    stream->stride0 = stream->stride1 = stream->stride2 = 0;
    first = bottom;
  } else {
    first += std::int64_t(random_() % std::uint64_t(room + 1));
    const std::int64_t aligned = first - first % design_.lanes;
    if (!one_in(3) && aligned >= bottom - low) first = aligned;
  }
  stream->start = std::uint32_t(first);
}

isa::Stream RandomRun::load_stream(int index, const Extents& extents) {
  isa::Stream stream;
  stream.stream = std::uint32_t(index);
  stream.space = static_cast<isa::Space>(below(3));
  stream.element = stream.space == isa::Space::kAccumulators ? isa::Element::kI32
                                                             : static_cast<isa::Element>(below(4));
  const auto lanes = std::int32_t(design_.lanes);
  const std::int32_t inner[] = {1, 1, 1, 0, -1, 2, std::int32_t(below(9)) - 4};
  stream.stride2 = inner[below(std::size(inner))];
  const auto padded = (std::int32_t(extents.n) + lanes - 1) / lanes * lanes;
  const std::int32_t row = one_in(2) ? padded : std::int32_t(below(2 * extents.n + 1)) - 3;
  stream.stride1 = one_in(6) ? 0 : row;
  stream.stride0 = one_in(6) ? 0 : row * std::int32_t(extents.e1);
  place(&stream, extents, false);
  return stream;
}

isa::Stream RandomRun::store_stream(int index, const Extents& extents) {
  isa::Stream stream;
  stream.stream = std::uint32_t(index);
  stream.space = static_cast<isa::Space>(index == kInPlace ? 1 : index - kLoadStreams);
  stream.element = static_cast<isa::Element>(below(4));
  const auto lanes = std::int32_t(design_.lanes);
  const std::int32_t inner[] = {1, 1, 1, -1, 2, -3};
  stream.stride2 = inner[below(std::size(inner))];
  std::int32_t row = std::abs(stream.stride2) * std::int32_t(extents.n) + std::int32_t(below(3));
  if (one_in(2)) row = (row + lanes - 1) / lanes * lanes;
  stream.stride1 = row;
  stream.stride0 = row * std::int32_t(extents.e1) * (one_in(3) ? -1 : 1);
  place(&stream, extents, true);
  return stream;
}

int RandomRun::written_register(unsigned written) {
  for (;;) {
    const int reg = int(below(isa::kLaneRegisters));
    if (written >> reg & 1) return reg;
  }
}

Step RandomRun::choose_step(StepOp op, unsigned written) {
  const isa::StepSpec& spec = isa::step_spec(op);
  Step step;
  step.op = op;
  if (spec.dst) step.dst = std::uint8_t(below(isa::kLaneRegisters));
  if (op == StepOp::kSelect) step.dst = std::uint8_t(written_register(written));
  if (spec.a) step.a = std::uint8_t(written_register(written));
  if (spec.b) {
    step.immediate = one_in(3);
    if (step.immediate)
      step.imm = one_in(2) ? std::uint32_t(random_()) : 0x3f800000u + below(1u << 24);
    else
      step.b = std::uint8_t(written_register(written));
    if (op == StepOp::kScale2 && step.immediate) step.imm = below(40) - 20;
  }
  return step;
}

void RandomRun::add_arithmetic(std::vector<Step>* steps, unsigned* written, int most) {
  for (int i = int(below(std::uint32_t(most))); i > 0; --i) {
    steps->push_back(choose_step(op_at(kFirstArithmetic + below(kArithmetics)), *written));
    *written |= 1u << steps->back().dst;
  }
}

void RandomRun::add_load(std::vector<Step>* steps, unsigned* written) {
  Step load;
  load.op = StepOp::kLoad;
  load.stream = std::uint8_t(one_in(6) ? kInPlace : below(kLoadStreams));
  load.dst = std::uint8_t(below(isa::kLaneRegisters));
  steps->push_back(load);
  *written |= 1u << load.dst;
}

void RandomRun::add_store(std::vector<Step>* steps, unsigned written, int stream) {
  Step store;
  store.op = StepOp::kStore;
  store.stream = std::uint8_t(stream);
  store.a = std::uint8_t(written_register(written));
  steps->push_back(store);
}

std::vector<Step> RandomRun::choose_steps() {
  std::vector<Step> steps;
  unsigned written = 0;
  for (int i = 1 + int(below(3)); i > 0; --i) add_load(&steps, &written);
  add_arithmetic(&steps, &written, 6);
  const bool psum = one_in(2), fold = psum && !one_in(5), maximum = one_in(2);
  if (psum) {
    steps.push_back(choose_step(maximum ? StepOp::kPsumMax : StepOp::kPsumAdd, written));
    count(fold ? "psum and fold" : "psum without fold");
    if (one_in(2)) add_arithmetic(&steps, &written, 3);
  }
  // At most one store a stream in the body and the tail together; in place only in the body.
  if (!fold || one_in(2)) add_store(&steps, written, 4);
  if (one_in(3)) {
    add_store(&steps, written, kInPlace);
    count("store in place or to a stream of its own");
  }
  if (!fold) {
    count("no fold");
    return steps;
  }
  steps.push_back(choose_step(maximum ? StepOp::kFoldMax : StepOp::kFoldAdd, 0));
  written = 1u << steps.back().dst;
  if (one_in(2)) {
    add_load(&steps, &written);
    // The body may store what the tail would load.
    if (steps.back().stream == kInPlace) steps.back().stream = 0;
    count("load in the tail");
  }
  add_arithmetic(&steps, &written, 5);
  add_store(&steps, written, 5);
  return steps;
}

void RandomRun::write_routine(const std::vector<Step>& steps, std::uint32_t first,
                              std::vector<isa::Instruction>* code) {
  for (std::size_t i = 0; i < steps.size();) {
    const std::size_t n = std::min<std::size_t>(1 + below(3), steps.size() - i);
    isa::Routine routine;
    routine.first = first + std::uint32_t(i);
    routine.count = std::uint32_t(n);
    std::uint64_t bits[3] = {0, 0, 0};
    for (std::size_t k = 0; k < n; ++k) bits[k] = isa::encode_step(steps[i + k]);
    routine.step0 = bits[0], routine.step1 = bits[1], routine.step2 = bits[2];
    code->push_back(with(routine));
    i += n;
  }
}

std::array<std::int32_t, isa::kStreams> RandomRun::random_increments() {
  std::array<std::int32_t, isa::kStreams> increments;
  for (std::int32_t& value : increments)
    value = one_in(4) ? 0 : std::int32_t(below(1u << 18)) - (1 << 17);
  return increments;
}

void RandomRun::set_increments(const std::array<std::int32_t, isa::kStreams>& values,
                               isa::Run* run) {
  run->increment0 = values[0], run->increment1 = values[1], run->increment2 = values[2];
  run->increment3 = values[3], run->increment4 = values[4], run->increment5 = values[5];
  run->increment6 = values[6], run->increment7 = values[7];
}

// The streams start elsewhere, and the increments of a run without memory steps bring them to where
// they should be. Its step lies beside the routine.
void RandomRun::move_streams_there(std::vector<isa::Instruction>* code) {
  const auto increments = random_increments();
  std::uint32_t lowest = isa::kRoutineSteps, highest = 0;
  for (isa::Instruction& instruction : *code) {
    if (auto* stream = std::get_if<isa::Stream>(&instruction.body))
      stream->start = (stream->start - std::uint32_t(increments[stream->stream])) & 0xffffffu;
    if (const auto* routine = std::get_if<isa::Routine>(&instruction.body)) {
      lowest = std::min(lowest, routine->first);
      highest = std::max(highest, routine->first + routine->count - 1);
    }
  }
  Step move;
  move.op = StepOp::kMove;
  move.immediate = true;
  isa::Run run;
  run.first = run.last = lowest > 0 ? lowest - 1 : highest + 1;
  run.extent0 = run.extent1 = run.extent2 = 1;
  set_increments(increments, &run);
  write_routine({move}, run.first, code);
  code->push_back(with(run));
  count("streams moved by increments");
}

std::vector<isa::Instruction> RandomRun::next() {
  const Extents extents = choose_extents();
  std::vector<isa::Instruction> code;
  for (int i = 0; i < kLoadStreams; ++i) code.push_back(with(load_stream(i, extents)));
  for (const int i : {4, 5, kInPlace}) code.push_back(with(store_stream(i, extents)));
  const std::vector<Step> steps = choose_steps();
  const std::uint32_t last_first = isa::kRoutineSteps - std::uint32_t(steps.size());
  const std::uint32_t first = one_in(8) ? last_first : below(last_first + 1);
  write_routine(steps, first, &code);
  if (one_in(2)) move_streams_there(&code);
  isa::Run run;
  run.first = first;
  run.last = first + std::uint32_t(steps.size()) - 1;
  run.extent0 = extents.e0, run.extent1 = extents.e1, run.extent2 = extents.n;
  set_increments(random_increments(), &run);
  code.push_back(with(run));
  return code;
}

}  // namespace tally
