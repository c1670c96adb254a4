// SPDX-License-Identifier: Apache-2.0
// The functional model: the effect of a program's encoded instructions on memory, without time.
//
// Instructions run one after another, whole, in program order as far as semaphores allow
// (compiler/program/execution_order.h); for a program without races that gives what any timing
// gives. Events come from the program's analysis, so that they are a third opinion beside the
// SystemC blocks and the RTL. Accesses beyond an on-chip memory wrap; the checker refuses them.
//
// Left to machines with time: semaphore overflow, and which instructions still run after a dynamic
// fault; run_executed() takes the latter from such a machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/machine/machine.h"

namespace tally {

class FunctionalMachine : public Machine {
 public:
  // As run(), but of the program's instructions only those whose flag is set run.
  virtual Expected<RunResult> run_executed(const MachineProgram& program, const RunOptions& options,
                                           const std::vector<bool>& executed, DramImage* dram) = 0;
  // All dynamic faults of the last run, in order of sequence number, of one instruction in order of
  // time; fetch last. The run's result holds the first.
  virtual const std::vector<Fault>& faults() const = 0;
};

std::unique_ptr<FunctionalMachine> make_functional_machine(const Design& design);

// Pairs of instructions whose order no semaphore fixes and which share a bank, or DRAM bytes of
// which one writes: a message each. Empty for code with a static fault.
std::vector<std::string> report_races(const MachineProgram& program, const Design& design,
                                      const DramImage& dram);

}  // namespace tally
