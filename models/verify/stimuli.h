// SPDX-License-Identifier: Apache-2.0
// What random programs have to exercise, by name, and which of it a program and its run did.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "compiler/program/program.h"
#include "models/machine/machine.h"

namespace tally {

// Every class that programs for this design can have.
std::vector<std::string> possible_stimuli(const Design& design);

// Classes that the program's text shows.
std::set<std::string> program_stimuli(const Program& program, const Design& design);
// Classes that the times of a run show; needs the records of a machine with time.
std::set<std::string> observed_stimuli(const Program& program, const Design& design,
                                       const RunResult& result);

// Programs counted by class.
class StimulusCounts {
 public:
  struct Count {
    std::uint64_t programs = 0;  // that had it
    std::uint64_t possible = 0;  // on designs that can have it
  };

  void add(const Design& design, const std::set<std::string>& seen);
  const std::map<std::string, Count>& counts() const { return counts_; }
  // Classes in fewer than 1% of the programs that could have them, each with its share.
  std::vector<std::string> rare() const;

 private:
  std::map<std::string, Count> counts_;
};

}  // namespace tally
