// SPDX-License-Identifier: Apache-2.0
// Fetch, dispatch, queues and semaphores: docs/timing.md term by term, on programs of instructions
// that take no time.
#include <gtest/gtest.h>

#include "sysc/semaphores.h"
#include "tests/unit/sysc/bench.h"

namespace tally {
namespace {

// Literal account of fetch and dispatch for a program of `count` stream instructions whose queue is
// never full: cycle of each dispatch.
std::vector<std::uint64_t> dispatch_cycles(const Design& design, std::uint32_t count) {
  Dram dram(design);
  const auto per_block = std::uint32_t(design.fetch_burst_bytes / isa::kInstructionBytes);
  std::vector<std::uint64_t> dispatched, accepted;
  std::uint64_t last = 0;
  for (std::uint32_t block = 0; block * per_block < count; ++block) {
    const std::uint32_t here = std::min(per_block, count - block * per_block);
    const int port = design.port_bytes;
    const int bytes = (int(here) * isa::kInstructionBytes + port - 1) / port * port;
    std::uint64_t raise = block == 0 ? 0 : accepted.back();
    if (block >= std::uint32_t(design.fetch_buffers)) {
      const std::uint32_t freed = (block - std::uint32_t(design.fetch_buffers) + 1) * per_block - 1;
      raise = std::max(raise, dispatched[freed] + 1);
    }
    accepted.push_back(raise + 1);
    const auto service =
        dram.accept(raise + 1, false, std::uint64_t(block) * design.fetch_burst_bytes, bytes);
    for (std::uint32_t i = 0; i < here; ++i) {
      const std::uint64_t beat =
          service.beats[(std::size_t(i + 1) * isa::kInstructionBytes - 1) / std::size_t(port)];
      last = std::max(beat + 1, dispatched.empty() ? 0 : last + 1);
      dispatched.push_back(last);
    }
  }
  return dispatched;
}

TEST(Fetch, DispatchFollowsTheBeatsAtEveryPortWidthAndBlockSize) {
  for (int port : {4, 8, 16, 32, 64}) {
    for (int block : {128, 512, 1024}) {
      for (int buffers : {2, 4}) {
        for (std::uint32_t count : {1u, 2u, 5u, 16u, 33u, 100u}) {
          Design design = base_design();
          design.port_bytes = port;
          design.fetch_burst_bytes = block;
          design.fetch_buffers = buffers;
          Script script;
          for (std::uint32_t i = 0; i < count; ++i) script.add(idle_stream());
          const RunResult result = run_script(design, script);
          const auto expected = dispatch_cycles(design, count);
          ASSERT_EQ(result.outcome, Outcome::kFinished);
          ASSERT_EQ(result.records.size(), count);
          for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_EQ(result.records[i].start, expected[i] + 1) << port << " " << block << " " << i;
            ASSERT_EQ(result.records[i].end, result.records[i].start);
          }
          EXPECT_EQ(result.cycles, expected.back() + 2);
          const auto blocks = (count * 32 + std::uint32_t(block) - 1) / std::uint32_t(block);
          EXPECT_EQ(result.events.bursts[0], blocks);
          EXPECT_EQ(result.events.beats[0],
                    (count * 32 + std::uint32_t(port) - 1) / std::uint32_t(port));
          EXPECT_EQ(result.units[0].busy, result.events.beats[0]);
          EXPECT_EQ(result.units[0].busy + result.units[0].stalled, expected.back() + 1);
        }
      }
    }
  }
}

TEST(Fetch, AnEmptyProgramEndsInCycleZero) {
  const RunResult result = run_script(base_design(), Script{});
  EXPECT_EQ(result.outcome, Outcome::kFinished);
  EXPECT_EQ(result.cycles, 0u);
}

TEST(Fetch, AFullQueueStopsDispatchInOrder) {
  for (int queue : {1, 2, 3}) {
    Design design = base_design();
    design.vector_queue = queue;
    Script script;
    const std::uint32_t blocker = script.add(isa::Matmul{.m = 8, .k = 1, .n = 1}, {}, {0});
    for (int i = 0; i < 6; ++i)
      script.add(idle_stream(), i == 0 ? std::vector{0} : std::vector<int>{});
    const std::uint32_t last = script.add(isa::Matmul{.m = 8, .k = 1, .n = 1});
    const RunResult result = run_script(design, script);
    ASSERT_EQ(result.outcome, Outcome::kFinished);
    const auto& records = result.records;
    const std::uint64_t first = records[blocker].end + 1;
    ASSERT_EQ(records[1].start, first);
    // A slot freed by a start in t is dispatched to in t + 1 and starts in t + 2.
    for (std::uint32_t i = 1; i < 6; ++i) {
      const std::uint64_t in_queue = records[i].start + 1;
      const std::uint64_t expected =
          i < std::uint32_t(queue)
              ? in_queue
              : std::max(in_queue, records[i + 1 - std::uint32_t(queue)].start + 2);
      ASSERT_EQ(records[i + 1].start, expected) << queue << " " << i;
    }
    // One dispatch a cycle: the matmul's comes a cycle after the last stream's.
    EXPECT_EQ(records[last].start, records[6 - std::uint32_t(queue)].start + 3) << queue;
  }
}

TEST(Semaphores, APostIsUsableInTheNextCycle) {
  Script script;
  const auto first = script.add(isa::Matmul{.m = 3, .k = 1, .n = 1}, {}, {3, 4});
  const auto second = script.add(idle_stream(), {3}, {5});
  const auto third = script.add(idle_stream(), {4});
  const auto fourth = script.add(isa::Matmul{.m = 3, .k = 1, .n = 1}, {5});
  const RunResult result = run_script(base_design(), script);
  ASSERT_EQ(result.outcome, Outcome::kFinished);
  EXPECT_EQ(result.records[second].start, result.records[first].end + 1);
  EXPECT_EQ(result.records[third].start, result.records[second].start + 1);
  EXPECT_EQ(result.records[fourth].start, result.records[second].end + 1);
}

TEST(Semaphores, AllWaitsAreTakenAtOnce) {
  Script script;
  const auto early = script.add(isa::Matmul{.m = 1, .k = 1, .n = 1}, {}, {0});
  const auto late = script.add(isa::Matmul{.m = 100, .k = 1, .n = 1}, {}, {1});
  const auto both = script.add(idle_stream(), {0, 1});
  const RunResult result = run_script(base_design(), script);
  EXPECT_LT(result.records[early].end, result.records[late].end);
  EXPECT_EQ(result.records[both].start, result.records[late].end + 1);
}

TEST(Semaphores, A256thPostOverflows) {
  Script script;
  for (int i = 0; i < 300; ++i) script.add(idle_stream(), {}, {9});
  const RunResult result = run_script(base_design(), script);
  EXPECT_EQ(result.outcome, Outcome::kFault);
  EXPECT_EQ(result.fault.code, FaultCode::kSemaphoreOverflow);
  EXPECT_EQ(result.fault.unit, isa::Unit::kVector);
  EXPECT_EQ(result.fault.sequence, 255u);
  EXPECT_EQ(result.fault.cycle, result.records[255].end);
  // Nothing is dispatched in the cycle of the fault: what ran then had been dispatched before.
  EXPECT_EQ(result.events.instructions[0], result.records.size());
  EXPECT_LE(result.records.size(), 257u);
  // A block that was on its way is waited for.
  EXPECT_GT(result.cycles, result.records.back().end);
}

TEST(Semaphores, ATakeInTheCycleOfAPostMakesRoom) {
  sysc::RunLog log(false);
  sysc::Semaphores semaphores(&log);
  isa::Sync post, wait;
  post.posts[0] = wait.waits[0] = 9;
  for (sysc::Cycle cycle = 0; cycle < 255; ++cycle) {
    semaphores.post(post, isa::Unit::kLoad, 1, cycle);
    ASSERT_EQ(semaphores.next(), cycle);
    semaphores.advance(cycle);
  }
  semaphores.post(post, isa::Unit::kLoad, 2, 300);
  semaphores.take(wait);
  semaphores.advance(300);
  EXPECT_FALSE(log.faulted(1000));
  EXPECT_EQ(semaphores.count(9), 255);
  // Of several posts in a cycle, counted in the order of units, those that find 255 are at fault.
  semaphores.take(wait);
  semaphores.post(post, isa::Unit::kVector, 5, 301);
  semaphores.post(post, isa::Unit::kStore, 7, 301);
  semaphores.advance(301);
  ASSERT_TRUE(log.faulted(301));
  EXPECT_FALSE(log.faulted(300));
  EXPECT_EQ(*log.first_fault(), (Fault{FaultCode::kSemaphoreOverflow, isa::Unit::kVector, 5, 301}));
  EXPECT_EQ(semaphores.count(9), 255);
}

TEST(Deadlock, NamesUnitsAndSemaphores) {
  Script script;
  script.add(isa::Matmul{.m = 1, .k = 1, .n = 1}, {2, 1}, {0});
  script.add(idle_stream(), {0}, {1});
  const auto alone =
      script.add(isa::Load{.rows = 1, .row_bytes = 16, .address_pitch = 16}, {}, {2});
  const RunResult result = run_script(base_design(), script);
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_EQ(result.waiting,
            (std::vector<Waiting>{{isa::Unit::kMatrix, 0, 1}, {isa::Unit::kVector, 1, 0}}));
  EXPECT_EQ(result.fault.code, FaultCode::kNone);
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.records[0].sequence, alone);
  EXPECT_EQ(result.cycles, result.records[0].end + 1);
  // From dispatch to the end of the run the heads stall.
  EXPECT_EQ(result.units[3].busy, 0u);
  EXPECT_EQ(result.units[3].stalled + result.units[3].idle, result.cycles);
  EXPECT_GT(result.units[3].stalled, 0u);
}

TEST(Deadlock, EndsTheCycleAfterTheLastDispatch) {
  Script script;
  script.add(idle_stream(), {0});
  const RunResult result = run_script(base_design(), script);
  EXPECT_EQ(result.outcome, Outcome::kDeadlock);
  EXPECT_EQ(result.cycles, earliest_starts(base_design(), 1)[0]);
}

}  // namespace
}  // namespace tally
