// SPDX-License-Identifier: Apache-2.0
#include "reports/energy/energy.h"

#include <functional>

#include "models/dram/dram_kinds.h"

namespace tally {
namespace {

constexpr double kPicojoulesPerMilliwattSecond = 1e9;
constexpr int kArrayRegisterBits = 9 + 32;  // activation and partial sum that a cell passes on
constexpr int kWordBits = 32;

// Events of one kind: who causes them, how many of a count there are, what one takes.
struct Term {
  std::string unit;
  std::function<double(const Events&)> count;
  double pj;
};

double step_pj(const isa::StepSpec& step, const Coefficients& c) {
  switch (isa::StepOp(step.code)) {
    case isa::StepOp::kAdd:
    case isa::StepOp::kSub:
    case isa::StepOp::kPsumAdd:
    case isa::StepOp::kFoldAdd:
    // Conversion and scaling shift and round as an addition does.
    case isa::StepOp::kScale2:
    case isa::StepOp::kI32ToF32:
    case isa::StepOp::kF32ToI32:
    case isa::StepOp::kF32ToI8:
    case isa::StepOp::kF32ToU8:
      return c.pj("add_fp32");
    case isa::StepOp::kMul:
      return c.pj("multiply_fp32");
    case isa::StepOp::kDiv:
    case isa::StepOp::kSqrt:
      return c.pj("iterate_fp32");
    // What a 32-bit subtraction decides or a 32-bit operator does.
    case isa::StepOp::kMin:
    case isa::StepOp::kMax:
    case isa::StepOp::kAbs:
    case isa::StepOp::kNeg:
    case isa::StepOp::kLt:
    case isa::StepOp::kLe:
    case isa::StepOp::kEq:
    case isa::StepOp::kSelect:
    case isa::StepOp::kAddI32:
    case isa::StepOp::kPsumMax:
    case isa::StepOp::kFoldMax:
      return c.pj("add_int32");
    case isa::StepOp::kLoad:
    case isa::StepOp::kStore:
    case isa::StepOp::kMove:
      return 0;  // registers and memory alone
  }
  return 0;
}

// Lane registers that a step reads and writes; sums read and write a partial.
int register_words(const isa::StepSpec& step) {
  const bool partial = step.name.substr(0, 4) == "psum" || step.name.substr(0, 4) == "fold";
  return int(step.dst) + int(step.a) + int(step.b) + (partial ? 2 : 0);
}

std::vector<Term> logic_terms(const Coefficients& c) {
  const double bit = c.pj("register_bit");
  std::vector<Term> terms{{"array", [](const Events& e) { return double(e.multiplications); },
                           c.pj("multiply_int8") + c.pj("add_int32") + kArrayRegisterBits * bit}};
  for (const isa::StepSpec& step : isa::kSteps)
    terms.push_back(
        {"vector",
         [code = step.code](const Events& e) { return double(e.vector_operations[code]); },
         step_pj(step, c) + register_words(step) * kWordBits * bit});
  return terms;
}

struct Bank {
  const char* unit;
  const Memory* memory;
  int width_bits;
  std::uint64_t Events::*reads;
  std::uint64_t Events::*writes;
};

std::vector<Bank> banks(const Design& design) {
  const int scratchpad = 8 * design.scratchpad_width();
  return {{"activations", &design.activations, scratchpad, &Events::activation_reads,
           &Events::activation_writes},
          {"weights", &design.weights, scratchpad, &Events::weight_reads, &Events::weight_writes},
          {"accumulators", &design.accumulators, kWordBits * design.columns,
           &Events::accumulator_reads, &Events::accumulator_writes}};
}

double beats(const Events& events, std::size_t port) { return double(events.beats[port]); }

class Accountant {
 public:
  Accountant(const EnergyInput& input, EnergyReport* report) : input_(input), report_(*report) {}

  void add(const Term& term) {
    double rest = term.count(input_.events) * term.pj;
    add_unit(term.unit, rest);
    for (std::size_t node = 0; node < input_.node_events.size(); ++node) {
      const double share = term.count(input_.node_events[node]) * term.pj;
      if (share > 0) add_node(input_.node_names[node], share);
      rest -= share;
    }
  }

  void add_shared(const std::string& unit, const std::string& line, double pj) {
    add_unit(unit, pj);
    add_node(line, pj);
  }

  // DRAM energy by the beats of the ports that move it.
  void add_by_beats(double pj, std::initializer_list<std::size_t> ports) {
    add_unit("dram", pj);
    double all = 0;
    for (std::size_t port : ports) all += beats(input_.events, port);
    if (all == 0) return;
    for (std::size_t port : ports) {
      if (port == 0) {
        add_node("(instruction fetch)", pj * beats(input_.events, port) / all);
        continue;
      }
      for (std::size_t node = 0; node < input_.node_events.size(); ++node)
        if (const double own = beats(input_.node_events[node], port); own > 0)
          add_node(input_.node_names[node], pj * own / all);
    }
  }

 private:
  void add_unit(const std::string& unit, double pj) {
    report_.total_pj += pj;
    report_.by_unit[unit] += pj;
  }
  void add_node(const std::string& node, double pj) {
    if (!input_.node_events.empty()) report_.by_node[node] += pj;
  }

  const EnergyInput& input_;
  EnergyReport& report_;
};

}  // namespace

Expected<EnergyReport> compute_energy(const EnergyInput& input, const Design& design,
                                      const Coefficients& c) {
  EnergyReport report;
  Accountant accountant(input, &report);
  for (const Term& term : logic_terms(c)) accountant.add(term);
  for (const Bank& bank : banks(design)) {
    TALLY_ASSIGN(const SramEnergy sram, c.sram(bank.memory->bank_bytes, bank.width_bits));
    accountant.add(
        {bank.unit, [&](const Events& e) { return double(e.*bank.reads); }, sram.read_pj});
    accountant.add(
        {bank.unit, [&](const Events& e) { return double(e.*bank.writes); }, sram.write_pj});
    accountant.add_shared(
        std::string(bank.unit) + " leakage", "(standby)",
        sram.leakage_mw * bank.memory->banks * input.seconds * kPicojoulesPerMilliwattSecond);
    report.sources.push_back(
        fmt::format("{} banks: {:.4g} pJ a read, {:.4g} pJ a write, {:.4g} mW; {}; {}", bank.unit,
                    sram.read_pj, sram.write_pj, sram.leakage_mw, sram.rows, c.sram_source()));
  }
  const DramKind* kind = find_dram_kind(design.dram_kind);
  TALLY_CHECK(kind != nullptr);
  const double channels =
      double(kind->burst_bytes) / 64;  // coefficients are those of one 64-bit rank
  accountant.add_by_beats(double(input.dram.read_bursts) * channels * c.pj("dram_read_burst"),
                          {0, 1});
  accountant.add_by_beats(double(input.dram.write_bursts) * channels * c.pj("dram_write_burst"),
                          {2});
  accountant.add_shared("dram", "(DRAM rows and refresh)",
                        channels * (double(input.dram.activations) * c.pj("dram_activate") +
                                    double(input.dram.refreshes) * c.pj("dram_refresh")));
  accountant.add_shared("dram standby", "(standby)",
                        channels * input.seconds * 1e9 * c.pj("dram_background"));
  for (const auto& [id, coefficient] : c.all())
    report.sources.push_back(fmt::format("{}: {} pJ per {}, {}, {}; {}", id, coefficient.pj,
                                         coefficient.per, coefficient.node, coefficient.conditions,
                                         coefficient.source));
  return report;
}

}  // namespace tally
