// SPDX-License-Identifier: Apache-2.0
// Small hand-written programs on the native machine.
#pragma once

#include <map>
#include <random>
#include <span>
#include <vector>

#include "compiler/isa/isa.h"
#include "models/dram/dram.h"
#include "models/machine/machine.h"
#include "sysc/sysc_machine.h"

namespace tally {

inline Design base_design() {
  Design design = *find_design("base", TALLY_SOURCE_DIR "/designs");
  design.dram_capacity_bytes = 4 << 20;
  return design;
}

// 4x4 array, 4 lanes, 8-byte port, small memories.
inline Design tiny_design() {
  Design design = base_design();
  design.rows = design.columns = design.lanes = 4;
  design.activations = design.weights = {4, 4096};
  design.accumulators = {4, 1024};
  design.port_bytes = 8;
  return design;
}

// Base register r of every test program.
constexpr std::uint64_t region(int base) { return 0x40000 + std::uint64_t(base) * 0x20000; }

class Script {
 public:
  // Adds an instruction with its waits and posts; returns its sequence number.
  std::uint32_t add(const isa::Body& body, std::vector<int> waits = {},
                    std::vector<int> posts = {}) {
    isa::Instruction instruction;
    instruction.body = body;
    for (std::size_t i = 0; i < waits.size(); ++i)
      instruction.sync.waits[i] = std::int8_t(waits[i]);
    for (std::size_t i = 0; i < posts.size(); ++i)
      instruction.sync.posts[i] = std::int8_t(posts[i]);
    code_.push_back(isa::encode(instruction));
    return std::uint32_t(code_.size() - 1);
  }
  // A routine, three steps to an instruction.
  void routine(const std::vector<isa::Step>& steps) {
    for (std::size_t i = 0; i < steps.size(); i += 3) {
      isa::Routine body{.first = std::uint32_t(i)};
      std::uint64_t* const slots[] = {&body.step0, &body.step1, &body.step2};
      for (std::size_t j = i; j < std::min(i + 3, steps.size()); ++j, ++body.count)
        *slots[j - i] = isa::encode_step(steps[j]);
      add(body);
    }
  }
  std::vector<isa::Bytes32>& code() { return code_; }
  const std::vector<isa::Bytes32>& code() const { return code_; }
  std::uint32_t size() const { return std::uint32_t(code_.size()); }

  MachineProgram program(const Design& design) const {
    MachineProgram program;
    program.design_hash = design.hash();
    program.instructions = size();
    for (int i = 0; i < isa::kBaseRegisters; ++i) program.bases[std::size_t(i)] = region(i);
    return program;
  }
  void load_into(DramImage* dram, std::uint64_t address = 0) const {
    for (std::size_t i = 0; i < code_.size(); ++i)
      dram->write(address + i * isa::kInstructionBytes, code_[i]);
  }

 private:
  std::vector<isa::Bytes32> code_;
};

// Pseudo-random bytes from region(0) to the end of the image, at most `count`.
inline void fill(DramImage* dram, unsigned seed, std::size_t count = 1 << 20) {
  std::mt19937 random(seed);
  for (std::size_t i = 0; i < count; ++i) dram->data()[region(0) + i] = std::uint8_t(random() >> 9);
}

inline RunResult run_script(const Design& design, const Script& script, RunOptions options = {},
                            DramImage* image = nullptr) {
  options.records = true;
  DramImage own(design.dram_capacity_bytes);
  DramImage* dram = image == nullptr ? &own : image;
  script.load_into(dram);
  const auto machine = make_sysc_machine(design);
  return *machine->run(script.program(design), options, dram);
}

inline isa::Stream idle_stream() { return {.stream = 7, .element = isa::Element::kI32}; }

// Earliest start of each instruction of a program that fits one fetch block: the request is raised
// in 0, accepted in 1; dispatch follows the last beat, a start follows dispatch.
inline std::vector<std::uint64_t> earliest_starts(const Design& design, std::uint32_t instructions,
                                                  std::uint64_t stall_seed = 0) {
  Dram dram(design, stall_seed);
  const int port = design.port_bytes;
  const int bytes = (int(instructions) * isa::kInstructionBytes + port - 1) / port * port;
  const auto beats = dram.accept(1, false, 0, bytes).beats;
  std::vector<std::uint64_t> starts;
  for (std::size_t i = 1; i <= instructions; ++i) {
    const std::uint64_t arrived = beats[(i * isa::kInstructionBytes - 1) / std::size_t(port)];
    starts.push_back(std::max(arrived + 2, starts.empty() ? 0 : starts.back() + 1));
  }
  return starts;
}

// A memory that has served the only fetch block of such a program, for what follows.
inline Dram after_fetch(const Design& design, std::uint32_t instructions,
                        std::uint64_t stall_seed = 0) {
  Dram dram(design, stall_seed);
  const int port = design.port_bytes;
  dram.accept(1, false, 0, (int(instructions) * isa::kInstructionBytes + port - 1) / port * port);
  return dram;
}

}  // namespace tally
