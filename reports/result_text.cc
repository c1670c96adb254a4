// SPDX-License-Identifier: Apache-2.0
#include "reports/result_text.h"

#include <cmath>

namespace tally {
namespace {

std::string line(const char* what, const std::string& value) {
  return fmt::format("  {:<12} {}\n", what, value);
}

std::string heading(const Result& result) {
  std::string text = fmt::format("{} by {}", result.model, result.backend);
  if (!result.design.empty())
    text += fmt::format(" on {}, recipe {}", result.design, result.recipe);
  const std::string data =
      result.set.empty() ? fmt::format("random inputs, seed {}", result.seed) : result.set;
  return text + fmt::format(" ({} inference{}, {})\n", result.inferences,
                            result.inferences == 1 ? "" : "s", data);
}

std::string accuracy_line(const Accuracy& accuracy) {
  std::string text = fmt::format("{} over {} samples",
                                 accuracy_text(accuracy.metric, accuracy.value), accuracy.samples);
  if (accuracy.reference)
    text += fmt::format(" (fp32: {})", accuracy_text(accuracy.metric, *accuracy.reference));
  return line(accuracy.metric.c_str(), text);
}

std::string time_lines(const Result& result) {
  const Timing& timing = *result.timing;
  std::string cycles = fmt::format("{}", timing.cycles);
  if (result.inferences > 1)
    cycles += fmt::format(" ({} an inference)",
                          timing.cycles / static_cast<std::uint64_t>(result.inferences));
  std::string text = line("cycles", cycles);
  text +=
      line("time", fmt::format("{}s at {} MHz", scaled_text(timing.seconds()), timing.clock_mhz));
  if (const auto utilization = result.utilization())
    text += line("utilization", fmt::format("{:.1f} %", 100 * *utilization));
  return text;
}

std::string work_lines(const Result& result) {
  std::string text = line("products", scaled_text(static_cast<double>(result.work->macs)));
  text += line("instructions", fmt::format("{}", result.work->instructions));
  if (!result.timing) return text;
  const DramCounters& dram = result.work->dram;
  return text + line("DRAM", fmt::format("{}B read, {}B written",
                                         scaled_text(static_cast<double>(dram.read_bytes)),
                                         scaled_text(static_cast<double>(dram.write_bytes))));
}

}  // namespace

std::string accuracy_text(const std::string& metric, double value) {
  return metric == "top1" ? fmt::format("{:.2f} %", 100 * value) : fmt::format("{:.4f}", value);
}

std::string scaled_text(double value) {
  constexpr const char* kPrefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P"};
  constexpr int kNone = 4;
  int power = 0;
  if (value != 0) power = static_cast<int>(std::floor(std::log10(std::abs(value)) / 3));
  power = std::max(-kNone, std::min(power, 5));
  const double scaled = value / std::pow(1000.0, power);
  return fmt::format("{:.3g} {}", scaled, kPrefixes[power + kNone]);
}

std::string result_text(const Result& result) {
  std::string text = heading(result);
  if (result.accuracy) text += accuracy_line(*result.accuracy);
  if (result.timing) text += time_lines(result);
  if (result.work) text += work_lines(result);
  if (result.energy)
    text += line("energy", fmt::format("{}J", scaled_text(result.energy->total_pj * 1e-12)));
  if (!result.program.empty()) text += line("program", result.program.substr(0, 16));
  text += line("output", result.output_sha256.substr(0, 16));
  for (const std::string& note : result.notes) text += line("note", note);
  return text;
}

}  // namespace tally
