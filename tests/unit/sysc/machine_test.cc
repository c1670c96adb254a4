// SPDX-License-Identifier: Apache-2.0
// The whole native machine: values and events against the functional model, accounts that must
// close, and that neither the order of blocks nor earlier runs change a result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "compiler/program/check.h"
#include "models/functional/functional.h"
#include "sysc/shell.h"
#include "sysc/top.h"
#include "tests/unit/sysc/pipeline.h"

namespace tally {
namespace {

std::vector<Design> designs() {
  Design tall = tiny_design(), wide = tiny_design(), big = base_design();
  tall.rows = 16;
  tall.columns = 2;
  tall.lanes = 1;
  tall.load_queue = tall.store_queue = tall.matrix_queue = tall.vector_queue = 1;
  tall.load_outstanding = 1;
  tall.accumulators = {2, 1024};
  wide.columns = 16;
  wide.lanes = 16;
  wide.port_bytes = 64;
  wide.vector_latency = 8;
  wide.activations = wide.weights = {8, 2048};
  return {tiny_design(), tall, wide, big};
}

RunOptions with_hashes(std::uint64_t seed = 0) {
  RunOptions options;
  options.records = options.hashes = true;
  options.stall_seed = seed;
  return options;
}

struct Result {
  RunResult run;
  std::vector<std::uint8_t> image;
};

Result run_on(Machine* machine, const Design& design, const Script& script, unsigned data,
              const RunOptions& options) {
  DramImage dram(design.dram_capacity_bytes);
  fill_pipeline(&dram, data);
  script.load_into(&dram);
  Result result{*machine->run(script.program(design), options, &dram), {}};
  result.image.assign(dram.data(), dram.data() + dram.capacity());
  return result;
}

void expect_accounts_close(const Design& design, const RunResult& run) {
  for (int unit = 0; unit < isa::kUnits; ++unit) {
    const UnitCycles& cycles = run.units[std::size_t(unit)];
    EXPECT_EQ(cycles.busy + cycles.stalled + cycles.idle, run.cycles) << isa::kUnitNames[unit];
  }
  const Events& events = run.events;
  EXPECT_EQ(run.units[0].busy, events.beats[0]);
  EXPECT_EQ(run.units[1].busy, events.beats[1]);
  EXPECT_EQ(run.units[2].busy, events.beats[2]);
  EXPECT_GE(run.cycles * std::uint64_t(design.macs_per_cycle()), events.multiplications);
  const std::uint64_t bus =
      (events.beats[0] + events.beats[1] + events.beats[2]) * std::uint64_t(design.port_bytes);
  EXPECT_EQ(bus, run.dram.requested_read_bytes + run.dram.requested_write_bytes);
  EXPECT_GE(run.cycles, dram_bound_cycles(design, bus, run.dram.read_bytes + run.dram.write_bytes));
  EXPECT_EQ(events.instructions[0], std::accumulate(events.instructions.begin() + 1,
                                                    events.instructions.end(), std::uint64_t{0}));
}

TEST(SyscMachine, EqualsTheFunctionalModel) {
  for (const Design& design : designs()) {
    const Script script = pipeline(design, 9);
    ASSERT_THAT(check_schedule(script.code(), design.hash(), design), testing::IsEmpty());
    for (std::uint64_t seed : {0, 11}) {
      const Result got =
          run_on(make_sysc_machine(design).get(), design, script, 5, with_hashes(seed));
      const Result want =
          run_on(make_functional_machine(design).get(), design, script, 5, with_hashes());
      ASSERT_EQ(got.run.outcome, Outcome::kFinished);
      ASSERT_EQ(got.run.records.size(), want.run.records.size());
      for (std::size_t i = 0; i < want.run.records.size(); ++i) {
        EXPECT_EQ(got.run.records[i].sequence, want.run.records[i].sequence);
        EXPECT_EQ(got.run.records[i].unit, want.run.records[i].unit);
        EXPECT_EQ(got.run.records[i].hash, want.run.records[i].hash) << i;
      }
      EXPECT_EQ(got.run.events, want.run.events);
      EXPECT_TRUE(got.image == want.image);
      EXPECT_EQ(got.run.cycles, std::max_element(
                                    got.run.records.begin(), got.run.records.end(),
                                    [](const Record& a, const Record& b) {
                                      return a.end < b.end;
                                    })->end +
                                    1);
      expect_accounts_close(design, got.run);
    }
  }
}

TEST(SyscMachine, StallsChangeOnlyTime) {
  const Design design = tiny_design();
  const Script script = pipeline(design, 8);
  const auto machine = make_sysc_machine(design);
  const Result calm = run_on(machine.get(), design, script, 1, with_hashes());
  std::vector<std::uint64_t> cycles;
  for (std::uint64_t seed : {1, 2, 3}) {
    const Result stalled = run_on(machine.get(), design, script, 1, with_hashes(seed));
    EXPECT_TRUE(stalled.image == calm.image);
    EXPECT_EQ(stalled.run.events, calm.run.events);
    for (std::size_t i = 0; i < calm.run.records.size(); ++i)
      EXPECT_EQ(stalled.run.records[i].hash, calm.run.records[i].hash);
    EXPECT_GT(stalled.run.cycles, calm.run.cycles);
    cycles.push_back(stalled.run.cycles);
  }
  EXPECT_NE(cycles[0], cycles[1]);
}

TEST(SyscMachine, EarlierRunsChangeNothing) {
  const auto all = designs();
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<Result> first;
  for (const Design& design : all) {
    machines.push_back(make_sysc_machine(design));
    first.push_back(run_on(machines.back().get(), design, pipeline(design, 4), 2, with_hashes()));
  }
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = all.size(); i-- > 0;) {
      // A deadlock and a fault in between leave nothing behind.
      Script stuck, faulty;
      stuck.add(idle_stream(), {1});
      faulty.add(isa::Load{.offset = 1ull << 30, .rows = 1, .row_bytes = 64, .address_pitch = 64});
      run_on(machines[i].get(), all[i], round == 1 ? stuck : faulty, 2, with_hashes());
      const Result again = run_on(machines[i].get(), all[i], pipeline(all[i], 4), 2, with_hashes());
      EXPECT_EQ(again.run.records, first[i].run.records);
      EXPECT_EQ(again.run.cycles, first[i].run.cycles);
      EXPECT_EQ(again.run.units, first[i].run.units);
      EXPECT_EQ(again.run.dram, first[i].run.dram);
    }
  }
}

// Steps the blocks without a kernel, those of one moment in the given order.
RunResult run_plainly(const Design& design, const Script& script, const std::vector<int>& order,
                      std::uint64_t seed) {
  DramImage dram(design.dram_capacity_bytes);
  fill_pipeline(&dram, 3);
  std::vector<isa::Instruction> code(script.size());
  for (std::size_t i = 0; i < code.size(); ++i) isa::decode(script.code()[i], &code[i]);
  const MachineProgram program = script.program(design);
  sysc::Top top(design, program, code, with_hashes(seed), &dram);
  const auto blocks = top.blocks();
  for (;;) {
    sysc::Moment now = sysc::moment(sysc::kNever, sysc::Phase::kArbitrate);
    const auto moment_of = [](const sysc::Block* block) {
      return sysc::moment(block->next(), block->phase());
    };
    for (const sysc::Block* block : blocks)
      if (block->next() != sysc::kNever) now = std::min(now, moment_of(block));
    if (now == sysc::moment(sysc::kNever, sysc::Phase::kArbitrate)) return top.result();
    for (const int index : order)
      if (moment_of(blocks[std::size_t(index)]) == now)
        blocks[std::size_t(index)]->advance(now / sysc::kPhases);
  }
}

TEST(SyscMachine, OrderOfBlocksChangesNothing) {
  std::mt19937 random(1);
  for (const Design& design : designs()) {
    const Script script = pipeline(design, 6);
    const Result kernel =
        run_on(make_sysc_machine(design).get(), design, script, 3, with_hashes(4));
    std::vector<int> order(sysc::kBlocks);
    std::iota(order.begin(), order.end(), 0);
    for (int round = 0; round < 10; ++round) {
      const RunResult plain = run_plainly(design, script, order, 4);
      ASSERT_EQ(plain.records, kernel.run.records);
      ASSERT_EQ(plain.cycles, kernel.run.cycles);
      ASSERT_EQ(plain.units, kernel.run.units);
      ASSERT_EQ(plain.events, kernel.run.events);
      ASSERT_EQ(plain.dram, kernel.run.dram);
      std::shuffle(order.begin(), order.end(), random);
    }
  }
}

// One elaboration a process: the other orders run in processes of their own.
constexpr const char* kOrderVariable = "TALLY_TEST_MODULE_ORDER";

TEST(ModuleOrder, Digest) {
  if (const char* text = std::getenv(kOrderVariable)) {
    std::vector<int> order;
    for (const char* c = text; *c != 0; ++c) order.push_back(*c - '0');
    sysc::set_module_order(order);
  }
  const Design design = tiny_design();
  const Result result =
      run_on(make_sysc_machine(design).get(), design, pipeline(design, 10), 3, with_hashes(6));
  std::uint64_t digest = result.run.cycles;
  for (const Record& record : result.run.records)
    for (std::uint64_t value : {record.start, record.end, record.hash})
      digest = (digest ^ value) * 0x100000001b3ULL;
  std::printf("digest %016lx\n", static_cast<unsigned long>(digest));
  EXPECT_EQ(result.run.outcome, Outcome::kFinished);
}

std::string digest_with_order(const std::string& order) {
  char self[4096] = {};
  EXPECT_GT(readlink("/proc/self/exe", self, sizeof self - 1), 0);
  const std::string command =
      std::string(kOrderVariable) + "=" + order + " " + self + " --gtest_filter=ModuleOrder.Digest";
  FILE* pipe = popen(command.c_str(), "r");
  char line[512];
  std::string digest;
  while (fgets(line, sizeof line, pipe) != nullptr)
    if (std::string(line).rfind("digest ", 0) == 0) digest = line;
  EXPECT_EQ(pclose(pipe), 0);
  return digest;
}

TEST(ModuleOrder, DeclarationChangesNothing) {
  const std::string first = digest_with_order("0123456");
  EXPECT_EQ(first.size(), std::string("digest 0123456789abcdef\n").size());
  for (const char* order : {"6543210", "3210654", "1360425"})
    EXPECT_EQ(digest_with_order(order), first) << order;
}

}  // namespace
}  // namespace tally
