// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>

#include "compiler/program/check.h"
#include "compiler/program/code.h"
#include "compiler/program/execution_order.h"
#include "compiler/program/footprint.h"
#include "compiler/program/happens_before.h"
#include "compiler/program/vector_rules.h"
#include "compiler/program/vector_state.h"

namespace tally {
namespace {

constexpr int kSpaces = 3;

class ScheduleChecker {
 public:
  ScheduleChecker(std::span<const isa::Bytes32> code, const Design& design)
      : design_(design),
        instructions_(decode_code(code)),
        order_(execution_order(instructions_, design)),
        before_(instructions_, order_),
        footprints_(instructions_.size()) {}

  std::vector<Finding> check() {
    check_progress();
    check_footprints();
    check_banks();
    check_dram();
    check_counts();
    check_accumulation();
    return sorted();
  }

  // Regions at their addresses: DRAM is one memory.
  std::vector<Finding> check_races(const std::array<std::uint64_t, isa::kBaseRegisters>& bases) {
    check_footprints();
    findings_.clear();
    for (auto& accesses : footprints_)
      for (Access& access : accesses)
        if (access.memory.dram) {
          access.start += std::int64_t(bases[std::size_t(access.memory.index)]);
          access.memory.index = 0;
        }
    check_banks();
    check_dram();
    return sorted();
  }

 private:
  std::vector<Finding> sorted() {
    std::stable_sort(findings_.begin(), findings_.end(),
                     [](const Finding& a, const Finding& b) { return a.sequence < b.sequence; });
    return std::move(findings_);
  }

  template <class... Args>
  void found(Violation violation, std::uint32_t sequence, fmt::format_string<Args...> format,
             Args&&... args) {
    findings_.push_back({violation, sequence,
                         fmt::format("instruction {} ({}): {}", sequence, describe(sequence),
                                     fmt::format(format, std::forward<Args>(args)...))});
  }

  std::string describe(std::uint32_t sequence) const {
    return fmt::format("{}, {} unit", isa::spec_of(isa::opcode_of(instructions_[sequence])).name,
                       isa::kUnitNames[int(isa::unit_of(instructions_[sequence]))]);
  }

  void check_progress() {
    std::array<std::uint64_t, isa::kSemaphores> waits{}, posts{};
    for (const isa::Instruction& instruction : instructions_) {
      for (std::int8_t semaphore : instruction.sync.waits)
        if (semaphore >= 0) ++waits[semaphore];
      for (std::int8_t semaphore : instruction.sync.posts)
        if (semaphore >= 0) ++posts[semaphore];
    }
    for (const Waiting& waiting : order_.waiting)
      if (posts[waiting.semaphore] < waits[waiting.semaphore])
        found(Violation::kSemaphoreNeverPosted, waiting.sequence,
              "waits for semaphore {}, which has {} posts for {} waits", waiting.semaphore,
              posts[waiting.semaphore], waits[waiting.semaphore]);
      else
        found(Violation::kDeadlock, waiting.sequence,
              "waits for semaphore {}, whose posts come only after it", waiting.semaphore);
  }

  // Per instruction, in program order: the vector unit's state, and what the instruction reaches.
  void check_footprints() {
    VectorState state;
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
      const auto* run = std::get_if<isa::Run>(&instructions_[i].body);
      if (run != nullptr)
        check_vector_run(i, *run, state);
      else
        check_bounds(i, footprint(instructions_[i], nullptr, design_));
      state.apply(instructions_[i]);
    }
  }

  void check_vector_run(std::uint32_t sequence, const isa::Run& run, const VectorState& state) {
    const auto prepared = prepare_run(run, state);
    if (!prepared) {
      found(Violation::kRoutine, sequence, "{}", prepared.error().message);
      return;
    }
    const auto breaks = check_run(*prepared, design_);
    for (const RuleBreak& rule : breaks) found(rule.violation, sequence, "{}", rule.message);
    const auto outside = [](const RuleBreak& rule) {
      return rule.violation == Violation::kFootprint || rule.violation == Violation::kStream;
    };
    if (std::none_of(breaks.begin(), breaks.end(), outside))
      footprints_[sequence] = footprint(instructions_[sequence], &*prepared, design_);
  }

  void check_bounds(std::uint32_t sequence, std::vector<Access> accesses) {
    for (const Access& access : accesses) {
      if (access.memory.dram) continue;
      const auto space = isa::Space(access.memory.index);
      const ByteRange bounds = access.bounds();
      if (bounds.begin >= 0 && bounds.end <= memory_bytes(design_, space)) continue;
      found(Violation::kFootprint, sequence, "reaches {} bytes {} to {} of {}",
            isa::kSpaceNames[int(space)], bounds.begin, bounds.end - 1,
            memory_bytes(design_, space));
      return;
    }
    footprints_[sequence] = std::move(accesses);
  }

  // A bank belongs to one unit from the start of its first instruction there to the end of its
  // last: two instructions of different units on a bank must be ordered.
  void check_banks() {
    std::map<std::pair<int, std::int64_t>, std::array<std::vector<std::uint32_t>, isa::kUnits>>
        users;
    for (std::uint32_t sequence : order_.sequences) {
      for (const auto& bank : banks(sequence)) {
        auto& by_unit = users[bank];
        for (int unit = 1; unit < isa::kUnits; ++unit)
          if (unit != int(isa::unit_of(instructions_[sequence])))
            check_bank(sequence, bank.first, bank.second, by_unit[unit]);
        by_unit[int(isa::unit_of(instructions_[sequence]))].push_back(sequence);
      }
    }
  }

  void check_bank(std::uint32_t sequence, int space, std::int64_t bank,
                  const std::vector<std::uint32_t>& others) {
    std::optional<std::uint32_t> unordered;
    for (auto other = others.rbegin(); other != others.rend(); ++other) {
      if (before_.before(*other, sequence)) break;
      if (!conflict(sequence, *other)) {
        unordered = *other;
        continue;
      }
      found(Violation::kDependence, sequence,
            "{} bytes are used by instruction {} ({}) too, and no semaphore orders the two",
            isa::kSpaceNames[space], *other, describe(*other));
      return;
    }
    if (unordered)
      found(Violation::kBankOwnership, sequence,
            "{} bank {} is used by instruction {} ({}) too, and no semaphore orders the two",
            isa::kSpaceNames[space], bank, *unordered, describe(*unordered));
  }

  std::vector<std::pair<int, std::int64_t>> banks(std::uint32_t sequence) const {
    std::array<std::vector<bool>, kSpaces> used;
    for (const Access& access : footprints_[sequence]) {
      if (access.memory.dram) continue;
      const std::int64_t size = bank_bytes(design_, isa::Space(access.memory.index));
      auto& flags = used[access.memory.index];
      flags.resize(std::size_t(memory_bytes(design_, isa::Space(access.memory.index)) / size));
      for (const ByteRange& range : access.ranges())
        for (std::int64_t bank = range.begin / size; bank <= (range.end - 1) / size; ++bank)
          flags[std::size_t(bank)] = true;
    }
    std::vector<std::pair<int, std::int64_t>> out;
    for (int space = 0; space < kSpaces; ++space)
      for (std::size_t bank = 0; bank < used[space].size(); ++bank)
        if (used[space][bank]) out.emplace_back(space, std::int64_t(bank));
    return out;
  }

  // The two have a byte in common that one of them writes.
  bool conflict(std::uint32_t a, std::uint32_t b) const {
    for (const Access& x : footprints_[a])
      for (const Access& y : footprints_[b])
        if ((x.write || y.write) && overlap(x, y)) return true;
    return false;
  }

  void check_dram() {
    const auto& stores = before_.of_unit(isa::Unit::kStore);
    for (std::uint32_t load : before_.of_unit(isa::Unit::kLoad)) {
      // Stores before `first` have ended when the load starts.
      const std::uint32_t first = before_.ended(load, isa::Unit::kStore);
      for (std::size_t i = first; i < stores.size() && !before_.before(load, stores[i]); ++i)
        if (conflict(load, stores[i])) {
          found(Violation::kDramDependence, std::max(load, stores[i]),
                "DRAM bytes are used by instruction {} ({}) too, and no semaphore orders the two",
                std::min(load, stores[i]), describe(std::min(load, stores[i])));
          break;
        }
    }
  }

  // The highest count that a post can make: all posts that do not come after it, less the waits
  // that have certainly taken theirs.
  void check_counts() {
    for (int semaphore = 0; semaphore < isa::kSemaphores; ++semaphore) {
      std::vector<std::uint32_t> posters, takers;
      for (std::uint32_t sequence : order_.sequences) {
        const isa::Sync& sync = instructions_[sequence].sync;
        if (std::count(sync.posts.begin(), sync.posts.end(), semaphore))
          posters.push_back(sequence);
        if (std::count(sync.waits.begin(), sync.waits.end(), semaphore)) takers.push_back(sequence);
      }
      if (posters.size() > std::size_t(isa::kSemaphoreMax)) check_count(semaphore, posters, takers);
    }
  }

  void check_count(int semaphore, const std::vector<std::uint32_t>& posters,
                   const std::vector<std::uint32_t>& takers) {
    for (std::uint32_t poster : posters) {
      const auto posted = std::count_if(posters.begin(), posters.end(), [&](std::uint32_t other) {
        return !before_.before(poster, other);
      });
      const auto taken = std::count_if(takers.begin(), takers.end(), [&](std::uint32_t taker) {
        return taker == poster || before_.before(taker, poster);
      });
      if (posted - taken <= isa::kSemaphoreMax) continue;
      found(Violation::kSemaphoreOverflow, poster, "semaphore {} may count to {}, above {}",
            semaphore, posted - taken, isa::kSemaphoreMax);
      return;
    }
  }

  // A product that adds to accumulators which nothing wrote is a lost first tile.
  void check_accumulation() {
    std::vector<bool> written(std::size_t(design_.accumulators.bytes()));
    for (std::uint32_t sequence : order_.sequences) {
      const auto* body = std::get_if<isa::Matmul>(&instructions_[sequence].body);
      if (body == nullptr || footprints_[sequence].empty()) continue;
      bool complete = true;
      for (const Access& access : matmul_outputs(*body, design_))
        for (const ByteRange& range : access.ranges())
          for (std::int64_t i = range.begin; i < range.end; ++i) {
            complete = complete && written[std::size_t(i)];
            written[std::size_t(i)] = true;
          }
      if (body->mode == isa::AccumulateMode::kAdd && !complete)
        found(Violation::kAccumulateUnwritten, sequence,
              "adds to accumulators that no instruction before it wrote");
    }
  }

  const Design& design_;
  std::vector<isa::Instruction> instructions_;
  ExecutionOrder order_;
  HappensBefore before_;
  std::vector<std::vector<Access>> footprints_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string_view violation_name(Violation violation) {
  constexpr std::string_view kNames[] = {"static-fault",
                                         "footprint",
                                         "stream",
                                         "routine",
                                         "register",
                                         "store-overlap",
                                         "batch-hazard",
                                         "bank-ownership",
                                         "dependence",
                                         "dram-dependence",
                                         "semaphore-never-posted",
                                         "semaphore-overflow",
                                         "deadlock",
                                         "accumulate-unwritten"};
  return kNames[int(violation)];
}

std::vector<Finding> check_schedule(std::span<const isa::Bytes32> code,
                                    std::uint64_t program_design_hash, const Design& design) {
  const Fault fault = find_static_fault(code, program_design_hash, design);
  if (fault.code != FaultCode::kNone)
    return {
        {Violation::kStaticFault, fault.sequence,
         fmt::format("instruction {}: static fault '{}'", fault.sequence, fault_name(fault.code))}};
  return ScheduleChecker(code, design).check();
}

std::vector<Finding> find_races(std::span<const isa::Bytes32> code,
                                const std::array<std::uint64_t, isa::kBaseRegisters>& bases,
                                const Design& design) {
  return ScheduleChecker(code, design).check_races(bases);
}

}  // namespace tally
