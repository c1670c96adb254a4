// SPDX-License-Identifier: Apache-2.0
// Random runs of the vector unit that keep the checker's rules: registers are read only where they
// were written, loads and stores of a run lie in different memory halves or share one stream, and a
// store stream reaches each element once.
#pragma once

#include <array>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"

namespace tally {

class RandomRun {
 public:
  RandomRun(const Design& design, std::uint64_t seed) : design_(design), random_(seed) {}

  // Streams, routine and run, in program order; the run is last.
  std::vector<isa::Instruction> next();
  // Bytes for a memory: fp32 values of all kinds, small integers, any bits.
  void fill(std::vector<std::uint8_t>* memory);
  // How often each kind of run came, by name.
  const std::map<std::string, int>& classes() const { return classes_; }

 private:
  struct Extents {
    std::uint32_t e0, e1, n;
  };

  std::uint32_t below(std::uint32_t limit) { return std::uint32_t(random_() % limit); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  void count(const std::string& name) { ++classes_[name]; }

  Extents choose_extents();
  isa::Stream load_stream(int index, const Extents& extents);
  isa::Stream store_stream(int index, const Extents& extents);
  void place(isa::Stream* stream, const Extents& extents, bool upper_half);
  std::int64_t elements(isa::Space space, isa::Element element) const;

  std::vector<isa::Step> choose_steps();
  isa::Step choose_step(isa::StepOp op, unsigned written);
  int written_register(unsigned written);
  void add_arithmetic(std::vector<isa::Step>* steps, unsigned* written, int most);
  void add_load(std::vector<isa::Step>* steps, unsigned* written);
  void add_store(std::vector<isa::Step>* steps, unsigned written, int stream);
  void write_routine(const std::vector<isa::Step>& steps, std::uint32_t first,
                     std::vector<isa::Instruction>* code);
  std::array<std::int32_t, isa::kStreams> random_increments();
  static void set_increments(const std::array<std::int32_t, isa::kStreams>& values, isa::Run* run);
  void move_streams_there(std::vector<isa::Instruction>* code);

  const Design& design_;
  std::mt19937_64 random_;
  std::map<std::string, int> classes_;
};

}  // namespace tally
