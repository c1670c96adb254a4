// SPDX-License-Identifier: Apache-2.0
// Latency and throughput of the memory against formulas over the data-sheet timings, from both
// sides; what refresh, stalls, capacity and reset do.
#include "models/dram/dram.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

namespace tally {
namespace {

const DramKind& kKind = *find_dram_kind("DDR4-2400");

Design make_design(int port_bytes, int clock_mhz = 1000, const char* kind = "DDR4-2400") {
  Design design = *find_design("base", TALLY_SOURCE_DIR "/designs");
  design.port_bytes = port_bytes;
  design.clock_mhz = clock_mhz;
  design.dram_kind = kind;
  return design;
}

std::uint64_t cycle_at(std::int64_t ps, int clock_mhz = 1000) {
  return (std::uint64_t(ps) * std::uint64_t(clock_mhz) + 999'999) / 1'000'000;
}

// Reads `count` times `bytes` at `stride`, each accepted as soon as it can be; the last beat.
std::uint64_t stream(Dram* dram, bool write, int count, int bytes, std::uint64_t stride) {
  std::uint64_t last = 0;
  for (int i = 0; i < count; ++i) {
    const Dram::Service service =
        dram->accept(std::uint64_t(i), write, std::uint64_t(i) * stride, bytes);
    last = write ? service.response : service.beats.back();
  }
  return last;
}

TEST(Dram, FirstReadTakesActivateColumnAndData) {
  for (int clock_mhz : {200, 300, 800, 1000, 2000}) {
    Dram dram(make_design(16, clock_mhz));
    const auto service = dram.accept(5, false, 4096, 16);
    const std::int64_t arrival = 6LL * 1'000'000 / clock_mhz;
    EXPECT_EQ(service.beats.front(),
              std::max<std::uint64_t>(
                  7, cycle_at(arrival + kKind.rcd_ps + kKind.cl_ps + kKind.burst_ps, clock_mhz)));
    EXPECT_FALSE(service.error);
  }
}

TEST(Dram, RowHitTakesColumnAndData) {
  Dram dram(make_design(16));
  dram.accept(0, false, 0, 16);
  const auto hit = dram.accept(200, false, 0, 16);
  EXPECT_EQ(hit.beats.front(), cycle_at(201'000 + kKind.cl_ps + kKind.burst_ps));
  EXPECT_EQ(dram.counters(220).activations, 1u);
}

TEST(Dram, RowConflictTakesPrechargeToo) {
  Dram dram(make_design(16));
  dram.accept(0, false, 0, 16);
  const std::uint64_t next_row = std::uint64_t(kKind.row_bytes) * 16;  // same bank
  const auto miss = dram.accept(200, false, next_row, 16);
  EXPECT_EQ(miss.beats.front(),
            cycle_at(201'000 + kKind.rp_ps + kKind.rcd_ps + kKind.cl_ps + kKind.burst_ps));
  EXPECT_EQ(dram.counters(250).activations, 2u);
}

TEST(Dram, RowConflictAtOnceWaitsForTheRowCycle) {
  Dram dram(make_design(16));
  dram.accept(0, false, 0, 16);
  const auto miss = dram.accept(1, false, std::uint64_t(kKind.row_bytes) * 16, 16);
  EXPECT_EQ(miss.beats.front(), cycle_at(1000 + kKind.ras_ps + kKind.rp_ps + kKind.rcd_ps +
                                         kKind.cl_ps + kKind.burst_ps));
}

TEST(Dram, FirstWriteTakesItsBeatsThenItsData) {
  Dram dram(make_design(16));
  const auto service = dram.accept(0, true, 0, 64);
  EXPECT_EQ(service.beats, (std::vector<std::uint64_t>{2, 3, 4, 5}));
  EXPECT_EQ(service.response, cycle_at(1000 + kKind.rcd_ps + kKind.cwl_ps + kKind.burst_ps));
  // To an open row the data wait for the last beat alone.
  const auto hit = dram.accept(100, true, 0, 64);
  EXPECT_EQ(hit.response, std::max(cycle_at(101'000 + kKind.cwl_ps + kKind.burst_ps),
                                   cycle_at(106'000 + kKind.burst_ps)));
  // The devices are faster than the port, so a long burst ends with its last beat's data.
  const auto late = dram.accept(200, true, 0, 4096);  // 256 beats in 202..457
  EXPECT_EQ(late.response, cycle_at(458'000 + kKind.burst_ps));
}

TEST(Dram, StreamReachesPeakAndNeverExceedsIt) {
  for (const char* name : {"DDR4-2400", "DDR4-2400x2"}) {
    const DramKind& kind = *find_dram_kind(name);
    for (bool write : {false, true}) {
      Dram dram(make_design(64, 1000, name));
      const int count = 2000;
      const std::uint64_t cycles = stream(&dram, write, count, 4096, 4096) + 1;
      const double rate = count * 4096.0 / (double(cycles) * 1e-9);
      const double bound =
          peak_bytes_per_second(kind) * (1 - double(kind.rfc_ps) / double(kind.refi_ps));
      EXPECT_LE(rate, bound) << name << write;
      EXPECT_GE(rate, 0.97 * bound) << name << write;
    }
  }
}

TEST(Dram, NarrowPortStreamsABeatACycle) {
  Dram dram(make_design(8));
  const int count = 500;
  const std::uint64_t cycles = stream(&dram, false, count, 2048, 2048) + 1;
  const std::uint64_t beats = count * 256;
  EXPECT_GE(cycles, beats);
  // Refresh is caught up, but its data gaps cannot be: at most one refresh time each.
  EXPECT_LE(cycles, beats + dram.counters(cycles).refreshes * (cycle_at(kKind.rfc_ps) + 100) + 100);
}

TEST(Dram, OneBankGroupPacesByLongColumnTime) {
  Dram dram(make_design(64));
  const int count = 100;  // one row: 128 device bursts of group 0
  const auto first = dram.accept(0, false, 0, 64).beats.front();
  std::uint64_t last = 0;
  for (int i = 1; i < count; ++i)
    last = dram.accept(std::uint64_t(i), false, std::uint64_t(i) * 256, 64).beats.back();
  EXPECT_NEAR(double(last - first), double(kKind.ccd_l_ps) * (count - 1) / 1000, 1.0);
}

TEST(Dram, OneBankPacesByRowCycle) {
  Dram dram(make_design(64));
  const std::uint64_t stride = std::uint64_t(kKind.row_bytes) * 16;
  const auto first = dram.accept(0, false, 0, 64).beats.front();
  std::uint64_t last = 0;
  const int count = 12;
  for (int i = 1; i < count; ++i)
    last = dram.accept(std::uint64_t(i), false, std::uint64_t(i) * stride, 64).beats.back();
  EXPECT_NEAR(double(last - first), double(kKind.ras_ps + kKind.rp_ps) * (count - 1) / 1000, 1.0);
}

TEST(Dram, FiveActivatesSpanTheWindow) {
  Dram dram(make_design(64));
  // Rows of five banks: groups 0..3, then group 0 again.
  std::uint64_t beat[5];
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t address =
        i < 4 ? std::uint64_t(i) * 64 : std::uint64_t(kKind.row_bytes) * 4;
    beat[i] = dram.accept(0, false, address, 64).beats.front();
  }
  EXPECT_EQ(beat[4], cycle_at(1000 + kKind.faw_ps + kKind.rcd_ps + kKind.cl_ps + kKind.burst_ps));
  EXPECT_EQ(beat[1], cycle_at(1000 + kKind.rrd_s_ps + kKind.rcd_ps + kKind.cl_ps + kKind.burst_ps));
}

TEST(Dram, ReadAfterWriteWaitsForTheTurnaround) {
  Dram dram(make_design(64));
  const std::int64_t written = 1000 + kKind.rcd_ps + kKind.cwl_ps + kKind.burst_ps;
  dram.accept(0, true, 0, 64);
  const auto same_group = dram.accept(0, false, 256, 64);
  EXPECT_EQ(same_group.beats.front(),
            cycle_at(written + kKind.wtr_l_ps + kKind.cl_ps + kKind.burst_ps));
  dram.reset(0);
  dram.accept(0, true, 0, 64);
  const auto other_group = dram.accept(0, false, 64, 64);
  EXPECT_EQ(other_group.beats.front(),
            cycle_at(written + kKind.wtr_s_ps + kKind.cl_ps + kKind.burst_ps));
}

TEST(Dram, WriteAfterReadWaitsForTheTurnaround) {
  Dram dram(make_design(64));
  const std::int64_t read = 1000 + kKind.rcd_ps;
  dram.accept(0, false, 0, 64);
  const auto service = dram.accept(0, true, 256, 64);
  const std::int64_t bus_free = read + kKind.rtw_ps() + kKind.cwl_ps;
  const std::int64_t data_there = std::int64_t(service.beats.back() + 1) * 1000;
  EXPECT_EQ(service.response, cycle_at(std::max(bus_free, data_there) + kKind.burst_ps));
  Dram fast(make_design(64, 2000));  // here the bus, not the beat, is what the write waits for
  const std::int64_t fast_read = 500 + kKind.rcd_ps;
  fast.accept(0, false, 0, 64);
  EXPECT_EQ(fast.accept(0, true, 256, 64).response,
            cycle_at(fast_read + kKind.rtw_ps() + kKind.cwl_ps + kKind.burst_ps, 2000));
}

TEST(Dram, RefreshComesEveryInterval) {
  Dram dram(make_design(16));
  const std::int64_t first = DramDevice::first_refresh_ps(kKind);
  EXPECT_EQ(dram.counters(cycle_at(first) - 1).refreshes, 0u);
  EXPECT_EQ(dram.counters(cycle_at(first)).refreshes, 1u);
  EXPECT_EQ(dram.counters(cycle_at(first + kKind.refi_ps)).refreshes, 2u);
  const std::int64_t hundred = first + 100 * kKind.refi_ps;
  EXPECT_EQ(dram.counters(cycle_at(hundred)).refreshes, 101u);
  // A read in the middle of a refresh waits for its end and finds all rows closed.
  const std::uint64_t cycle = cycle_at(hundred) + 10;
  const auto service = dram.accept(cycle, false, 0, 16);
  EXPECT_EQ(service.beats.front(),
            cycle_at(hundred + kKind.rfc_ps + kKind.rcd_ps + kKind.cl_ps + kKind.burst_ps));
}

TEST(Dram, BoundHoldsForEveryPrefix) {
  for (int port_bytes : {4, 16, 64}) {
    for (const char* kind : {"DDR4-2400", "DDR4-2400x2", "DDR4-2400x4", "ideal"}) {
      const Design design = make_design(port_bytes, 1500, kind);
      Dram dram(design);
      std::uint64_t bus = 0;
      for (int i = 0; i < 400; ++i) {
        const int bytes = std::min(4096, 256 * port_bytes);
        const auto service =
            dram.accept(std::uint64_t(i), false, std::uint64_t(i) * std::uint64_t(bytes), bytes);
        bus += std::uint64_t(bytes);
        const std::uint64_t end = service.beats.back() + 1;
        ASSERT_GE(end, dram_bound_cycles(design, bus, bus)) << kind << port_bytes << " " << i;
      }
    }
  }
}

TEST(Dram, BoundIsTheSlowerOfPortAndDevices) {
  EXPECT_EQ(dram_bound_cycles(make_design(16), 16'000, 16'000), 1000u);
  const double share = 1 - double(kKind.rfc_ps) / double(kKind.refi_ps);
  EXPECT_EQ(dram_bound_cycles(make_design(64), 64'000, 64'000),
            std::uint64_t(1000 * double(kKind.burst_ps) / 1000 / share));
  EXPECT_EQ(dram_bound_cycles(make_design(64, 1000, "ideal"), 64'000, 64'000), 1000u);
  EXPECT_NEAR(peak_bytes_per_second(kKind), 19.2e9, 0.01e9);
  EXPECT_LE(peak_bytes_per_second(kKind), 19.2e9);
}

struct Request {
  std::uint64_t cycle;
  bool write;
  std::uint64_t address;
  int bytes;
};

std::vector<Request> random_requests(int seed, int count, int port_bytes) {
  std::mt19937 random(std::uint32_t(seed) + 1);
  std::vector<Request> requests;
  std::uint64_t cycle = 0;
  for (int i = 0; i < count; ++i) {
    cycle += random() % 3 == 0 ? random() % 2000 : random() % 8;
    const int beats = random() % 2 ? 1 + int(random() % 4) : 1 + int(random() % 64);
    const int bytes = std::min(beats * port_bytes, 4096);
    const std::uint64_t room = 4096 - std::uint64_t(bytes);
    const std::uint64_t offset =
        random() % (room / std::uint64_t(port_bytes) + 1) * std::uint64_t(port_bytes);
    requests.push_back({cycle, random() % 3 == 0, random() % 100 * 4096 + offset, bytes});
  }
  return requests;
}

TEST(Dram, BeatsAscendOverAllBurstsWithAndWithoutStalls) {
  for (int seed = 0; seed < 20; ++seed) {
    const int port_bytes = 4 << seed % 5;
    Dram dram(make_design(port_bytes), std::uint64_t(seed / 5));
    std::uint64_t last = 0, last_response = 0, total = 0;
    for (const Request& r : random_requests(seed, 500, port_bytes)) {
      const auto service = dram.accept(r.cycle, r.write, r.address, r.bytes);
      ASSERT_EQ(service.beats.size(), std::size_t(r.bytes / port_bytes));
      ASSERT_GE(service.beats.front(), r.cycle + 2);
      for (std::uint64_t beat : service.beats) {
        ASSERT_GT(beat, last);
        last = beat;
      }
      total += service.beats.size();
      if (!r.write) continue;
      ASSERT_GT(service.response, service.beats.back());
      ASSERT_GT(service.response, last_response);
      last_response = service.response;
    }
    const DramCounters counters = dram.counters(last);
    EXPECT_EQ(counters.requested_read_bytes + counters.requested_write_bytes,
              total * std::uint64_t(port_bytes));
    EXPECT_EQ(counters.read_bytes, counters.read_bursts * 64);
    EXPECT_EQ(counters.write_bytes, counters.write_bursts * 64);
    EXPECT_GE(counters.read_bytes, counters.requested_read_bytes);
  }
}

TEST(Dram, StallsChangeOnlyTime) {
  const auto requests = random_requests(1, 300, 16);
  std::vector<DramCounters> counters;
  std::vector<std::uint64_t> last;
  for (std::uint64_t seed : {0, 1, 1, 2}) {
    Dram dram(make_design(16), seed);
    std::uint64_t beat = 0;
    for (const Request& r : requests)
      beat = dram.accept(r.cycle, r.write, r.address, r.bytes).beats.back();
    last.push_back(beat);
    DramCounters c = dram.counters(beat);
    c.activations = c.refreshes = 0;  // these depend on time
    counters.push_back(c);
  }
  EXPECT_EQ(counters[0], counters[1]);
  EXPECT_EQ(counters[0], counters[3]);
  EXPECT_EQ(last[1], last[2]);
  EXPECT_NE(last[1], last[3]);
  EXPECT_GT(last[1], last[0]);
}

TEST(Dram, StallsHitStartsAndBeats) {
  const DramStalls stalls(7), none(0);
  int starts = 0, beats = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    starts += stalls.start_cycles(number) > 0;
    beats += stalls.beat_cycles(number, 3) > 0;
    ASSERT_LE(stalls.start_cycles(number), 64);
    ASSERT_LE(stalls.beat_cycles(number, 3), 3);
    ASSERT_EQ(none.start_cycles(number) + none.beat_cycles(number, 3), 0);
  }
  EXPECT_NEAR(starts, 2000, 200);
  EXPECT_NEAR(beats, 750, 150);
}

TEST(Dram, ResetIsAsNew) {
  Dram used(make_design(16), 3), fresh(make_design(16), 5);
  for (const Request& r : random_requests(2, 200, 16))
    used.accept(r.cycle, r.write, r.address, r.bytes);
  used.reset(5);
  for (const Request& r : random_requests(4, 200, 16)) {
    const auto a = used.accept(r.cycle, r.write, r.address, r.bytes);
    const auto b = fresh.accept(r.cycle, r.write, r.address, r.bytes);
    ASSERT_EQ(a.beats, b.beats);
    ASSERT_EQ(a.response, b.response);
  }
  EXPECT_EQ(used.counters(1'000'000), fresh.counters(1'000'000));
}

TEST(Dram, RefusesBeyondCapacityAndKeepsOrder) {
  Design design = make_design(16);
  design.dram_capacity_bytes = 1 << 20;
  Dram dram(design);
  const auto good = dram.accept(0, false, (1 << 20) - 64, 64);
  EXPECT_FALSE(good.error);
  const auto bad = dram.accept(0, false, (1 << 20), 64);
  EXPECT_TRUE(bad.error);
  EXPECT_EQ(bad.beats.front(), good.beats.back() + 1);
  EXPECT_EQ(bad.beats.back(), bad.beats.front() + 3);
  EXPECT_EQ(dram.counters(100).read_bursts, 1u);
  const auto later = dram.accept(500, true, 1ULL << 36, 32);
  EXPECT_TRUE(later.error);
  EXPECT_EQ(later.beats,
            (std::vector<std::uint64_t>{500 + Dram::kErrorCycles, 501 + Dram::kErrorCycles}));
  EXPECT_EQ(later.response, 502u + Dram::kErrorCycles);
}

TEST(DramKinds, AnUnknownKindIsNamed) {
  EXPECT_EQ(find_dram_kind("DDR9"), nullptr);
  for (const DramKind& kind : kDramKinds) {
    EXPECT_EQ(find_dram_kind(kind.name), &kind);
    EXPECT_FALSE(kind.source.empty());
    EXPECT_EQ(kind.row_bytes % kind.burst_bytes, 0);
  }
  std::ifstream file(TALLY_SOURCE_DIR "/designs/base.toml");
  std::string text(std::istreambuf_iterator<char>(file), {});
  text.replace(text.find("\"DDR4-2400\""), 11, "\"DDR9\"");
  const Expected<Design> design = parse_design(text, "mine.toml");
  ASSERT_FALSE(design);
  EXPECT_EQ(design.error().message,
            "mine.toml: key 'dram.kind' is 'DDR9', allowed: DDR4-2400, DDR4-2400x2, DDR4-2400x4, "
            "ideal");
}

}  // namespace
}  // namespace tally
