// SPDX-License-Identifier: Apache-2.0
// The Verilated vector unit with plain memories: starts instructions one after another as the
// machine would, and reports what each took and what was counted.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/machine/machine.h"

namespace tally {

// What one instruction did, in cycles counted from its start.
struct UnitRun {
  std::uint64_t end = 0;      // E - S
  std::uint64_t ready = 0;    // first ready cycle after the start - S
  std::uint64_t busy = 0;     // busy cycles in S .. E
  std::uint64_t active = 0;   // cycles in flight after S
  bool out_of_order = false;  // an end with another sequence number, or two ends
  Events events;
};

template <class Top>
class VectorBench {
 public:
  explicit VectorBench(const Design& design) : design_(design), top_(std::make_unique<Top>()) {
    for (const Memory* memory : {&design.activations, &design.weights, &design.accumulators})
      memories_.emplace_back(std::size_t(memory->bytes()));
    reset();
  }

  // Registers, streams and routine memory are zero again; memories too.
  void reset() {
    for (auto& memory : memories_) std::fill(memory.begin(), memory.end(), 0);
    top_->rst_ni = 1;
    top_->clk_i = 0;
    top_->eval();
    top_->rst_ni = 0;
    top_->head_valid_i = top_->head_start_i = 0;
    top_->eval();
    top_->rst_ni = 1;
    cycle();
  }

  std::vector<std::uint8_t>& memory(isa::Space space) { return memories_[std::size_t(space)]; }

  // Starts the instruction `gap` cycles after the unit has become ready and follows it to its end.
  UnitRun run(const isa::Instruction& instruction, int gap) {
    for (int i = 0; i < gap; ++i) cycle();
    ++sequence_;
    const isa::Bytes32 bytes = isa::encode(instruction);
    std::memcpy(&top_->head_word_i[0], bytes.data(), bytes.size());
    top_->head_seq_i = sequence_;
    top_->head_valid_i = 1;
    UnitRun run;
    observed_ = &run;
    top_->head_start_i = 1;
    bool ended = observe_end(&run, 0);
    cycle();
    top_->head_start_i = top_->head_valid_i = 0;
    std::memset(&top_->head_word_i[0], 0xff, bytes.size());  // must not be looked at any more
    for (std::uint64_t t = 1;; ++t) {
      top_->eval();
      if (top_->active_o) ++run.active;
      if (top_->end_valid_o) {
        run.out_of_order |= ended;
        ended = observe_end(&run, t);
      }
      if (top_->head_ready_o) {
        run.ready = t;
        run.out_of_order |= !ended;
        observed_ = nullptr;
        return run;
      }
      cycle();
    }
  }

 private:
  bool observe_end(UnitRun* run, std::uint64_t t) {
    top_->eval();
    if (!top_->end_valid_o) return false;
    run->out_of_order |= top_->end_seq_o != sequence_;
    run->end = t;
    return true;
  }

  // One clock cycle: outputs are observed before the edge, the memories answer at it.
  void cycle() {
    top_->eval();
    if (observed_ != nullptr) observe();
    const bool read = top_->rd_valid_o;
    if (read) read_row();
    if (top_->wr_valid_o) write_row();
    top_->clk_i = 1;
    top_->eval();
    if (read) set_read_data();
    top_->clk_i = 0;
    top_->eval();
  }

  void observe() {
    if (top_->busy_o) ++observed_->busy;
    if (top_->op_valid_o) observed_->events.vector_operations[top_->op_code_o] += top_->op_count_o;
    Events& events = observed_->events;
    std::uint64_t* const reads[] = {&events.activation_reads, &events.weight_reads,
                                    &events.accumulator_reads};
    std::uint64_t* const writes[] = {&events.activation_writes, &events.weight_writes};
    if (top_->rd_valid_o) ++*reads[top_->rd_space_o];
    if (top_->wr_valid_o) ++*writes[top_->wr_space_o];
  }

  std::size_t row_bytes(std::size_t space) const {
    return space == 2 ? 4 * std::size_t(design_.columns) : std::size_t(design_.scratchpad_width());
  }

  void read_row() {
    const std::size_t space = top_->rd_space_o, bytes = row_bytes(space);
    const std::size_t row = top_->rd_address_o / bytes * bytes;
    // What lies beyond the row of a narrower memory must not matter.
    std::memset(read_.data(), 0xa5, read_.size());
    std::memcpy(read_.data(), memories_[space].data() + row, bytes);
  }

  void set_read_data() { std::memcpy(&top_->rd_data_i[0], read_.data(), sizeof(top_->rd_data_i)); }

  void write_row() {
    auto& memory = memories_[top_->wr_space_o];
    const auto width = std::size_t(design_.scratchpad_width());
    std::vector<std::uint8_t> data(width);
    std::memcpy(data.data(), &top_->wr_data_o[0], width);
    for (std::size_t i = 0; i < width; ++i)
      if (bit(top_->wr_strobe_o, i)) memory[top_->wr_address_o + i] = data[i];
  }

  template <class Bits>
  static bool bit(const Bits& bits, std::size_t i) {
    if constexpr (std::is_integral_v<Bits>)
      return (bits >> i & 1) != 0;
    else
      return (bits[i / 32] >> (i % 32) & 1) != 0;
  }

  const Design& design_;
  std::unique_ptr<Top> top_;
  std::vector<std::vector<std::uint8_t>> memories_;
  std::array<std::uint8_t, 1024> read_{};
  std::uint32_t sequence_ = 0;
  UnitRun* observed_ = nullptr;
};

}  // namespace tally
