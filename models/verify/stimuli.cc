// SPDX-License-Identifier: Apache-2.0
#include "models/verify/stimuli.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "compiler/program/check.h"
#include "compiler/program/code.h"
#include "compiler/program/execution_order.h"
#include "compiler/program/footprint.h"
#include "models/verify/random_program.h"

namespace tally {
namespace {

using Names = std::set<std::string>;

constexpr std::uint64_t kPage = 4096;

std::string pair_name(int from, int to) {
  return fmt::format("semaphore from {} to {}", isa::kUnitNames[from], isa::kUnitNames[to]);
}

std::uint64_t last_multiple(int bits, int unit) {
  return ((std::uint64_t(1) << bits) / std::uint64_t(unit) - 1) * std::uint64_t(unit);
}

// Classes of one instruction after another, in program order.
class TextScan {
 public:
  TextScan(const Program& program, const Design& design)
      : program_(program), design_(design), instructions_(decode_code(program.code)) {}

  Names scan() {
    for (const isa::Instruction& instruction : instructions_) {
      std::visit([&](const auto& body) { look(body); }, instruction.body);
      see(fmt::format("instruction {}", isa::spec_of(isa::opcode_of(instruction)).name));
      look_at_slots(instruction.sync);
      look_at_ends(instruction);
      vector_.apply(instruction);
    }
    look_at_semaphores();
    look_at_banks();
    if (program_.stall_seed != 0) see("DRAM stalls injected");
    look_at_values();
    return std::move(names_);
  }

 private:
  void see(std::string name) { names_.insert(std::move(name)); }
  void see_if(bool condition, const char* name) {
    if (condition) see(name);
  }

  template <class Body>
  void look_at_transfer(const Body& body, const std::string& name) {
    const auto port = std::uint64_t(design_.port_bytes);
    if (body.rows == 1) see(name + " of one row");
    if (body.rows > 1) see(name + " of several rows");
    if (body.row_bytes == port) see(name + " of one beat a row");
    const std::uint64_t start = program_.place().bases[body.base] + body.offset;
    for (std::uint64_t i = 0; i < body.rows; ++i) {
      const std::uint64_t row = start + i * body.pitch;
      if (row / kPage != (row + body.row_bytes - 1) / kPage) see(name + " across 4 KiB");
    }
    if (body.row_bytes > 256 * port) see(name + " of more than 256 beats");
    if (body.offset == 0) see(name + " offset 0");
    if (body.rows == 1 && body.pitch == last_multiple(24, design_.port_bytes))
      see(name + " largest pitch");
    if (body.rows == 1 && body.address_pitch == last_multiple(20, design_.port_bytes))
      see(name + " largest address pitch");
    see(fmt::format("{} {}", name, isa::kSpaceNames[int(body.space)]));
  }

  void look(const isa::Load& body) {
    look_at_transfer(body, "load");
    see_if(body.rows > 1 && body.pitch == 0, "load pitch 0");
    see_if(body.rows > 1 && body.address_pitch > body.row_bytes, "load with gaps on the chip");
    see_if(body.rows > 1 && body.address_pitch == body.row_bytes, "load dense on the chip");
  }

  void look(const isa::Store& body) {
    look_at_transfer(body, "store");
    see_if(body.rows > 1 && body.address_pitch == 0, "store address pitch 0");
    see_if(body.rows > 1 && body.pitch == body.row_bytes, "store dense in DRAM");
  }

  void look(const isa::Gather& body) {
    see_if(body.rows == 1, "gather of one row");
    see_if(body.rows == 64, "gather of 64 rows");
    see_if(body.limit == 1, "gather limit 1");
    see_if(4 * body.rows % std::uint32_t(design_.port_bytes) != 0,
           "gather with a last index beat in part");
    see(fmt::format("gather {}", isa::kSpaceNames[int(body.space)]));
  }

  void look(const isa::Matmul& body) {
    const auto rows = std::uint32_t(design_.rows), columns = std::uint32_t(design_.columns);
    see_if(body.m == 1, "matmul M 1");
    see_if(body.k == 1, "matmul K 1");
    see_if(body.n == 1, "matmul N 1");
    see_if(body.k % rows != 0, "matmul K tile in part");
    see_if(body.k % rows == 0, "matmul K tiles whole");
    see_if(body.n % columns != 0, "matmul N tile in part");
    see_if(body.n % columns == 0, "matmul N tiles whole");
    see_if(body.k > rows, "matmul of several K tiles");
    see_if(body.n > columns, "matmul of several N tiles");
    see(body.a_unsigned ? "matmul unsigned" : "matmul signed");
    see(body.transposed ? "matmul transposed" : "matmul not transposed");
    see(body.mode == isa::AccumulateMode::kAdd ? "matmul adds" : "matmul writes");
    see_if(body.m > 1 && body.acc_m_stride == 0, "matmul rows on one accumulator row");
    see_if(body.m == 1 && body.acc_m_stride == 65535, "matmul largest M stride");
    see_if(body.n <= columns && body.acc_n_stride == 65535, "matmul largest N stride");
    see_if(body.m == 1 && body.a_pitch == last_multiple(20, design_.rows),
           "matmul largest a pitch");
    look_at_preload(body);
  }

  // The next tile's weights are loaded while this one streams; hidden if that takes long enough.
  void look_at_preload(const isa::Matmul& body) {
    const auto load = std::uint32_t(body.transposed ? design_.columns : design_.rows);
    const bool several =
        body.k > std::uint32_t(design_.rows) || body.n > std::uint32_t(design_.columns);
    if (!last_m_ && !several) last_m_ = body.m;
    for (const std::uint32_t before :
         {last_m_.value_or(body.m), several ? body.m : last_m_.value_or(body.m)})
      see(before >= load ? "weight preload hidden" : "weight preload not hidden");
    last_m_ = body.m;
  }

  void look(const isa::Stream& body) {
    see(fmt::format("stream {} {}", isa::kSpaceNames[int(body.space)],
                    isa::kElementNames[int(body.element)]));
    see_if(body.stride2 == 0, "stream broadcast");
    see_if(body.stride0 < 0 || body.stride1 < 0 || body.stride2 < 0, "stream negative stride");
    for (std::int32_t stride : {body.stride0, body.stride1, body.stride2}) {
      see_if(stride == -524288, "stream smallest stride");
      see_if(stride == 524287, "stream largest stride");
    }
    see(fmt::format("stream register {}", body.stream));
  }

  void look(const isa::Routine& body) {
    see(fmt::format("routine of {} steps", body.count));
    see_if(body.first == 0, "routine at 0");
    see_if(body.first + body.count == 256, "routine up to 255");
  }

  void look(const isa::Run& body) {
    see_if(body.extent2 == 1, "run of one element a row");
    see_if(body.extent2 > 64, "run of more than 64 elements a row");
    see_if(body.extent2 % std::uint32_t(design_.lanes) != 0, "run with lanes idle");
    see_if(body.extent0 > 1, "run of two outer extents");
    for (std::int32_t increment : {body.increment0, body.increment3, body.increment7}) {
      see_if(increment == 131071, "run largest increment");
      see_if(increment == -131072, "run smallest increment");
    }
    const auto run = prepare_run(body, vector_);
    if (run) look_at_steps(*run);
  }

  void look_at_steps(const VectorRun& run) {
    const std::uint64_t rows = std::uint64_t(run.run.extent0) * run.run.extent1;
    const std::uint64_t groups =
        (run.run.extent2 + std::uint64_t(design_.lanes) - 1) / std::uint64_t(design_.lanes);
    see_if(!run.by_rows && rows > 1 && groups < 8, "run with a batch across rows");
    see_if(groups > 8, "run with a row of several batches");
    see_if(run.by_rows && run.body == run.steps.size(), "run with sums that are not folded");
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      const isa::Step& step = run.steps[i];
      const isa::StepSpec& spec = isa::step_spec(step.op);
      see(fmt::format("step {}", spec.name));
      see_if(i >= run.body && spec.stream,
             step.op == isa::StepOp::kLoad ? "load in a tail" : "store in a tail");
      see_if(step.immediate, "step with an immediate");
      if (spec.stream && i < run.body) look_at_access(run, step);
    }
  }

  void look_at_access(const VectorRun& run, const isa::Step& step) {
    const StreamRegister& stream = run.streams[step.stream];
    const bool dense = stream.stride2 == 1 && run.run.extent2 > 1;
    const bool aligned = stream.start % std::uint32_t(design_.lanes) == 0;
    const std::string name = step.op == isa::StepOp::kLoad ? "load step" : "store step";
    if (dense && aligned) see(name + " of whole groups");
    if (dense && !aligned) see(name + " not aligned");
    if (run.run.extent2 > 1 && stream.stride2 != 1 && stream.stride2 != 0) see(name + " strided");
    if (step.op == isa::StepOp::kLoad && stream.space == isa::Space::kAccumulators)
      see_if(dense && aligned, "load step of accumulator groups");
  }

  void look_at_slots(const isa::Sync& sync) {
    const auto count = [](const auto& slots) {
      return std::count_if(slots.begin(), slots.end(), [](auto s) { return s >= 0; });
    };
    see(fmt::format("{} waits", count(sync.waits)));
    see(fmt::format("{} posts", count(sync.posts)));
    for (const auto* slots : {&sync.waits, &sync.posts})
      for (std::int8_t semaphore : *slots)
        if (semaphore >= 0)
          see_if(semaphore == 0 || semaphore == 31,
                 semaphore == 0 ? "semaphore 0" : "semaphore 31");
  }

  // First and last byte of each memory.
  void look_at_ends(const isa::Instruction& instruction) {
    const auto* run = std::get_if<isa::Run>(&instruction.body);
    std::optional<VectorRun> prepared;
    if (run != nullptr) {
      auto made = prepare_run(*run, vector_);
      if (!made) return;
      prepared = std::move(*made);
    }
    for (const Access& access : footprint(instruction, prepared ? &*prepared : nullptr, design_)) {
      if (access.memory.dram) continue;
      const auto space = isa::Space(access.memory.index);
      const ByteRange bounds = access.bounds();
      if (bounds.begin == 0) see(fmt::format("start of {}", isa::kSpaceNames[int(space)]));
      if (bounds.end >
          memory_bytes(design_, space) -
              (space == isa::Space::kAccumulators ? 4 * design_.columns : design_.port_bytes))
        see(fmt::format("end of {}", isa::kSpaceNames[int(space)]));
    }
  }

  void look_at_semaphores() {
    std::array<std::set<int>, isa::kSemaphores> posters, waiters;
    for (const isa::Instruction& instruction : instructions_) {
      const int unit = int(isa::unit_of(instruction));
      for (std::int8_t semaphore : instruction.sync.posts)
        if (semaphore >= 0) posters[std::size_t(semaphore)].insert(unit);
      for (std::int8_t semaphore : instruction.sync.waits)
        if (semaphore >= 0) waiters[std::size_t(semaphore)].insert(unit);
    }
    for (std::size_t i = 0; i < posters.size(); ++i) {
      for (int from : posters[i])
        for (int to : waiters[i]) see(pair_name(from, to));
      see_if(posters[i].size() > 1 && !waiters[i].empty(), "semaphore of two posting units");
      see_if(!posters[i].empty() && waiters[i].empty(), "semaphore that nobody waits for");
    }
  }

  // A bank that one unit uses and then another, by space.
  void look_at_banks() {
    VectorState state;
    std::map<std::pair<int, std::int64_t>, int> owner;
    for (const isa::Instruction& instruction : instructions_) {
      std::optional<VectorRun> prepared;
      if (const auto* run = std::get_if<isa::Run>(&instruction.body))
        if (auto made = prepare_run(*run, state)) prepared = std::move(*made);
      state.apply(instruction);
      for (const Access& access :
           footprint(instruction, prepared ? &*prepared : nullptr, design_)) {
        if (access.memory.dram) continue;
        const auto space = isa::Space(access.memory.index);
        const auto key = std::pair(access.memory.index, access.start / bank_bytes(design_, space));
        const int unit = int(isa::unit_of(instruction));
        const auto [at, fresh] = owner.try_emplace(key, unit);
        if (!fresh && at->second != unit)
          see(fmt::format("bank hand-over in {}", isa::kSpaceNames[int(space)]));
        at->second = unit;
      }
    }
  }

  void look_at_values() {
    const auto& bytes =
        program_.segments.empty() ? std::vector<std::uint8_t>() : program_.segments[0].bytes;
    for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
      std::uint32_t word;
      std::memcpy(&word, bytes.data() + i, 4);
      const std::uint32_t exponent = word >> 23 & 0xff, fraction = word & 0x7fffff;
      see_if(word == 0x80808080 || bytes[i] == 0x80, "value -128");
      see_if(bytes[i] == 0x7f, "value 127");
      see_if(bytes[i] == 0xff, "value 255");
      see_if(exponent == 255 && fraction != 0, "value NaN");
      see_if(exponent == 255 && fraction == 0, "value infinity");
      see_if(exponent == 0 && fraction != 0, "value subnormal");
      see_if(word == 0x80000000, "value -0");
    }
  }

  const Program& program_;
  const Design& design_;
  std::vector<isa::Instruction> instructions_;
  VectorState vector_;
  std::optional<std::uint32_t> last_m_;
  Names names_;
};

// Classes that need times.
class TimeScan {
 public:
  TimeScan(const Program& program, const Design& design, const RunResult& result)
      : program_(program), design_(design), result_(result) {
    for (const Record& record : result.records)
      by_unit_[std::size_t(record.unit)].push_back(&record);
  }

  Names scan() {
    if (in_flight_together(
            {isa::Unit::kLoad, isa::Unit::kStore, isa::Unit::kMatrix, isa::Unit::kVector}))
      names_.insert("all units busy in one cycle");
    look_at_port();
    look_at_queues();
    return std::move(names_);
  }

 private:
  // A cycle in which each of the units has an instruction between start and end.
  bool in_flight_together(std::initializer_list<isa::Unit> units,
                          std::uint64_t before = ~0ULL) const {
    for (const Record* record : by_unit_[std::size_t(*units.begin())]) {
      std::uint64_t begin = record->start + 1, end = std::min(record->end, before);
      if (std::all_of(units.begin() + 1, units.end(),
                      [&](isa::Unit unit) { return narrow(unit, &begin, &end); }) &&
          begin < end)
        return true;
    }
    return false;
  }

  // The part of begin..end that the first instruction of `unit` there leaves.
  bool narrow(isa::Unit unit, std::uint64_t* begin, std::uint64_t* end) const {
    for (const Record* record : by_unit_[std::size_t(unit)]) {
      const std::uint64_t from = std::max(*begin, record->start + 1),
                          to = std::min(*end, record->end);
      if (from >= to) continue;
      *begin = from, *end = to;
      return true;
    }
    return false;
  }

  // Fetch has not read all while an instruction of its last block but the buffers' is still to
  // start.
  void look_at_port() {
    const auto block = std::uint32_t(design_.fetch_burst_bytes / isa::kInstructionBytes);
    const auto ahead = std::uint32_t(design_.fetch_buffers) * block;
    if (program_.code.size() <= ahead) return;
    // The last block is requested after the instruction `ahead` places before it is dispatched; an
    // instruction before that one starts later still.
    std::uint64_t until = 0;
    for (const Record& record : result_.records)
      if (record.sequence + ahead < program_.code.size()) until = std::max(until, record.start);
    if (in_flight_together({isa::Unit::kLoad, isa::Unit::kStore}, until))
      names_.insert("load, store and fetch contend");
  }

  // A queue of depth Q was full if Q instructions of a unit waited while one that follows them all
  // in the program had been dispatched.
  void look_at_queues() {
    const int depths[] = {0, design_.load_queue, design_.store_queue, design_.matrix_queue,
                          design_.vector_queue};
    // Earliest start of any instruction at or after each place: all before it were dispatched then.
    std::vector<std::uint64_t> earliest(program_.code.size() + 1, ~0ULL);
    for (const Record& record : result_.records) earliest[record.sequence] = record.start;
    for (std::size_t i = program_.code.size(); i-- > 0;)
      earliest[i] = std::min(earliest[i], earliest[i + 1]);
    for (std::size_t unit = 1; unit < isa::kUnits; ++unit) {
      const auto& records = by_unit_[unit];
      const auto depth = std::size_t(depths[unit]);
      for (std::size_t i = 0; i + depth <= records.size(); ++i) {
        const Record* last = records[i + depth - 1];
        if (last->sequence + 1 < earliest.size() &&
            earliest[last->sequence + 1] < records[i]->start)
          names_.insert(fmt::format("{} queue full", isa::kUnitNames[unit]));
      }
    }
  }

  const Program& program_;
  const Design& design_;
  const RunResult& result_;
  std::array<std::vector<const Record*>, isa::kUnits> by_unit_;
  Names names_;
};

std::vector<std::string> base_stimuli() {
  std::vector<std::string> out = {"load of one row",
                                  "load of several rows",
                                  "load of one beat a row",
                                  "load across 4 KiB",
                                  "load offset 0",
                                  "load largest pitch",
                                  "load largest address pitch",
                                  "load activations",
                                  "load weights",
                                  "load pitch 0",
                                  "load with gaps on the chip",
                                  "load dense on the chip",
                                  "store of one row",
                                  "store of several rows",
                                  "store of one beat a row",
                                  "store across 4 KiB",
                                  "store offset 0",
                                  "store largest pitch",
                                  "store largest address pitch",
                                  "store activations",
                                  "store weights",
                                  "store accumulators",
                                  "store address pitch 0",
                                  "store dense in DRAM",
                                  "gather of one row",
                                  "gather limit 1",
                                  "gather activations",
                                  "gather weights",
                                  "matmul M 1",
                                  "matmul K 1",
                                  "matmul N 1",
                                  "matmul K tile in part",
                                  "matmul K tiles whole",
                                  "matmul N tile in part",
                                  "matmul N tiles whole",
                                  "matmul of several K tiles",
                                  "matmul of several N tiles",
                                  "matmul unsigned",
                                  "matmul signed",
                                  "matmul transposed",
                                  "matmul not transposed",
                                  "matmul adds",
                                  "matmul writes",
                                  "matmul rows on one accumulator row",
                                  "matmul largest M stride",
                                  "matmul largest N stride",
                                  "matmul largest a pitch",
                                  "weight preload hidden",
                                  "weight preload not hidden",
                                  "stream broadcast",
                                  "stream negative stride",
                                  "stream smallest stride",
                                  "stream largest stride",
                                  "stream accumulators i32",
                                  "routine of 1 steps",
                                  "routine of 2 steps",
                                  "routine of 3 steps",
                                  "routine at 0",
                                  "routine up to 255",
                                  "run of one element a row",
                                  "run of two outer extents",
                                  "run largest increment",
                                  "run smallest increment",
                                  "run with sums that are not folded",
                                  "load in a tail",
                                  "store in a tail",
                                  "step with an immediate",
                                  "load step strided",
                                  "store step strided",
                                  "semaphore 0",
                                  "semaphore 31",
                                  "semaphore of two posting units",
                                  "semaphore that nobody waits for",
                                  "DRAM stalls injected",
                                  "value -128",
                                  "value 127",
                                  "value 255",
                                  "value NaN",
                                  "value infinity",
                                  "value subnormal",
                                  "value -0"};
  for (int count = 0; count <= isa::kSlots; ++count)
    for (const char* kind : {"waits", "posts"}) out.push_back(fmt::format("{} {}", count, kind));
  for (const isa::InstructionSpec& spec : isa::kInstructions)
    out.push_back(fmt::format("instruction {}", spec.name));
  for (const isa::StepSpec& spec : isa::kSteps) out.push_back(fmt::format("step {}", spec.name));
  for (int stream = 0; stream < isa::kStreams; ++stream)
    out.push_back(fmt::format("stream register {}", stream));
  for (const char* space : {"activations", "weights"})
    for (std::string_view element : isa::kElementNames)
      out.push_back(fmt::format("stream {} {}", space, element));
  for (std::string_view space : isa::kSpaceNames)
    for (const char* what : {"start of", "end of", "bank hand-over in"})
      out.push_back(fmt::format("{} {}", what, space));
  for (int from = 1; from < isa::kUnits; ++from) {
    if (from != int(isa::Unit::kVector))
      out.push_back(fmt::format("{} queue full", isa::kUnitNames[from]));
    for (int to = 1; to < isa::kUnits; ++to)
      if (from != to) out.push_back(pair_name(from, to));
  }
  for (int ending = 0; ending <= int(Ending::kDeadlock); ++ending)
    out.push_back(fmt::format("ends: {}", ending_name(Ending(ending))));
  return out;
}

std::string ending_of(const RunResult& result) {
  constexpr std::string_view kUnits[] = {"fetch ", "load ", "store ", "", ""};
  if (result.outcome == Outcome::kFinished) return "ends: finished";
  if (result.outcome == Outcome::kDeadlock) return "ends: deadlock";
  std::string name(fault_name(result.fault.code));
  std::replace(name.begin(), name.end(), '_', ' ');
  if (result.fault.code != FaultCode::kBusError) return "ends: " + name;
  return fmt::format("ends: {}{}", kUnits[int(result.fault.unit)], name);
}

}  // namespace

std::vector<std::string> possible_stimuli(const Design& design) {
  std::vector<std::string> out = base_stimuli();
  const std::int64_t longest =
      std::min(design.activations.bytes(), std::int64_t(16384)) / 2;  // random_transfers.cc
  if (longest > 256 * design.port_bytes && 256 * design.port_bytes < std::int64_t(kPage))
    for (const char* name : {"load of more than 256 beats", "store of more than 256 beats"})
      out.push_back(name);
  if (64 * 2 * design.port_bytes <= design.activations.bytes()) out.push_back("gather of 64 rows");
  if (design.port_bytes > 4) out.push_back("gather with a last index beat in part");
  if (design.lanes > 1)
    for (const char* name : {"run with lanes idle", "load step of whole groups",
                             "load step not aligned", "store step of whole groups",
                             "store step not aligned", "load step of accumulator groups"})
      out.push_back(name);
  // Programs are longer than what fetch holds.
  if (design.fetch_buffers * design.fetch_burst_bytes / isa::kInstructionBytes <= 64)
    out.push_back("load, store and fetch contend");
  if (design.lanes > 2) out.push_back("run with a batch across rows");
  // With two banks of each memory there are hardly enough for all units at once.
  if (design.activations.banks + design.weights.banks + design.accumulators.banks > 6)
    out.push_back("all units busy in one cycle");
  // Most vector instructions take a cycle or two: a deep queue of them does not fill.
  if (design.vector_queue <= 32) out.push_back("vector queue full");
  if (design.lanes < 64) out.push_back("run with a row of several batches");
  if (40 * design.lanes > 64) out.push_back("run of more than 64 elements a row");
  return out;
}

std::set<std::string> program_stimuli(const Program& program, const Design& design) {
  if (find_static_fault(program.code, program.design_hash, design).code != FaultCode::kNone)
    return {};
  return TextScan(program, design).scan();
}

std::set<std::string> observed_stimuli(const Program& program, const Design& design,
                                       const RunResult& result) {
  std::set<std::string> out = TimeScan(program, design, result).scan();
  out.insert(ending_of(result));
  return out;
}

void StimulusCounts::add(const Design& design, const std::set<std::string>& seen) {
  for (const std::string& name : possible_stimuli(design)) ++counts_[name].possible;
  for (const std::string& name : seen) ++counts_[name].programs;
}

std::vector<std::string> StimulusCounts::rare() const {
  std::vector<std::string> out;
  for (const auto& [name, count] : counts_)
    if (count.possible > 0 && count.programs * 100 < count.possible)
      out.push_back(fmt::format("{}: {} of {} programs", name, count.programs, count.possible));
  return out;
}

}  // namespace tally
