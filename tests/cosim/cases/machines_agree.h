// SPDX-License-Identifier: Apache-2.0
// Compiles a module for a design and runs it on all machines: the same output bits as the
// interpreter, and the same records, cycles, events and unit states on SystemC and RTL.
#pragma once

#include <gtest/gtest.h>

#include <bit>

#include "compiler/codegen/compile.h"
#include "models/functional/functional.h"
#include "models/run/inference.h"
#include "sysc/sysc_machine.h"
#include "sysc/verilated/rtl_machine.h"
#include "tests/support/net.h"

namespace tally::test {

class Machines {
 public:
  explicit Machines(const std::string& path) : design_(*load_design(TALLY_SOURCE_DIR "/" + path)) {
    functional_ = make_functional_machine(design_);
    sysc_ = make_sysc_machine(design_);
    auto rtl = make_rtl_machine(design_);
    if (!rtl)
      ADD_FAILURE() << rtl.error().message;
    else
      rtl_ = std::move(*rtl);
  }

  const Design& design() const { return design_; }
  Machine& rtl() { return *rtl_; }
  Machine& sysc() { return *sysc_; }

  // The SystemC run, for further checks.
  RunResult expect_agreement(const Net& net, const RunOptions& extra = {}) {
    const auto program = codegen::compile(net.module, design_, {"net", "int8"});
    if (!program) {
      ADD_FAILURE() << program.error().message;
      return {};
    }
    RunOptions options = extra;
    options.records = options.hashes = true;
    const auto functional = run(*program, net, options, functional_.get());
    const auto native = run(*program, net, options, sysc_.get());
    const auto verilated = run(*program, net, options, rtl_.get());
    expect_same_outputs(net, functional);
    expect_same_outputs(net, native);
    expect_same_outputs(net, verilated);
    EXPECT_EQ(native.run.cycles, verilated.run.cycles);
    EXPECT_EQ(native.run.records, verilated.run.records);
    EXPECT_EQ(native.run.events, verilated.run.events);
    EXPECT_EQ(native.run.units, verilated.run.units);
    EXPECT_EQ(native.run.dram, verilated.run.dram);
    EXPECT_EQ(functional.run.events, native.run.events);
    EXPECT_EQ(native.run.records.size(), program->code.size());
    return native.run;
  }

 private:
  Inference::Result run(const Program& program, const Net& net, const RunOptions& options,
                        Machine* machine) {
    auto inference = Inference::create(program, design_);
    if (!inference) {
      ADD_FAILURE() << inference.error().message;
      return {};
    }
    auto result = inference->run(net.inputs, options, machine);
    if (!result) {
      ADD_FAILURE() << machine->name() << ": " << result.error().message;
      return {};
    }
    EXPECT_EQ(result->run.outcome, Outcome::kFinished) << machine->name();
    return std::move(*result);
  }

  static void expect_same_outputs(const Net& net, const Inference::Result& result) {
    const auto interpreter = ops::Interpreter::create(net.module, ops::Semantics::kExact);
    const auto expected = interpreter->run(net.inputs);
    ASSERT_TRUE(expected) << expected.error().message;
    ASSERT_EQ(result.outputs.size(), expected->size());
    for (const auto& [name, want] : *expected) {
      const auto got = result.outputs.at(name).bytes(), bytes = want.bytes();
      ASSERT_TRUE(std::equal(got.begin(), got.end(), bytes.begin(), bytes.end())) << name;
    }
  }

  Design design_;
  std::unique_ptr<Machine> functional_, sysc_, rtl_;
};

}  // namespace tally::test
