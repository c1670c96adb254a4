// SPDX-License-Identifier: Apache-2.0
// Load and store: bursts, requests, limits and ends against a literal account over the memory's
// times, each term by programs that differ in it alone.
#include <gtest/gtest.h>

#include "sysc/burst_walker.h"
#include "tests/unit/sysc/bench.h"

namespace tally {
namespace {

using Cycle = std::uint64_t;

struct Burst {
  std::uint64_t address;
  int bytes;
};

// The splitting rule on its own.
std::vector<Burst> split(std::uint64_t address, std::uint64_t bytes, int port) {
  std::vector<Burst> bursts;
  while (bytes > 0) {
    const std::uint64_t page = 4096 - address % 4096;
    const std::uint64_t piece = std::min({bytes, page, std::uint64_t(256 * port)});
    bursts.push_back({address, int(piece)});
    address += piece;
    bytes -= piece;
  }
  return bursts;
}

std::vector<Burst> rows_of(std::uint64_t address, std::uint64_t pitch, std::uint32_t rows,
                           std::uint64_t row_bytes, int port) {
  std::vector<Burst> bursts;
  for (std::uint32_t i = 0; i < rows; ++i)
    for (const Burst& burst : split(address + i * pitch, row_bytes, port)) bursts.push_back(burst);
  return bursts;
}

TEST(BurstWalker, SplitsAsTheRuleSays) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const int port = 4 << random() % 5;
    isa::Load load{.base = 3};
    load.offset = random() % 10000 / std::uint64_t(port) * std::uint64_t(port);
    load.rows = 1 + std::uint32_t(random() % 6);
    load.row_bytes = (1 + std::uint32_t(random() % 2000)) * std::uint32_t(port);
    load.pitch = std::uint32_t(random() % 5000) * std::uint32_t(port);
    MachineProgram program;
    program.bases[3] = region(3);
    auto walker = sysc::bursts_of(load, program, port);
    std::uint64_t in_row = 0;
    for (const Burst& burst :
         rows_of(region(3) + load.offset, load.pitch, load.rows, load.row_bytes, port)) {
      ASSERT_FALSE(walker.done());
      const auto piece = walker.next();
      ASSERT_EQ(piece.address, burst.address);
      ASSERT_EQ(piece.bytes, burst.bytes);
      ASSERT_EQ(piece.row_offset, in_row);
      in_row = (in_row + std::uint64_t(burst.bytes)) % load.row_bytes;
      ASSERT_EQ((burst.address + std::uint64_t(burst.bytes) - 1) / 4096, burst.address / 4096);
    }
    ASSERT_TRUE(walker.done());
  }
}

// Ends of loads that start in the given cycles or, if later, as soon as the generator takes them.
struct LoadModel {
  Dram dram;
  int limit;
  std::vector<Cycle> last_beats;
  Cycle raised = 0, accepted = 0;
  bool any = false;

  // Raises, accepts and returns the last beat of one burst.
  Cycle burst(const Burst& b, Cycle earliest) {
    Cycle raise = any ? std::max(earliest, accepted) : earliest;
    if (last_beats.size() >= std::size_t(limit))
      raise = std::max(raise, last_beats[last_beats.size() - std::size_t(limit)] + 1);
    raised = raise;
    accepted = raise + 1;
    any = true;
    last_beats.push_back(dram.accept(accepted, false, b.address, b.bytes).beats.back());
    return last_beats.back();
  }
};

TEST(Load, EveryBurstAndEndByTheRules) {
  for (int port : {4, 16, 64}) {
    for (int limit : {1, 2, 3, 8}) {
      for (std::uint64_t seed : {0, 3}) {
        Design design = base_design();
        design.port_bytes = port;
        design.load_outstanding = limit;
        Script script;
        const auto p = std::uint32_t(port);
        const std::vector<isa::Load> loads = {
            {.rows = 1, .row_bytes = p, .address_pitch = p},
            {.offset = 64, .pitch = 1024, .rows = 12, .row_bytes = 4 * p, .address_pitch = 4 * p},
            {.offset = 4096 - 2ull * p, .rows = 1, .row_bytes = 300 * p, .address_pitch = 300 * p},
            {.pitch = 4096, .rows = 3, .row_bytes = p, .address_pitch = p}};
        for (const isa::Load& load : loads) script.add(load);
        RunOptions options;
        options.stall_seed = seed;
        const RunResult result = run_script(design, script, options);
        ASSERT_EQ(result.outcome, Outcome::kFinished);
        LoadModel model{after_fetch(design, script.size(), seed), limit, {}, 0, 0, false};
        const auto starts = earliest_starts(design, script.size(), seed);
        Cycle ready = 0;
        std::uint64_t beats = 0, bursts = 0;
        for (std::size_t i = 0; i < loads.size(); ++i) {
          const Record& record = result.records[i];
          ASSERT_EQ(record.start, std::max(starts[i], ready)) << i;
          Cycle last = 0;
          for (const Burst& burst : rows_of(region(0) + loads[i].offset, loads[i].pitch,
                                            loads[i].rows, loads[i].row_bytes, port)) {
            last = model.burst(burst, record.start + 1);
            ++bursts;
            beats += std::uint64_t(burst.bytes / port);
          }
          ready = model.raised;
          ASSERT_EQ(record.end, last + 1) << port << " " << limit << " " << i;
        }
        EXPECT_EQ(result.units[1].busy, beats);
        EXPECT_EQ(result.events.beats[1], beats);
        EXPECT_EQ(result.events.bursts[1], bursts);
        EXPECT_EQ(result.events.activation_writes, beats);
        EXPECT_EQ(result.cycles, result.records.back().end + 1);
        EXPECT_EQ(result.dram.requested_read_bytes,
                  (beats + result.events.beats[0]) * std::uint64_t(port));
      }
    }
  }
}

TEST(Load, OutstandingLimitAloneChangesTime) {
  Design design = base_design();
  std::vector<Cycle> cycles;
  for (int limit : {1, 2, 8}) {
    design.load_outstanding = limit;
    Script script;
    script.add(isa::Load{.pitch = 256, .rows = 32, .row_bytes = 64, .address_pitch = 64});
    cycles.push_back(run_script(design, script).cycles);
  }
  EXPECT_GT(cycles[0], cycles[1]);
  EXPECT_GT(cycles[1], cycles[2]);
}

TEST(Gather, RowsFollowTheLastIndexBeat) {
  const Design design = base_design();
  for (std::uint32_t rows : {1u, 3u, 5u, 64u}) {
    DramImage dram(design.dram_capacity_bytes);
    fill(&dram, 1);
    std::vector<std::int32_t> indices;
    for (std::uint32_t i = 0; i < rows; ++i) indices.push_back(std::int32_t(i * 7 % 50));
    // Indices that cross a page: two bursts, neither waiting for the other's beats.
    const std::uint64_t index_offset = 4096 - 16;
    std::memcpy(dram.data() + region(1) + index_offset, indices.data(), 4 * rows);
    Script script;
    script.add(isa::Gather{.pitch = 512,
                           .rows = rows,
                           .row_bytes = 96,
                           .address = 64,
                           .address_pitch = 128,
                           .index_base = 1,
                           .index_offset = index_offset,
                           .limit = 50});
    const RunResult result = run_script(design, script, {}, &dram);
    ASSERT_EQ(result.outcome, Outcome::kFinished);
    LoadModel model{after_fetch(design, 1), design.load_outstanding, {}, 0, 0, false};
    Cycle last = 0;
    std::uint64_t beats = 0;
    for (const Burst& burst : split(region(1) + index_offset, (4 * rows + 15) / 16 * 16, 16)) {
      last = model.burst(burst, result.records[0].start + 1);
      beats += std::uint64_t(burst.bytes / 16);
    }
    const Cycle gate = last + 1;
    for (const std::int32_t index : indices)
      for (const Burst& burst : split(region(0) + std::uint64_t(index) * 512, 96, 16)) {
        last = model.burst(burst, gate);
        beats += std::uint64_t(burst.bytes / 16);
      }
    EXPECT_EQ(result.records[0].end, last + 1) << rows;
    EXPECT_EQ(result.events.beats[1], beats);
    EXPECT_EQ(result.events.activation_writes, rows * 6);
  }
}

TEST(Gather, AnIndexOutsideIsAFaultInTheCycleOfItsBeat) {
  const Design design = base_design();
  for (const auto& [bad, value] : {std::pair{0, -1}, {5, 50}, {9, 1 << 30}}) {
    DramImage dram(design.dram_capacity_bytes);
    fill(&dram, 1);
    std::int32_t indices[10] = {};
    indices[bad] = value;
    std::memcpy(dram.data() + region(1), indices, sizeof indices);
    Script script;
    script.add(isa::Gather{.pitch = 512,
                           .rows = 10,
                           .row_bytes = 16,
                           .address_pitch = 16,
                           .index_base = 1,
                           .limit = 50},
               {}, {0});
    script.add(isa::Store{.base = 2, .rows = 1, .row_bytes = 160}, {0});
    for (int i = 0; i < 40; ++i)
      script.add(idle_stream(), i == 39 ? std::vector{1} : std::vector<int>{});
    const RunResult result = run_script(design, script, {}, &dram);
    EXPECT_EQ(result.outcome, Outcome::kFault);
    EXPECT_EQ(result.fault.code, FaultCode::kGatherIndex);
    EXPECT_EQ(result.fault.sequence, 0u);
    // The store was dispatched before and runs on: the row is zero, the others are table row 0.
    for (int row = 0; row < 10; ++row) {
      const auto* got = dram.data() + region(2) + 16 * row;
      const std::uint8_t zero[16] = {};
      EXPECT_EQ(std::memcmp(got, row == bad ? zero : dram.data() + region(0), 16), 0) << row;
    }
  }
}

TEST(Gather, FaultCycleIsTheBeatOfTheFirstBadIndex) {
  const Design design = base_design();
  DramImage dram(design.dram_capacity_bytes);
  std::int32_t indices[10] = {0, 0, 0, 0, 0, 99, -4, 0, 0, 0};  // beat 1 of 4 indices each
  std::memcpy(dram.data() + region(1), indices, sizeof indices);
  Script script;
  script.add(isa::Gather{.pitch = 512,
                         .rows = 10,
                         .row_bytes = 16,
                         .address_pitch = 16,
                         .index_base = 1,
                         .limit = 50});
  const RunResult result = run_script(design, script, {}, &dram);
  Dram memory = after_fetch(design, 1);
  const auto service = memory.accept(result.records[0].start + 2, false, region(1), 48);
  EXPECT_EQ(result.fault.cycle, service.beats[1]);
}

TEST(Store, EveryBurstAndEndByTheRules) {
  for (int port : {4, 16, 64}) {
    for (int buffers : {2, 4}) {
      for (std::uint64_t seed : {0, 7}) {
        Design design = base_design();
        design.port_bytes = port;
        design.store_outstanding = buffers;
        Script script;
        const auto p = std::uint32_t(port);
        const std::vector<isa::Store> stores = {
            {.rows = 1, .row_bytes = p},
            {.offset = 64, .pitch = 1024, .rows = 9, .row_bytes = 4 * p, .address_pitch = 4 * p},
            {.offset = 4096 - 2ull * p, .rows = 1, .row_bytes = 300 * p},
            {.pitch = 4096, .rows = 3, .row_bytes = p, .address_pitch = p}};
        for (const isa::Store& store : stores) script.add(store);
        RunOptions options;
        options.stall_seed = seed;
        const RunResult result = run_script(design, script, options);
        ASSERT_EQ(result.outcome, Outcome::kFinished);
        Dram memory = after_fetch(design, script.size(), seed);
        const auto starts = earliest_starts(design, script.size(), seed);
        std::vector<Cycle> responses;
        Cycle read_free = 0, accepted = 0;
        std::uint64_t beats = 0;
        for (std::size_t i = 0; i < stores.size(); ++i) {
          const Record& record = result.records[i];
          ASSERT_EQ(record.start, std::max(starts[i], read_free == 0 ? 0 : read_free - 1)) << i;
          for (const Burst& burst : rows_of(region(0) + stores[i].offset, stores[i].pitch,
                                            stores[i].rows, stores[i].row_bytes, port)) {
            Cycle read = std::max(record.start + 1, read_free);
            if (responses.size() >= std::size_t(buffers))
              read = std::max(read, responses[responses.size() - std::size_t(buffers)] + 1);
            const auto n = Cycle(burst.bytes / port);
            read_free = read + n;
            const Cycle raise = std::max(read + n, accepted);
            accepted = raise + 1;
            responses.push_back(memory.accept(accepted, true, burst.address, burst.bytes).response);
            beats += n;
          }
          ASSERT_EQ(record.end, responses.back()) << port << " " << buffers << " " << i;
        }
        EXPECT_EQ(result.units[2].busy, beats);
        EXPECT_EQ(result.events.activation_reads, beats);
        EXPECT_EQ(result.cycles, result.records.back().end + 1);
      }
    }
  }
}

TEST(Faults, BusErrorsOfLoadStoreAndFetch) {
  Design design = base_design();
  design.dram_capacity_bytes = 1 << 20;
  const std::uint64_t beyond = (1 << 20) - region(0);
  {
    DramImage dram(design.dram_capacity_bytes);
    fill(&dram, 4, 1 << 19);
    Script script;
    script.add(isa::Load{.offset = beyond, .rows = 1, .row_bytes = 64, .address_pitch = 64});
    script.add(isa::Load{.rows = 1, .row_bytes = 64, .address = 64, .address_pitch = 64}, {}, {0});
    script.add(isa::Store{.base = 1, .rows = 1, .row_bytes = 128}, {0});
    const RunResult result = run_script(design, script, {}, &dram);
    EXPECT_EQ(result.fault.code, FaultCode::kBusError);
    EXPECT_EQ(result.fault.unit, isa::Unit::kLoad);
    EXPECT_EQ(result.fault.sequence, 0u);
    EXPECT_EQ(result.fault.cycle, result.records[0].start + 2 + Dram::kErrorCycles);
    EXPECT_EQ(result.records.size(), 3u);  // all had been dispatched, and ran on
    const std::uint8_t zero[64] = {};
    EXPECT_EQ(std::memcmp(dram.data() + region(1), zero, 64), 0);
    EXPECT_EQ(std::memcmp(dram.data() + region(1) + 64, dram.data() + region(0), 64), 0);
  }
  {
    // Two bursts, of which the second is beyond the capacity.
    DramImage dram(design.dram_capacity_bytes);
    fill(&dram, 5, 256);
    Script script;
    script.add(isa::Load{.rows = 1, .row_bytes = 64, .address_pitch = 64}, {}, {1});
    script.add(isa::Store{.offset = beyond - 32, .rows = 1, .row_bytes = 64}, {1}, {0});
    script.add(idle_stream(), {0});
    const RunResult result = run_script(design, script, {}, &dram);
    EXPECT_EQ(result.fault.code, FaultCode::kBusError);
    EXPECT_EQ(result.fault.unit, isa::Unit::kStore);
    EXPECT_EQ(result.fault.cycle, result.records[1].end);           // the response
    EXPECT_EQ(result.records[2].start, result.records[1].end + 1);  // it posts all the same
    EXPECT_EQ(std::memcmp(dram.data() + (1 << 20) - 32, dram.data() + region(0), 32), 0);
  }
  {
    // The second block of code lies beyond the capacity.
    Script script;
    for (int i = 0; i < 20; ++i) script.add(idle_stream());
    DramImage dram(design.dram_capacity_bytes);
    const std::uint64_t at = (1 << 20) - 512;
    auto code = script.code();
    code.resize(16);
    for (std::size_t i = 0; i < code.size(); ++i) dram.write(at + 32 * i, code[i]);
    MachineProgram program = script.program(design);
    program.code_address = at;
    RunOptions options;
    options.records = true;
    const RunResult result = *make_sysc_machine(design)->run(program, options, &dram);
    EXPECT_EQ(result.fault.code, FaultCode::kBusError);
    EXPECT_EQ(result.fault.unit, isa::Unit::kFetch);
    EXPECT_EQ(result.fault.sequence, 16u);
    EXPECT_LE(result.records.size(), 16u);
    for (const Record& record : result.records) EXPECT_LE(record.start, result.fault.cycle + 1);
  }
}

TEST(Faults, StaticOnesComeBeforeCycleZero) {
  const Design design = base_design();
  Script script;
  script.add(idle_stream());
  script.code().push_back({});  // opcode 0
  const RunResult result = run_script(design, script);
  EXPECT_EQ(result.outcome, Outcome::kFault);
  EXPECT_EQ(result.fault.code, FaultCode::kOpcode);
  EXPECT_EQ(result.fault.sequence, 1u);
  EXPECT_EQ(result.cycles, 0u);
  EXPECT_TRUE(result.records.empty());
}

TEST(Faults, AnImageOfAnotherSizeIsRefused) {
  const Design design = base_design();
  DramImage dram(4096);
  const auto result = make_sysc_machine(design)->run(MachineProgram{}, {}, &dram);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the DRAM image has 4096 bytes, design 'base' has 4194304");
}

}  // namespace
}  // namespace tally
