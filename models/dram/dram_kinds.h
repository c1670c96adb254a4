// SPDX-License-Identifier: Apache-2.0
// The kinds of DRAM that a design can name, one row each: geometry and timings in integer
// picoseconds (clock counts of the data sheet times the clock period, rounded up).
//
// Header only, so that the design reader can refuse an unknown name without linking the model.
#pragma once

#include <cstdint>
#include <string_view>

namespace tally {

// Times are those of JESD79-4's parameters of the same name (tRCD is rcd_ps, ...).
struct DramKind {
  std::string_view name;
  std::string_view source;
  std::int64_t burst_bytes;  // moved by one device burst of the whole channel
  std::int64_t row_bytes;    // of one bank over the whole channel; at least burst_bytes
  int bank_groups, banks_per_group;
  std::int64_t burst_ps = 0;       // data of one device burst on the bus (BL/2 clocks)
  std::int64_t cl_ps = 0;          // read command to first data
  std::int64_t cwl_ps = 0;         // write command to first data
  std::int64_t rcd_ps = 0;         // activate to column command
  std::int64_t rp_ps = 0;          // precharge to activate
  std::int64_t ras_ps = 0;         // activate to precharge
  std::int64_t rtp_ps = 0;         // read command to precharge
  std::int64_t wr_ps = 0;          // end of write data to precharge
  std::int64_t ccd_s_ps = 0;       // column to column command, other bank group
  std::int64_t ccd_l_ps = 0;       // the same bank group
  std::int64_t rrd_s_ps = 0;       // activate to activate, other bank group
  std::int64_t rrd_l_ps = 0;       // the same bank group
  std::int64_t faw_ps = 0;         // first to fifth activate
  std::int64_t wtr_s_ps = 0;       // end of write data to read command, other bank group
  std::int64_t wtr_l_ps = 0;       // the same bank group
  std::int64_t turnaround_ps = 0;  // idle bus between read data and write data
  std::int64_t refi_ps = 0;        // a refresh is due every refi; 0: none
  std::int64_t rfc_ps = 0;         // refresh to activate

  // Least command distance from a read to a write.
  constexpr std::int64_t rtw_ps() const { return cl_ps - cwl_ps + burst_ps + turnaround_ps; }
};

namespace dram_detail {
inline constexpr std::string_view kDdr4Source =
    "JEDEC JESD79-4B, speed bin DDR4-2400T; Micron MT40A1G8 (8 Gb x8, -083): eight devices";

// `width` channels of eight x8 devices in lockstep.
constexpr DramKind ddr4_2400(std::string_view name, int width) {
  return {.name = name,
          .source = kDdr4Source,
          .burst_bytes = 64 * width,
          .row_bytes = 8192 * width,
          .bank_groups = 4,
          .banks_per_group = 4,
          .burst_ps = 3334,
          .cl_ps = 14167,
          .cwl_ps = 10000,
          .rcd_ps = 14160,
          .rp_ps = 14160,
          .ras_ps = 32000,
          .rtp_ps = 7500,
          .wr_ps = 15000,
          .ccd_s_ps = 3334,
          .ccd_l_ps = 5000,
          .rrd_s_ps = 3334,
          .rrd_l_ps = 4900,
          .faw_ps = 21000,
          .wtr_s_ps = 2500,
          .wtr_l_ps = 7500,
          .turnaround_ps = 1667,
          .refi_ps = 7800000,
          .rfc_ps = 350000};
}
}  // namespace dram_detail

inline constexpr DramKind kDramKinds[] = {
    dram_detail::ddr4_2400("DDR4-2400", 1),
    dram_detail::ddr4_2400("DDR4-2400x2", 2),
    dram_detail::ddr4_2400("DDR4-2400x4", 4),
    // No time of its own: the port is the only limit. For asking what a memory costs a design.
    {.name = "ideal",
     .source = "definition",
     .burst_bytes = 64,
     .row_bytes = 8192,
     .bank_groups = 4,
     .banks_per_group = 4},
};

// The row of that name; null if there is none.
constexpr const DramKind* find_dram_kind(std::string_view name) {
  for (const DramKind& kind : kDramKinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace tally
