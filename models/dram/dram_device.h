// SPDX-License-Identifier: Apache-2.0
// The devices of one channel: when each device burst's command and data come, in picoseconds.
//
// Strictly in order, open page, commands as early as the timings of DramKind allow: a row may be
// opened while earlier data still stream. Contention on the command bus is not modelled. Refresh of
// all banks comes before the first column command at or after its due time. Moves no values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/dram/dram_kinds.h"

namespace tally {

class DramDevice {
 public:
  explicit DramDevice(const DramKind& kind);

  // Serves the device burst that holds `address`. Row commands are given from `arrival_ps` on, the
  // column command from max(arrival_ps, column_ps) on. Returns the end of its data on the bus.
  std::int64_t access(bool write, std::uint64_t address, std::int64_t arrival_ps,
                      std::int64_t column_ps);
  // Does the refreshes due at or before `ps`.
  void refresh_until(std::int64_t ps);
  void reset();

  const DramKind& kind() const { return *kind_; }
  std::uint64_t activations() const { return activations_; }
  std::uint64_t refreshes() const { return refreshes_; }
  // Due time of the first refresh: the latest at which dram_bound_cycles() holds for every prefix
  // of a run, since the first data cannot come before rcd + cl.
  static std::int64_t first_refresh_ps(const DramKind& kind);

 private:
  static constexpr std::int64_t kLongAgo = -1'000'000'000'000;
  struct Bank {
    std::int64_t open_row = -1;
    std::int64_t activate_ps = 0;   // earliest next activate, if closed
    std::int64_t precharge_ps = 0;  // earliest next precharge, if open
  };
  struct Place {
    int group, bank;  // bank: over all groups
    std::int64_t row;
  };
  struct Commands {
    std::int64_t activate_ps;  // -1: row hit
    std::int64_t column_ps;
  };

  Place place_of(std::uint64_t address) const;
  Commands plan(bool write, const Place& place, std::int64_t arrival_ps,
                std::int64_t column_ps) const;
  std::int64_t earliest_activate(const Place& place, std::int64_t arrival_ps) const;
  std::int64_t earliest_column(bool write, int group, std::int64_t from_ps) const;
  void activate(const Place& place, std::int64_t ps);
  void refresh();

  const DramKind* kind_;
  int burst_shift_, group_shift_, column_shift_, bank_shift_;  // widths of the address fields
  std::vector<Bank> banks_;
  std::array<std::int64_t, 4> recent_activates_{};  // ring: the oldest at activates_next_
  int activates_next_ = 0;
  std::vector<std::int64_t> group_activate_ps_;  // last activate of each bank group
  std::int64_t last_activate_ps_ = kLongAgo;
  std::int64_t last_column_ps_ = kLongAgo;
  std::int64_t last_read_ps_ = kLongAgo;  // column command
  std::int64_t write_end_ps_ = kLongAgo;  // data of the last write, any group
  std::vector<std::int64_t> group_write_end_ps_;
  std::vector<std::int64_t> group_column_ps_;
  std::int64_t next_refresh_ps_ = 0;
  std::uint64_t activations_ = 0, refreshes_ = 0;
};

}  // namespace tally
