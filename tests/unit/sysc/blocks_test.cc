// SPDX-License-Identifier: Apache-2.0
// Small blocks on their own, without a kernel.
#include <gtest/gtest.h>

#include "sysc/activity.h"
#include "sysc/arbiter.h"
#include "sysc/write_hash.h"
#include "tests/unit/sysc/bench.h"

namespace tally {
namespace {

using sysc::Client;
using sysc::Cycle;

TEST(Activity, CountsEachKindOfCycle) {
  sysc::Activity activity;
  activity.busy(5, 7);
  activity.busy(6, 9);  // overlaps
  activity.busy(12, 13);
  activity.present(3, 10);   // idle 0..2, stalled 3 4, busy 5..8, stalled 9
  activity.present(4, 11);   // stalled 10
  activity.present(12, 15);  // idle 11, busy 12, stalled 13 14
  const UnitCycles cycles = activity.count(20);
  EXPECT_EQ(cycles.busy, 5u);
  EXPECT_EQ(cycles.stalled, 6u);
  EXPECT_EQ(cycles.idle, 9u);
}

TEST(Activity, EqualsAWalkOverCycles) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; ++round) {
    constexpr Cycle kCycles = 300;
    std::vector<bool> busy(kCycles), present(kCycles);
    sysc::Activity activity;
    Cycle from = 0, told = 0, end = 0;
    while (end + 60 < kCycles) {
      from += random() % 30;
      end = std::max(end, from + 1 + random() % 40);
      told = std::max(told, from);
      while (told < end) {
        const Cycle stop = std::min<Cycle>(end, told + 1 + random() % 5);
        if (random() % 2) {
          std::vector<Cycle> cycles;
          for (Cycle c = told; c < stop; ++c) busy[c] = true, cycles.push_back(c);
          activity.busy(cycles);
        }
        told = stop + random() % 4;
      }
      activity.present(from, end);
      for (Cycle c = from; c < end; ++c) present[c] = true;
    }
    UnitCycles want;
    for (Cycle c = 0; c < kCycles; ++c)
      ++(busy[c] ? want.busy : present[c] ? want.stalled : want.idle);
    ASSERT_EQ(activity.count(kCycles), want) << round;
  }
}

struct FakeClient : sysc::PortClient {
  std::vector<Cycle> cycles;
  void accepted(Cycle now, const Dram::Service&) override { cycles.push_back(now); }
};

TEST(Arbiter, OneACycleFetchBeforeLoadBeforeStore) {
  const Design design = base_design();
  Dram dram(design);
  sysc::RunLog log(false);
  sysc::Arbiter arbiter(&dram, design.port_bytes, &log);
  FakeClient clients[3];
  for (int i = 0; i < 3; ++i) arbiter.connect(Client(i), &clients[i]);
  const auto run_until = [&](Cycle end) {
    while (arbiter.next() < end) arbiter.advance(arbiter.next());
  };
  arbiter.raise(Client::kStore, 0, 16, 10);
  arbiter.raise(Client::kLoad, 0, 16, 10);
  arbiter.raise(Client::kFetch, 0, 32, 10);
  run_until(20);
  EXPECT_EQ(clients[0].cycles, (std::vector<Cycle>{11}));
  EXPECT_EQ(clients[1].cycles, (std::vector<Cycle>{12}));
  EXPECT_EQ(clients[2].cycles, (std::vector<Cycle>{13}));
  // A request takes part from the cycle after it was raised, whatever its priority.
  arbiter.raise(Client::kStore, 0, 16, 20);
  arbiter.raise(Client::kFetch, 0, 16, 21);
  run_until(30);
  EXPECT_EQ(clients[2].cycles.back(), 21u);
  EXPECT_EQ(clients[0].cycles.back(), 22u);
  // One that is booked ahead holds nobody up.
  arbiter.raise(Client::kLoad, 0, 16, 50);
  arbiter.raise(Client::kStore, 0, 16, 40);
  run_until(100);
  EXPECT_EQ(clients[2].cycles.back(), 41u);
  EXPECT_EQ(clients[1].cycles.back(), 51u);
  EXPECT_EQ(log.events.bursts, (std::array<std::uint64_t, 3>{2, 2, 3}));
  EXPECT_EQ(log.events.beats, (std::array<std::uint64_t, 3>{3, 2, 3}));
}

TEST(WriteHash, CountsEachAddressOnceWithItsLastValue) {
  sysc::Memories memories(tiny_design());
  sysc::WriteHash hash(memories);
  const auto space = isa::Space::kWeights;
  memories.data(space)[7] = 1;
  hash.begin();
  hash.wrote(space, 6, 2);
  memories.data(space)[7] = 9;
  hash.wrote(space, 7, 1);
  hash.wrote(space, memories.size(space) + 7, 1);  // wraps
  const std::uint8_t stored[] = {4, 5};
  hash.wrote_dram(100, stored, 2);
  EXPECT_EQ(hash.take(), written_byte_hash(1, 6, 0) + written_byte_hash(1, 7, 9) +
                             written_byte_hash(kHashSpaceDram, 100, 4) +
                             written_byte_hash(kHashSpaceDram, 101, 5));
  hash.begin();
  EXPECT_EQ(hash.take(), 0u);
}

TEST(RunLog, TheFirstFaultInTimeThenByUnitSequenceAndCode) {
  sysc::RunLog log(false);
  log.fault(FaultCode::kBusError, isa::Unit::kStore, 1, 100);
  EXPECT_FALSE(log.faulted(99));
  EXPECT_TRUE(log.faulted(100));
  log.fault(FaultCode::kBusError, isa::Unit::kLoad, 9, 100);
  EXPECT_EQ(log.first_fault()->unit, isa::Unit::kLoad);
  log.fault(FaultCode::kGatherIndex, isa::Unit::kLoad, 8, 100);
  EXPECT_EQ(log.first_fault()->sequence, 8u);
  log.fault(FaultCode::kSemaphoreOverflow, isa::Unit::kVector, 20, 99);
  EXPECT_EQ(log.first_fault()->unit, isa::Unit::kVector);
  log.fault(FaultCode::kBusError, isa::Unit::kVector, 20, 99);
  EXPECT_EQ(log.first_fault()->code, FaultCode::kBusError);
  log.fault(FaultCode::kSemaphoreOverflow, isa::Unit::kVector, 20, 99);
  EXPECT_EQ(log.first_fault()->code, FaultCode::kBusError);
  log.fault(FaultCode::kBusError, isa::Unit::kFetch, 0, 101);
  EXPECT_EQ(log.first_fault()->unit, isa::Unit::kVector);
}

}  // namespace
}  // namespace tally
