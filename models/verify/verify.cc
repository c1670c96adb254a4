// SPDX-License-Identifier: Apache-2.0
#include "models/verify/verify.h"

#include <algorithm>
#include <filesystem>

#include "models/verify/random_program.h"
#include "models/verify/shrink.h"

namespace tally {
namespace {

bool is_dynamic(FaultCode code) { return code != FaultCode::kNone && !is_static(code); }

std::vector<bool> executed(const RunResult& result, std::size_t instructions) {
  std::vector<bool> out(instructions);
  for (const Record& record : result.records) out[record.sequence] = true;
  return out;
}

}  // namespace

Verifier::Verifier(const Design& design, std::vector<std::unique_ptr<Machine>> timed)
    : design_(design), functional_(make_functional_machine(design)), timed_(std::move(timed)) {
  for (std::size_t i = 0; i <= timed_.size(); ++i) images_.emplace_back(design.dram_capacity_bytes);
}

Status Verifier::load(const Program& program, DramImage* image) {
  image->clear();
  return program.load_into(image);
}

// After a dynamic fault the functional model runs what the first machine with time ran.
Expected<MachineRun> Verifier::run_functional(const Program& program,
                                              const std::vector<MachineRun>& timed) {
  DramImage* image = &images_.back();
  TALLY_TRY(load(program, image));
  RunOptions options;
  options.records = options.hashes = true;
  const bool faulty = !timed.empty() && is_dynamic(timed[0].result.fault.code);
  MachineRun run{.name = "functional", .timed = false, .result = {}, .image = image, .faults = {}};
  if (faulty) {
    TALLY_ASSIGN(run.result,
                 functional_->run_executed(program.place(), options,
                                           executed(timed[0].result, program.code.size()), image));
  } else {
    TALLY_ASSIGN(run.result, functional_->run(program.place(), options, image));
  }
  run.faults = functional_->faults();
  return run;
}

Expected<Comparison> Verifier::verify(const Program& program) {
  std::vector<MachineRun> runs;
  Comparison failed;
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    TALLY_TRY(load(program, &images_[i]));
    RunOptions options;
    options.records = options.hashes = true;
    options.stall_seed = program.stall_seed;
    if (!runs.empty()) options.cycle_limit = 100'000 + kPatience * runs[0].result.cycles;
    auto result = timed_[i]->run(program.place(), options, &images_[i]);
    if (!result) {
      failed.difference = Difference{result.error().message, std::nullopt, 0};
      continue;
    }
    runs.push_back({.name = std::string(timed_[i]->name()),
                    .timed = true,
                    .result = std::move(*result),
                    .image = &images_[i],
                    .faults = {}});
  }
  TALLY_ASSIGN(MachineRun functional, run_functional(program, runs));
  if (functional.result.fault.code == FaultCode::kNone && !functional.faults.empty())
    functional.result.fault = functional.faults.front();
  result_ = runs.empty() ? functional.result : runs[0].result;
  // Machines with time first, each with the first; then each with the functional model.
  Comparison out;
  if (runs.size() > 1) out = compare_runs(program, runs);
  std::vector<MachineRun> with_functional = {std::move(functional)};
  for (MachineRun& run : runs) with_functional.push_back(std::move(run));
  Comparison values = compare_runs(program, with_functional);
  out.compared += values.compared;
  if (!out.difference) out.difference = std::move(values.difference);
  if (failed.difference) out.difference = std::move(failed.difference);
  return out;
}

Status Verifier::write_waveform(const Program& program, std::uint64_t cycle, std::uint64_t around,
                                const std::string& path) {
  for (std::size_t i = 0; i < timed_.size(); ++i) {
    if (timed_[i]->name() != "rtl") continue;
    TALLY_TRY(load(program, &images_[i]));
    RunOptions options;
    options.stall_seed = program.stall_seed;
    options.waveform = path;
    options.waveform_from = cycle < around ? 0 : cycle - around;
    options.waveform_to = cycle + around;
    options.cycle_limit = cycle + 2 * around + 100'000;
    const auto result = timed_[i]->run(program.place(), options, &images_[i]);
    // A run that hangs has written what was asked for.
    if (!result && !std::filesystem::exists(path)) return tl::unexpected(result.error());
    return {};
  }
  return fail("a waveform needs the rtl backend");
}

namespace {

class RandomRun {
 public:
  RandomRun(const std::vector<Verifier*>& verifiers, const RandomOptions& options)
      : verifiers_(verifiers), options_(options) {}

  Expected<RandomReport> run() {
    if (verifiers_.empty()) return fail("no design to verify");
    for (std::uint64_t i = 0; i < options_.programs && !report_.difference; ++i) {
      TALLY_TRY(run_one(i));
      if (options_.progress) options_.progress(i + 1, options_.programs);
    }
    if (!lengths_.empty()) {
      std::nth_element(lengths_.begin(), lengths_.begin() + std::ptrdiff_t(lengths_.size() / 2),
                       lengths_.end());
      report_.median_instructions = lengths_[lengths_.size() / 2];
    }
    if (report_.programs >= RandomReport::kEnough) report_.rare = report_.stimuli.rare();
    return std::move(report_);
  }

 private:
  Status run_one(std::uint64_t index) {
    Verifier& verifier = *verifiers_[index % verifiers_.size()];
    const Program program = random_program(verifier.design(), sub_seed(options_.seed, index));
    TALLY_ASSIGN(Comparison comparison, verifier.verify(program));
    ++report_.programs;
    lengths_.push_back(program.code.size());
    report_.compared += comparison.compared;
    std::set<std::string> seen = program_stimuli(program, verifier.design());
    seen.merge(observed_stimuli(program, verifier.design(), verifier.result()));
    report_.stimuli.add(verifier.design(), seen);
    if (comparison.difference) TALLY_TRY(keep(program, *comparison.difference, index, &verifier));
    return {};
  }

  Status keep(const Program& program, const Difference& difference, std::uint64_t index,
              Verifier* verifier) {
    report_.difference = difference;
    report_.failing_index = index;
    report_.failing_program = fmt::format("program {} of seed {} ({}) on design '{}'", index,
                                          options_.seed, program.recipe, program.design);
    if (!options_.shrink) return {};
    const auto fails = [&](const Program& candidate) {
      const auto comparison = verifier->verify(candidate);
      return comparison && comparison->difference;
    };
    const Program small = shrink(program, verifier->design(), fails);
    const auto again = verifier->verify(small);
    if (again && again->difference) report_.difference = again->difference;
    report_.failing_program += fmt::format(", shrunk to {} instructions", small.code.size());
    if (options_.save_directory.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(options_.save_directory, error);
    const std::string path =
        (std::filesystem::path(options_.save_directory) / (small.sha256().substr(0, 16) + ".tally"))
            .string();
    TALLY_TRY(save_program(small, path));
    report_.failing_program += fmt::format(", saved as {}", path);
    return {};
  }

  const std::vector<Verifier*>& verifiers_;
  const RandomOptions& options_;
  RandomReport report_;
  std::vector<std::uint64_t> lengths_;
};

}  // namespace

Expected<RandomReport> verify_random(const std::vector<Verifier*>& verifiers,
                                     const RandomOptions& options) {
  return RandomRun(verifiers, options).run();
}

std::string report_text(const RandomReport& report) {
  std::string out = fmt::format(
      "{} programs, median {} instructions; instructions compared {} of {}, counts {}, DRAM bytes "
      "{}\n",
      report.programs, report.median_instructions, report.compared.instructions,
      report.compared.instructions_total, report.compared.counts, report.compared.image_bytes);
  for (const auto& [name, count] : report.stimuli.counts())
    if (count.possible > 0)
      out += fmt::format("{:>8} of {:>8}  {}\n", count.programs, count.possible, name);
  for (const std::string& rare : report.rare) out += "too rare: " + rare + "\n";
  if (report.difference)
    out +=
        fmt::format("difference in {}\n{}\n", report.failing_program, report.difference->message);
  return out;
}

}  // namespace tally
