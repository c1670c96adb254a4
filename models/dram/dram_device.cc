// SPDX-License-Identifier: Apache-2.0
#include "models/dram/dram_device.h"

#include <algorithm>
#include <bit>

#include "models/base/error.h"

namespace tally {

namespace {

int shift_of(std::int64_t count) {
  TALLY_CHECK(std::has_single_bit(std::uint64_t(count)));
  return std::countr_zero(std::uint64_t(count));
}

}  // namespace

DramDevice::DramDevice(const DramKind& kind)
    : kind_(&kind),
      burst_shift_(shift_of(kind.burst_bytes)),
      group_shift_(shift_of(kind.bank_groups)),
      column_shift_(shift_of(kind.row_bytes / kind.burst_bytes)),
      bank_shift_(shift_of(kind.banks_per_group)) {
  reset();
}

void DramDevice::reset() {
  banks_.assign(std::size_t(kind_->bank_groups * kind_->banks_per_group), Bank{});
  recent_activates_.fill(kLongAgo);
  activates_next_ = 0;
  group_activate_ps_.assign(std::size_t(kind_->bank_groups), kLongAgo);
  group_write_end_ps_ = group_column_ps_ = group_activate_ps_;
  last_activate_ps_ = last_column_ps_ = last_read_ps_ = write_end_ps_ = kLongAgo;
  next_refresh_ps_ = first_refresh_ps(*kind_);
  activations_ = refreshes_ = 0;
}

std::int64_t DramDevice::first_refresh_ps(const DramKind& kind) {
  return kind.refi_ps == 0 ? 0 : (kind.rcd_ps + kind.cl_ps) * kind.refi_ps / kind.rfc_ps;
}

// Address, lowest first: byte of the device burst, bank group, column, bank of the group, row.
DramDevice::Place DramDevice::place_of(std::uint64_t address) const {
  std::uint64_t rest = address >> burst_shift_;
  const auto take = [&rest](int bits) {
    const std::uint64_t field = rest & ((std::uint64_t{1} << bits) - 1);
    rest >>= bits;
    return int(field);
  };
  const int group = take(group_shift_);
  take(column_shift_);
  const int bank = take(bank_shift_);
  return {group, group * kind_->banks_per_group + bank, std::int64_t(rest)};
}

std::int64_t DramDevice::earliest_activate(const Place& place, std::int64_t arrival_ps) const {
  const Bank& bank = banks_[std::size_t(place.bank)];
  const std::int64_t closed =
      bank.open_row < 0 ? bank.activate_ps : std::max(bank.precharge_ps, arrival_ps) + kind_->rp_ps;
  return std::max({arrival_ps, closed, last_activate_ps_ + kind_->rrd_s_ps,
                   group_activate_ps_[std::size_t(place.group)] + kind_->rrd_l_ps,
                   recent_activates_[std::size_t(activates_next_)] + kind_->faw_ps});
}

std::int64_t DramDevice::earliest_column(bool write, int group, std::int64_t from_ps) const {
  const std::int64_t spaced = std::max({from_ps, last_column_ps_ + kind_->ccd_s_ps,
                                        group_column_ps_[std::size_t(group)] + kind_->ccd_l_ps});
  if (write) return std::max(spaced, last_read_ps_ + kind_->rtw_ps());
  return std::max({spaced, write_end_ps_ + kind_->wtr_s_ps,
                   group_write_end_ps_[std::size_t(group)] + kind_->wtr_l_ps});
}

DramDevice::Commands DramDevice::plan(bool write, const Place& place, std::int64_t arrival_ps,
                                      std::int64_t column_ps) const {
  const std::int64_t from = std::max(arrival_ps, column_ps);
  if (banks_[std::size_t(place.bank)].open_row == place.row)
    return {-1, earliest_column(write, place.group, from)};
  const std::int64_t activate_ps = earliest_activate(place, arrival_ps);
  return {activate_ps,
          earliest_column(write, place.group, std::max(from, activate_ps + kind_->rcd_ps))};
}

void DramDevice::activate(const Place& place, std::int64_t ps) {
  Bank& bank = banks_[std::size_t(place.bank)];
  bank.open_row = place.row;
  bank.precharge_ps = ps + kind_->ras_ps;
  last_activate_ps_ = group_activate_ps_[std::size_t(place.group)] = ps;
  recent_activates_[std::size_t(activates_next_)] = ps;
  activates_next_ = (activates_next_ + 1) % int(recent_activates_.size());
  ++activations_;
}

// All banks are precharged together, then refreshed together.
void DramDevice::refresh() {
  std::int64_t start = next_refresh_ps_;
  for (const Bank& bank : banks_)
    start = std::max(start, bank.open_row < 0
                                ? bank.activate_ps
                                : std::max(next_refresh_ps_, bank.precharge_ps) + kind_->rp_ps);
  for (Bank& bank : banks_) bank = {-1, start + kind_->rfc_ps, 0};
  next_refresh_ps_ += kind_->refi_ps;
  ++refreshes_;
}

void DramDevice::refresh_until(std::int64_t ps) {
  if (kind_->refi_ps == 0) return;
  while (next_refresh_ps_ <= ps) refresh();
}

std::int64_t DramDevice::access(bool write, std::uint64_t address, std::int64_t arrival_ps,
                                std::int64_t column_ps) {
  const Place place = place_of(address);
  Commands commands = plan(write, place, arrival_ps, column_ps);
  while (kind_->refi_ps != 0 && commands.column_ps >= next_refresh_ps_) {
    refresh();
    commands = plan(write, place, arrival_ps, column_ps);
  }
  if (commands.activate_ps >= 0) activate(place, commands.activate_ps);
  Bank& bank = banks_[std::size_t(place.bank)];
  const std::int64_t end =
      commands.column_ps + (write ? kind_->cwl_ps : kind_->cl_ps) + kind_->burst_ps;
  bank.precharge_ps =
      std::max(bank.precharge_ps, write ? end + kind_->wr_ps : commands.column_ps + kind_->rtp_ps);
  last_column_ps_ = group_column_ps_[std::size_t(place.group)] = commands.column_ps;
  if (write) {
    write_end_ps_ = group_write_end_ps_[std::size_t(place.group)] = end;
  } else {
    last_read_ps_ = commands.column_ps;
  }
  return end;
}

}  // namespace tally
