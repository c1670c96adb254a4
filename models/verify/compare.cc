// SPDX-License-Identifier: Apache-2.0
#include "models/verify/compare.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "compiler/isa/asm.h"

namespace tally {
namespace {

constexpr std::string_view kOutcomes[] = {"finished", "fault", "deadlock"};

// One named number of a result, for both the comparison and the message.
struct Count {
  std::string name;
  std::uint64_t value;
};

void add_states(const RunResult& result, std::vector<Count>* out) {
  for (int unit = 0; unit < isa::kUnits; ++unit) {
    const UnitCycles& cycles = result.units[std::size_t(unit)];
    const std::string name(isa::kUnitNames[unit]);
    out->push_back({name + " busy cycles", cycles.busy});
    out->push_back({name + " stalled cycles", cycles.stalled});
    out->push_back({name + " idle cycles", cycles.idle});
  }
}

void add_dram(const DramCounters& dram, std::vector<Count>* out) {
  out->push_back({"requested read bytes", dram.requested_read_bytes});
  out->push_back({"requested write bytes", dram.requested_write_bytes});
  out->push_back({"DRAM read bytes", dram.read_bytes});
  out->push_back({"DRAM write bytes", dram.write_bytes});
  out->push_back({"DRAM read bursts", dram.read_bursts});
  out->push_back({"DRAM write bursts", dram.write_bursts});
  out->push_back({"DRAM activations", dram.activations});
  out->push_back({"DRAM refreshes", dram.refreshes});
}

// What fetch did; without time not known once a fault has stopped it.
void add_fetch(const Events& events, std::vector<Count>* out) {
  out->push_back({"instructions dispatched", events.instructions[0]});
  out->push_back({"fetch bursts", events.bursts[0]});
  out->push_back({"fetch beats", events.beats[0]});
}

void add_events(const Events& events, std::vector<Count>* out) {
  out->push_back({"multiplications", events.multiplications});
  out->push_back({"activation reads", events.activation_reads});
  out->push_back({"activation writes", events.activation_writes});
  out->push_back({"weight reads", events.weight_reads});
  out->push_back({"weight writes", events.weight_writes});
  out->push_back({"accumulator reads", events.accumulator_reads});
  out->push_back({"accumulator writes", events.accumulator_writes});
  for (const isa::StepSpec& step : isa::kSteps)
    out->push_back(
        {"vector operations " + std::string(step.name), events.vector_operations[step.code]});
  for (std::size_t unit = 1; unit < isa::kUnits; ++unit)
    out->push_back(
        {std::string(isa::kUnitNames[unit]) + " instructions", events.instructions[unit]});
  for (std::size_t port = 1; port < 3; ++port) {
    out->push_back({std::string(isa::kUnitNames[port]) + " bursts", events.bursts[port]});
    out->push_back({std::string(isa::kUnitNames[port]) + " beats", events.beats[port]});
  }
}

std::string fault_text(const Fault& fault) {
  return fmt::format("'{}' of {} unit, instruction {}, cycle {}", fault_name(fault.code),
                     isa::kUnitNames[int(fault.unit)], fault.sequence, fault.cycle);
}

std::string outcome_text(const RunResult& result) {
  std::string out(kOutcomes[int(result.outcome)]);
  if (result.outcome == Outcome::kFault) out += ": " + fault_text(result.fault);
  for (const Waiting& waiting : result.waiting)
    out += fmt::format("; {} unit waits with instruction {} for semaphore {}",
                       isa::kUnitNames[int(waiting.unit)], waiting.sequence, waiting.semaphore);
  return out;
}

std::string record_text(const Record* record, bool timed) {
  if (record == nullptr) return "no record";
  const std::string hash = fmt::format("hash {:016x}", record->hash);
  return timed ? fmt::format("start {}, end {}, {}", record->start, record->end, hash) : hash;
}

class Pair {
 public:
  Pair(const Program& program, const MachineRun& a, const MachineRun& b)
      : program_(program), a_(a), b_(b), timed_(a.timed && b.timed) {}

  Comparison compare() {
    if (is_static(a_.result.fault.code) || is_static(b_.result.fault.code)) {
      compare_static_faults();
      return std::move(out_);
    }
    compare_records();
    compare_outcomes();
    compare_counts();
    compare_images();
    if (!out_.difference && out_.compared.instructions == 0 && !program_.code.empty() &&
        a_.result.outcome == Outcome::kFinished)
      differ("no instruction was compared");
    return std::move(out_);
  }

 private:
  void differ(const std::string& message) {
    if (!out_.difference) out_.difference = {message, std::nullopt, a_.result.cycles};
  }

  // RTL drains what it dispatched, the models run nothing: code and sequence number alone count.
  void compare_static_faults() {
    out_.compared.counts += 2;
    if (a_.result.fault.code != b_.result.fault.code ||
        a_.result.fault.sequence != b_.result.fault.sequence)
      differ(fmt::format(
          "outcome\n  {}: {}\n  {}: {}{}", a_.name, outcome_text(a_.result), b_.name,
          outcome_text(b_.result),
          instruction_text(std::min(a_.result.fault.sequence, b_.result.fault.sequence))));
  }

  void compare_records() {
    std::map<std::uint32_t, std::pair<const Record*, const Record*>> records;
    for (const Record& record : a_.result.records) records[record.sequence].first = &record;
    for (const Record& record : b_.result.records) records[record.sequence].second = &record;
    std::optional<std::uint32_t> first;
    std::uint64_t first_cycle = 0;
    for (const auto& [sequence, pair] : records) {
      out_.compared.instructions_total += 1;
      if (same(pair.first, pair.second)) {
        out_.compared.instructions += 1;
        continue;
      }
      const std::uint64_t cycle = earliest(pair.first, pair.second);
      if (!first || cycle < first_cycle) first = sequence, first_cycle = cycle;
    }
    if (!first) return;
    const auto& pair = records[*first];
    out_.difference = {fmt::format("instruction {}\n  {}: {}\n  {}: {}{}", *first, a_.name,
                                   record_text(pair.first, timed_), b_.name,
                                   record_text(pair.second, timed_), instruction_text(*first)),
                       *first, first_cycle};
  }

  bool same(const Record* a, const Record* b) const {
    if (a == nullptr || b == nullptr) return false;
    if (timed_) return *a == *b;
    return a->unit == b->unit && a->hash == b->hash;
  }

  // The first cycle in which the two could be told apart.
  std::uint64_t earliest(const Record* a, const Record* b) const {
    if (a == nullptr) return b->start;
    if (b == nullptr) return a->start;
    if (!timed_) return std::max(a->end, b->end);
    return a->start != b->start ? std::min(a->start, b->start) : std::min(a->end, b->end);
  }

  std::string instruction_text(std::uint32_t sequence) const {
    if (sequence >= program_.code.size()) return "";
    std::string out = "\n  " + isa::disassemble(program_.code[sequence]);
    if (sequence < program_.node_of_instruction.size())
      out +=
          fmt::format("\n  node {}", program_.nodes[program_.node_of_instruction[sequence]].name);
    return out;
  }

  void compare_outcomes() {
    ++out_.compared.counts;
    const RunResult& a = a_.result;
    const RunResult& b = b_.result;
    const bool same = timed_
                          ? a.outcome == b.outcome && a.fault == b.fault && a.waiting == b.waiting
                          : same_without_time();
    if (!same)
      differ(fmt::format("outcome\n  {}: {}\n  {}: {}", a_.name, outcome_text(a), b_.name,
                         outcome_text(b)));
  }

  // The functional model lists all faults; which comes first, and overflow, are matters of time.
  bool same_without_time() const {
    const RunResult& timed = a_.timed ? a_.result : b_.result;
    const RunResult& untimed = a_.timed ? b_.result : a_.result;
    const std::vector<Fault>& faults = a_.timed ? b_.faults : a_.faults;
    if (timed.outcome != Outcome::kFault)
      return timed.outcome == untimed.outcome && timed.waiting == untimed.waiting;
    if (timed.fault.code == FaultCode::kSemaphoreOverflow) return true;
    return std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
      return fault.code == timed.fault.code && fault.unit == timed.fault.unit &&
             fault.sequence == timed.fault.sequence;
    });
  }

  std::vector<Count> counts(const RunResult& result) const {
    std::vector<Count> out;
    add_events(result.events, &out);
    const bool faulty =
        a_.result.outcome == Outcome::kFault || b_.result.outcome == Outcome::kFault;
    if (timed_ || !faulty) add_fetch(result.events, &out);
    if (!timed_) return out;
    out.push_back({"cycles", result.cycles});
    add_states(result, &out);
    add_dram(result.dram, &out);
    return out;
  }

  void compare_counts() {
    const auto a = counts(a_.result), b = counts(b_.result);
    out_.compared.counts += a.size();
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i].value != b[i].value) {
        differ(fmt::format("{}\n  {}: {}\n  {}: {}", a[i].name, a_.name, a[i].value, b_.name,
                           b[i].value));
        return;
      }
  }

  void compare_images() {
    TALLY_CHECK(a_.image->capacity() == b_.image->capacity());
    out_.compared.image_bytes += std::uint64_t(a_.image->capacity());
    if (const auto address = first_difference(*a_.image, *b_.image))
      differ(fmt::format("DRAM byte {:#x}\n  {}: {:#04x}\n  {}: {:#04x}", *address, a_.name,
                         a_.image->data()[*address], b_.name, b_.image->data()[*address]));
  }

  const Program& program_;
  const MachineRun& a_;
  const MachineRun& b_;
  bool timed_;
  Comparison out_;
};

}  // namespace

Compared& Compared::operator+=(const Compared& other) {
  instructions_total += other.instructions_total;
  instructions += other.instructions;
  counts += other.counts;
  image_bytes += other.image_bytes;
  return *this;
}

std::optional<std::uint64_t> first_difference(const DramImage& a, const DramImage& b) {
  std::optional<std::uint64_t> first;
  for (const DramImage* image : {&a, &b})
    for (const DramImage::Extent& extent : image->written()) {
      const std::uint8_t* left = a.data() + extent.address;
      const std::uint8_t* right = b.data() + extent.address;
      if (std::memcmp(left, right, extent.bytes) == 0) continue;
      const auto at = std::mismatch(left, left + extent.bytes, right).first;
      const std::uint64_t address = extent.address + std::uint64_t(at - left);
      first = first ? std::min(*first, address) : address;
      break;
    }
  return first;
}

Comparison compare_runs(const Program& program, const std::vector<MachineRun>& runs) {
  Comparison out;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    Comparison pair = Pair(program, runs[0], runs[i]).compare();
    out.compared += pair.compared;
    if (!out.difference) out.difference = std::move(pair.difference);
  }
  if (runs.size() < 2 && !out.difference)
    out.difference = Difference{"fewer than two machines: nothing was compared", std::nullopt, 0};
  return out;
}

}  // namespace tally
