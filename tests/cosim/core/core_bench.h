// SPDX-License-Identifier: Apache-2.0
// Runs encoded programs on a Verilated tally_top with a plain memory behind its port.
#pragma once

#include <verilated.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "models/machine/machine.h"
#include "tests/cosim/core/port_memory.h"

namespace tally {

struct CoreRun {
  Outcome outcome = Outcome::kFinished;
  Fault fault;
  std::uint64_t cycles = 0;
  std::vector<Record> records;  // by sequence number; start and end only
  std::array<UnitCycles, isa::kUnits> units{};
  Events events;
};

// Ports wider than 64 bits are arrays of 32-bit words, narrower ones integers.
template <class Port>
void set_port(Port& port, const std::uint8_t* bytes, std::size_t size) {
  std::memcpy(&port, bytes, size);
}

template <class Top>
class CoreBench {
 public:
  explicit CoreBench(int port_bytes)
      : port_bytes_(port_bytes), top_(std::make_unique<Top>(&context_)) {}

  CoreRun run(const MachineProgram& program, DramImage* dram, unsigned gap_seed = 0) {
    CoreRun run;
    run.records.resize(program.instructions);
    PortMemory memory(dram->capacity(), port_bytes_, gap_seed);
    reset(program);
    constexpr std::uint64_t kLimit = 2'000'000;
    for (std::uint64_t cycle = 0; cycle < kLimit; ++cycle) {
      const PortMemory::Drive drive = memory.drive(cycle);
      set_inputs(drive, *dram);
      top_->eval();
      if (top_->done_o) {
        collect(&run);
        return run;
      }
      record(cycle, &run);
      if (top_->ar_valid_o)
        memory.accept(cycle, false, top_->ar_id_o, top_->ar_addr_o, top_->ar_len_o + 1);
      if (top_->aw_valid_o) memory.accept(cycle, true, 0, top_->aw_addr_o, top_->aw_len_o + 1);
      if (drive.write_ready && !drive.error) {
        TALLY_CHECK(top_->w_valid_o);
        std::memcpy(dram->data() + drive.address, &top_->w_data_o, std::size_t(port_bytes_));
      }
      tick();
    }
    TALLY_CHECK(false, "the run does not end");
    __builtin_unreachable();
  }

 private:
  void tick() {
    top_->clk_i = 1;
    top_->eval();
    top_->clk_i = 0;
    top_->eval();
  }

  void reset(const MachineProgram& program) {
    top_->rst_ni = 1;
    top_->clk_i = 0;
    top_->eval();
    top_->rst_ni = 0;
    top_->ar_ready_i = top_->aw_ready_i = 1;
    top_->r_valid_i = top_->w_ready_i = top_->b_valid_i = 0;
    top_->eval();
    tick();
    top_->rst_ni = 1;
    top_->start_i = 1;
    top_->program_address_i = program.code_address;
    top_->instruction_count_i = program.instructions;
    top_->program_hash_i = program.design_hash;
    for (int i = 0; i < isa::kBaseRegisters; ++i) set_base(i, program.bases[std::size_t(i)]);
    tick();
    top_->start_i = 0;
  }

  void set_base(int index, std::uint64_t value) {
    for (int bit = 0; bit < 40; ++bit) {
      const int at = 40 * index + bit;
      std::uint32_t& word = top_->base_i[at / 32];
      word = (word & ~(1u << at % 32)) | std::uint32_t(value >> bit & 1) << at % 32;
    }
  }

  void set_inputs(const PortMemory::Drive& drive, const DramImage& dram) {
    static const std::uint8_t kZero[64] = {};
    top_->r_valid_i = drive.read_valid;
    top_->r_id_i = drive.read_id;
    top_->r_last_i = drive.read_last;
    top_->r_resp_i = drive.error ? 2 : 0;
    if (drive.read_valid)
      set_port(top_->r_data_i, drive.error ? kZero : dram.data() + drive.address,
               std::size_t(port_bytes_));
    top_->w_ready_i = drive.write_ready;
    top_->b_valid_i = drive.response_valid;
    top_->b_resp_i = drive.error ? 2 : 0;
  }

  void record(std::uint64_t cycle, CoreRun* run) {
    for (int unit = 1; unit < isa::kUnits; ++unit) {
      if (top_->start_valid_o >> (unit - 1) & 1) {
        Record& record = run->records.at(top_->start_seq_o[unit - 1]);
        record.unit = isa::Unit(unit);
        record.sequence = top_->start_seq_o[unit - 1];
        record.start = cycle;
      }
      if (top_->end_valid_o >> (unit - 1) & 1)
        run->records.at(top_->end_seq_o[unit - 1]).end = cycle;
    }
  }

  std::uint64_t counter(int index) const {
    std::uint64_t value = 0;
    for (int bit = 0; bit < 48; ++bit) {
      const int at = 48 * index + bit;
      value |= std::uint64_t(top_->counters_o[at / 32] >> at % 32 & 1) << bit;
    }
    return value;
  }

  // The order of tally_pkg::counters_t, least significant first.
  void collect(CoreRun* run) const {
    run->outcome = Outcome(top_->outcome_o);
    run->fault = {FaultCode(top_->fault_code_o), isa::Unit(top_->fault_unit_o), top_->fault_seq_o,
                  top_->fault_cycle_o};
    run->cycles = top_->cycle_o;
    int at = 0;
    Events& events = run->events;
    for (auto& beats : events.beats) beats = counter(at++);
    for (auto& bursts : events.bursts) bursts = counter(at++);
    for (auto& instructions : events.instructions) instructions = counter(at++);
    for (auto& operations : events.vector_operations) operations = counter(at++);
    for (auto* count : {&events.accumulator_writes, &events.accumulator_reads,
                        &events.weight_writes, &events.weight_reads, &events.activation_writes,
                        &events.activation_reads, &events.multiplications})
      *count = counter(at++);
    for (auto& unit : run->units) unit.idle = counter(at++);
    for (auto& unit : run->units) unit.stalled = counter(at++);
    for (auto& unit : run->units) unit.busy = counter(at++);
    TALLY_CHECK(counter(at) == run->cycles);
  }

  int port_bytes_;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
};

}  // namespace tally
