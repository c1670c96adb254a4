// SPDX-License-Identifier: Apache-2.0
#include "models/measure/totals.h"

#include <numeric>

namespace tally::measure {
namespace {

void add_dram(const DramCounters& from, DramCounters* to) {
  to->requested_read_bytes += from.requested_read_bytes;
  to->requested_write_bytes += from.requested_write_bytes;
  to->read_bytes += from.read_bytes;
  to->write_bytes += from.write_bytes;
  to->read_bursts += from.read_bursts;
  to->write_bursts += from.write_bursts;
  to->activations += from.activations;
  to->refreshes += from.refreshes;
}

}  // namespace

void Totals::add(const RunResult& run, const Program& program) {
  timing_.cycles += run.cycles;
  for (std::size_t unit = 0; unit < timing_.units.size(); ++unit) {
    timing_.units[unit].busy += run.units[unit].busy;
    timing_.units[unit].stalled += run.units[unit].stalled;
    timing_.units[unit].idle += run.units[unit].idle;
  }
  events_ += run.events;
  add_dram(run.dram, &work_.dram);
  work_.macs += program.macs();
  work_.instructions += program.code.size();
  recipe_ = program.recipe;
}

void Totals::write(const Design& design, Result* result) const {
  result->design = design.name;
  result->recipe = recipe_;
  result->work = work_;
  if (timing_.cycles == 0) return;
  Timing timing = timing_;
  timing.clock_mhz = design.clock_mhz;
  timing.macs_per_cycle = design.macs_per_cycle();
  timing.bus_bytes = std::accumulate(events_.beats.begin(), events_.beats.end(), std::uint64_t{0}) *
                     static_cast<std::uint64_t>(design.port_bytes);
  result->timing = timing;
}

void OutputHash::add(const ops::Tensors& outputs) {
  Sha256 one;
  for (const auto& [name, tensor] : outputs) {
    all_.update(tensor.data(), tensor.bytes().size());
    one.update(tensor.data(), tensor.bytes().size());
  }
  if (first_.empty()) first_ = one.hex();
}

void OutputHash::write(Result* result) {
  result->output_sha256 = all_.hex();
  result->first_output_sha256 = first_;
}

}  // namespace tally::measure
