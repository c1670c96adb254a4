// SPDX-License-Identifier: Apache-2.0
// Drives one Verilated lane: 8 operand triples at a time through one step, results read back by
// store operands.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "compiler/isa/isa_table.h"

namespace tally {

// Codes of the steps that a lane computes by itself; names as in compiler/isa/isa_table.h.
inline constexpr int kStepDivide = 7, kStepSquareRoot = 8;

struct Operands {
  std::uint32_t a, b, old;
};

template <class Lane, int Latency, int DivideBits>
class LaneDriver {
 public:
  static constexpr int kDivideSteps = (26 + DivideBits - 1) / DivideBits;
  static constexpr int kPlaces = isa::kBatchGroups;

  LaneDriver() : lane_(std::make_unique<Lane>()) {
    lane_->clk_i = 0;
    lane_->rst_ni = 0;
    lane_->eval();
    lane_->rst_ni = 1;
    idle();
    tick();
  }

  // Results of `op` for 8 places. With `immediate`, operand b of all is operands[0].b.
  std::array<std::uint32_t, kPlaces> run(int op, std::span<const Operands, kPlaces> operands,
                                         bool immediate) {
    for (int place = 0; place < kPlaces; ++place) {
      load(kA, place, operands[place].a);
      load(kB, place, operands[place].b);
      load(kResult, place, operands[place].old);
    }
    lane_->immediate_i = immediate;
    lane_->imm_i = operands[0].b;
    for (int place = 0; place < kPlaces; ++place) issue(op, place);
    lane_->immediate_i = 0;
    return read_back();
  }

  // Cycles from an issue in place 0 until its result can be read (the value must differ from
  // `old`).
  int measured_latency(int op, const Operands& operands) {
    load(kA, 0, operands.a);
    load(kB, 0, operands.b);
    load(kResult, 0, operands.old);
    issue(op, 0);
    int cycles = op == kStepDivide || op == kStepSquareRoot ? 1 + kDivideSteps : 1;
    for (; cycles < 64; ++cycles) {
      if (read(0) != operands.old) return cycles;
      idle();
      tick();
    }
    return -1;
  }

  // Results still under way after the last issue are written before the first place is read again,
  // as in the machine; this waits for all.
  void drain() {
    idle();
    for (int i = 0; i < Latency; ++i) tick();
  }

 private:
  static constexpr int kA = 0, kB = 1, kResult = 2;  // lane registers

  static int address(int reg, int place) { return reg * kPlaces + place; }

  void tick() {
    lane_->clk_i = 1;
    lane_->eval();
    lane_->clk_i = 0;
    lane_->eval();
  }

  void idle() {
    lane_->issue_i = lane_->load_i = lane_->store_i = 0;
    lane_->divide_start_i = lane_->divide_step_i = lane_->divide_last_i = 0;
  }

  void load(int reg, int place, std::uint32_t value) {
    idle();
    lane_->load_i = 1;
    lane_->load_address_i = address(reg, place);
    lane_->load_data_i = value;
    tick();
  }

  void issue(int op, int place) {
    idle();
    lane_->op_i = op;
    lane_->a_i = address(kA, place);
    lane_->b_i = address(kB, place);
    lane_->dst_i = address(kResult, place);
    if (op == kStepDivide || op == kStepSquareRoot) {
      divide();
    } else {
      lane_->issue_i = 1;
      tick();
    }
    idle();
  }

  void divide() {
    lane_->divide_start_i = 1;
    tick();
    lane_->divide_start_i = 0;
    lane_->divide_step_i = 1;
    for (int i = 0; i < kDivideSteps; ++i) {
      lane_->divide_last_i = i == kDivideSteps - 1;
      tick();
    }
  }

  std::uint32_t read(int place) {
    idle();
    lane_->store_i = 1;
    lane_->a_i = address(kResult, place);
    lane_->eval();
    return lane_->operand_o;
  }

  std::array<std::uint32_t, kPlaces> read_back() {
    drain();
    std::array<std::uint32_t, kPlaces> results;
    for (int place = 0; place < kPlaces; ++place) results[place] = read(place);
    return results;
  }

  std::unique_ptr<Lane> lane_;
};

}  // namespace tally
