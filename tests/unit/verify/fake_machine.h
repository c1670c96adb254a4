// SPDX-License-Identifier: Apache-2.0
// A machine with time that gets its values from the functional model and its cycles from nowhere,
// so that a test can make it wrong in one respect.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "models/functional/functional.h"

namespace tally::test {

class FakeMachine : public Machine {
 public:
  using Change = std::function<void(RunResult*, DramImage*)>;

  FakeMachine(const Design& design, std::string name, Change change = {})
      : functional_(make_functional_machine(design)),
        name_(std::move(name)),
        change_(std::move(change)) {}

  std::string_view name() const override { return name_; }
  Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                          DramImage* dram) override {
    TALLY_ASSIGN(RunResult result, functional_->run(program, options, dram));
    for (Record& record : result.records) {
      record.start = 10 * record.sequence;
      record.end = record.start + 9;
    }
    result.cycles = 10 * result.records.size();
    if (change_) change_(&result, dram);
    return result;
  }

 private:
  std::unique_ptr<FunctionalMachine> functional_;
  std::string name_;
  Change change_;
};

}  // namespace tally::test
