// SPDX-License-Identifier: Apache-2.0
#include "models/measure/account_energy.h"

#include <fmt/ranges.h>

#include "models/functional/functional.h"
#include "models/run/inference.h"
#include "reports/energy/energy.h"

namespace tally::measure {
namespace {

// Events of each node of a program in one run.
Expected<std::vector<Events>> node_events(const Program& program, const Design& design,
                                          const ops::Tensors& inputs) {
  TALLY_ASSIGN(Inference inference, Inference::create(program, design));
  const auto machine = make_functional_machine(design);
  RunOptions options;
  options.account_of_instruction = program.node_of_instruction;
  options.accounts = static_cast<std::uint32_t>(program.nodes.size());
  TALLY_ASSIGN(Inference::Result result, inference.run(inputs, options, machine.get()));
  return std::move(result.run.account_events);
}

Events times(const Events& events, std::int64_t count) {
  Events sum;
  for (std::int64_t i = 0; i < count; ++i) sum += events;
  return sum;
}

Energy result_energy(const EnergyReport& report, const Coefficients& coefficients) {
  Energy energy;
  energy.total_pj = report.total_pj;
  energy.by_unit = report.by_unit;
  energy.by_node = report.by_node;
  energy.coefficients = coefficients.name();
  energy.source = fmt::format("{}", fmt::join(report.sources, "\n"));
  return energy;
}

}  // namespace

Expected<Energy> account_energy(const ProgramUses& uses, const Totals& totals, const Design& design,
                                const Coefficients& coefficients) {
  EnergyInput input;
  input.events = totals.events();
  input.dram = totals.dram();
  input.seconds = totals.seconds(design);
  for (const auto& [program, use] : uses) {
    TALLY_ASSIGN(const auto events, node_events(*program, design, use.inputs));
    for (std::size_t node = 0; node < events.size(); ++node) {
      input.node_names.push_back(program->nodes[node].name);
      input.node_events.push_back(times(events[node], use.runs));
    }
  }
  TALLY_ASSIGN(const EnergyReport report, compute_energy(input, design, coefficients));
  return result_energy(report, coefficients);
}

}  // namespace tally::measure
