// SPDX-License-Identifier: Apache-2.0
// Runs programs on several machines and compares everything (compare.h): one program, or random
// ones by the thousand.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/program/program.h"
#include "models/functional/functional.h"
#include "models/verify/compare.h"
#include "models/verify/stimuli.h"

namespace tally {

// A design with its machines: the functional model and those with time that are to be compared.
class Verifier {
 public:
  Verifier(const Design& design, std::vector<std::unique_ptr<Machine>> timed);

  const Design& design() const { return design_; }
  // Machines with time are compared with each other, each with the functional model. A machine that
  // fails is a difference. Refuses a program that needs more DRAM than there is.
  Expected<Comparison> verify(const Program& program);
  // Of the last program: the first machine with time, else the functional model.
  const RunResult& result() const { return result_; }
  // Runs the RTL once more with a waveform of `around` cycles before and after `cycle`.
  Status write_waveform(const Program& program, std::uint64_t cycle, std::uint64_t around,
                        const std::string& path);

  // Cycles after which RTL is taken to hang: this times what the first machine took, plus 100,000.
  static constexpr std::uint64_t kPatience = 20;

 private:
  Status load(const Program& program, DramImage* image);
  Expected<MachineRun> run_functional(const Program& program, const std::vector<MachineRun>& timed);

  Design design_;
  std::unique_ptr<FunctionalMachine> functional_;
  std::vector<std::unique_ptr<Machine>> timed_;
  std::vector<DramImage> images_;  // one a machine, the functional model's last
  RunResult result_;
};

struct RandomOptions {
  std::uint64_t programs = 1000;
  std::uint64_t seed = 1;
  // Where a failing program is written when it has been shrunk; empty: nowhere.
  std::string save_directory;
  bool shrink = true;
  std::function<void(std::uint64_t done, std::uint64_t of)> progress;
};

struct RandomReport {
  std::uint64_t programs = 0;  // run
  std::uint64_t median_instructions = 0;
  Compared compared;
  StimulusCounts stimuli;
  std::vector<std::string> rare;  // classes too rare; checked from kEnough programs on
  std::optional<Difference> difference;
  std::string failing_program;  // description, and the file if one was written
  std::uint64_t failing_index = 0;

  static constexpr std::uint64_t kEnough = 1000;
  bool ok() const { return !difference && rare.empty() && programs > 0; }
};

// Program i, a function of (seed, i, design) alone, runs on verifiers[i mod their number]. Stops at
// the first difference.
Expected<RandomReport> verify_random(const std::vector<Verifier*>& verifiers,
                                     const RandomOptions& options);

// One line each: totals, then every class with its count.
std::string report_text(const RandomReport& report);

}  // namespace tally
