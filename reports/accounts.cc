// SPDX-License-Identifier: Apache-2.0
#include "reports/accounts.h"

#include <cmath>

#include "models/dram/dram.h"

namespace tally {
namespace {

Status check_units(const Timing& timing) {
  for (int unit = 0; unit < isa::kUnits; ++unit) {
    const UnitCycles& cycles = timing.units[static_cast<std::size_t>(unit)];
    const std::uint64_t sum = cycles.busy + cycles.stalled + cycles.idle;
    if (sum != timing.cycles)
      return fail("account of unit {}: busy + stalled + idle = {}, cycles = {}",
                  isa::kUnitNames[unit], sum, timing.cycles);
  }
  return {};
}

Status check_bounds(const Result& result, const Design& design) {
  const Timing& timing = *result.timing;
  const Work& work = *result.work;
  const auto products = static_cast<std::uint64_t>(timing.macs_per_cycle);
  const std::uint64_t compute_bound = (work.macs + products - 1) / products;
  if (timing.cycles < compute_bound)
    return fail("account of products: {} cycles for {} products, bound: {} cycles", timing.cycles,
                work.macs, compute_bound);
  const std::uint64_t dram_bound =
      dram_bound_cycles(design, timing.bus_bytes, work.dram.read_bytes + work.dram.write_bytes);
  if (timing.cycles < dram_bound)
    return fail("account of DRAM bytes: {} cycles, bound: {} cycles for {} bytes", timing.cycles,
                dram_bound, work.dram.read_bytes + work.dram.write_bytes);
  return {};
}

Status check_bytes(const Result& result) {
  const DramCounters& dram = result.work->dram;
  if (dram.requested_read_bytes > dram.read_bytes)
    return fail("account of read bytes: requested {}, DRAM {}", dram.requested_read_bytes,
                dram.read_bytes);
  if (dram.requested_write_bytes > dram.write_bytes)
    return fail("account of written bytes: requested {}, DRAM {}", dram.requested_write_bytes,
                dram.write_bytes);
  const std::uint64_t requested = dram.requested_read_bytes + dram.requested_write_bytes;
  if (requested > result.timing->bus_bytes)
    return fail("account of bus bytes: requested {}, bus {}", requested, result.timing->bus_bytes);
  return {};
}

Status check_sum(const char* what, const std::map<std::string, double>& parts, double total) {
  double sum = 0;
  for (const auto& [name, value] : parts) {
    if (!(value >= 0)) return fail("account of energy: {} '{}' is {} pJ", what, name, value);
    sum += value;
  }
  if (!(std::abs(sum - total) <= 1e-9 * total))
    return fail("account of energy: parts {} sum to {} pJ, total {} pJ", what, sum, total);
  return {};
}

}  // namespace

Status check_accounts(const Result& result, const Design& design) {
  if (result.timing && result.work) {
    TALLY_TRY(check_units(*result.timing));
    TALLY_TRY(check_bounds(result, design));
    TALLY_TRY(check_bytes(result));
  }
  if (result.energy) {
    TALLY_TRY(check_sum("by_unit", result.energy->by_unit, result.energy->total_pj));
    TALLY_TRY(check_sum("by_node", result.energy->by_node, result.energy->total_pj));
  }
  return {};
}

}  // namespace tally
