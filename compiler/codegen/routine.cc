// SPDX-License-Identifier: Apache-2.0
#include "compiler/codegen/routine.h"

#include <algorithm>
#include <bit>

namespace tally::codegen {
namespace {

using isa::Step;
using isa::StepOp;

// Registers by value, over the entries in order.
class Allocator {
 public:
  explicit Allocator(std::size_t values) : register_(values, -1), last_use_(values, -1) {}

  void use(int value, int entry) {
    if (value >= 0) last_use_[value] = std::max(last_use_[value], entry);
  }
  int at(int value) const { return register_[value]; }
  bool dies(int value, int entry) const { return last_use_[value] <= entry; }

  void release_dead(std::initializer_list<int> values, int entry) {
    for (int value : values)
      if (value >= 0 && dies(value, entry)) free_[register_[value]] = true;
  }

  void take(int value) {
    for (int r = 0; r < isa::kLaneRegisters; ++r)
      if (free_[r]) {
        free_[r] = false;
        register_[value] = r;
        return;
      }
    TALLY_CHECK(false, "a routine needs more than {} lane registers", isa::kLaneRegisters);
  }
  void hand_over(int from, int to) { register_[to] = register_[from]; }
  // A result that nothing uses keeps its register for its own step only.
  void drop_unused(int value, int entry) {
    if (dies(value, entry)) free_[register_[value]] = true;
  }

 private:
  std::vector<int> register_, last_use_;
  bool free_[isa::kLaneRegisters] = {true, true, true, true, true, true, true, true};
};

}  // namespace

RoutineBuilder::Value RoutineBuilder::add(Entry entry) {
  for (int id : {entry.a, entry.b, entry.d}) check_live(id);
  entries_.push_back(entry);
  return {int(entries_.size()) - 1};
}

void RoutineBuilder::check_live(int id) const {
  TALLY_CHECK(id < 0 || id >= tail_, "a value of the body is used in the tail");
}

RoutineBuilder::Value RoutineBuilder::load(int stream) {
  return add({.step = {.op = StepOp::kLoad, .stream = std::uint8_t(stream)}, .result = true});
}

void RoutineBuilder::store(Value a, int stream) {
  add({.step = {.op = StepOp::kStore, .stream = std::uint8_t(stream)}, .a = a.id});
}

RoutineBuilder::Value RoutineBuilder::constant_bits(std::uint32_t bits) {
  return add({.step = {.op = StepOp::kMove, .immediate = true, .imm = bits}, .result = true});
}

RoutineBuilder::Value RoutineBuilder::constant(float value) {
  return constant_bits(std::bit_cast<std::uint32_t>(value));
}

RoutineBuilder::Value RoutineBuilder::unary(StepOp op, Value a) {
  return add({.step = {.op = op}, .a = a.id, .result = true});
}

RoutineBuilder::Value RoutineBuilder::binary(StepOp op, Value a, Value b) {
  return add({.step = {.op = op}, .a = a.id, .b = b.id, .result = true});
}

RoutineBuilder::Value RoutineBuilder::binary_bits(StepOp op, Value a, std::uint32_t b) {
  return add({.step = {.op = op, .immediate = true, .imm = b}, .a = a.id, .result = true});
}

RoutineBuilder::Value RoutineBuilder::binary(StepOp op, Value a, float b) {
  return binary_bits(op, a, std::bit_cast<std::uint32_t>(b));
}

RoutineBuilder::Value RoutineBuilder::select(Value condition, Value if_true, Value otherwise) {
  return add({.step = {.op = StepOp::kSelect},
              .a = condition.id,
              .b = if_true.id,
              .d = otherwise.id,
              .result = true});
}

RoutineBuilder::Value RoutineBuilder::select(Value condition, float if_true, Value otherwise) {
  return add({.step = {.op = StepOp::kSelect,
                       .immediate = true,
                       .imm = std::bit_cast<std::uint32_t>(if_true)},
              .a = condition.id,
              .d = otherwise.id,
              .result = true});
}

void RoutineBuilder::psum(StepOp op, Value a) { add({.step = {.op = op}, .a = a.id}); }

RoutineBuilder::Value RoutineBuilder::fold(StepOp op) {
  tail_ = int(entries_.size());
  return add({.step = {.op = op}, .result = true});
}

Routine RoutineBuilder::finish() const {
  Allocator allocator(entries_.size());
  for (int i = 0; i < int(entries_.size()); ++i)
    for (int id : {entries_[i].a, entries_[i].b, entries_[i].d}) allocator.use(id, i);

  Routine steps;
  for (int i = 0; i < int(entries_.size()); ++i) {
    const Entry& entry = entries_[i];
    Step step = entry.step;
    if (entry.a >= 0) step.a = std::uint8_t(allocator.at(entry.a));
    if (entry.b >= 0) step.b = std::uint8_t(allocator.at(entry.b));
    if (entry.d >= 0) {
      // A select overwrites its third operand: in place if that dies here, else in a copy.
      if (allocator.dies(entry.d, i) && entry.d != entry.a && entry.d != entry.b) {
        allocator.hand_over(entry.d, i);
      } else {
        allocator.take(i);
        steps.push_back({.op = StepOp::kMove,
                         .dst = std::uint8_t(allocator.at(i)),
                         .b = std::uint8_t(allocator.at(entry.d))});
        allocator.release_dead({entry.d}, i);
      }
      if (entry.b == entry.a)
        allocator.release_dead({entry.a}, i);
      else
        allocator.release_dead({entry.a, entry.b}, i);
    } else {
      if (entry.b == entry.a)
        allocator.release_dead({entry.a}, i);
      else
        allocator.release_dead({entry.a, entry.b}, i);
      if (entry.result) allocator.take(i);
    }
    if (entry.result) {
      step.dst = std::uint8_t(allocator.at(i));
      allocator.drop_unused(i, i);
    }
    steps.push_back(step);
  }
  return steps;
}

}  // namespace tally::codegen
