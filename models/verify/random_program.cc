// SPDX-License-Identifier: Apache-2.0
#include "models/verify/random_program.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "models/verify/random_bodies.h"
#include "models/verify/sync_planner.h"

namespace tally {
namespace {

// Bytes of a kind, 64 at a time.
enum class Flavour { kAny, kExtremes, kSpecials, kFloats, kSmall };

std::uint32_t special_word(Random& random) {
  return random.pick<std::uint32_t>({0x7fc00000, 0x7fffffff, 0xffc00001, 0x7f800000, 0xff800000,
                                     0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80000000,
                                     0x7f7fffff, 0xff7fffff});
}

std::uint32_t word_of(Flavour flavour, Random& random) {
  switch (flavour) {
    case Flavour::kAny:
      return std::uint32_t(random.bits());
    case Flavour::kExtremes: {
      std::uint32_t word = 0;
      for (int i = 0; i < 4; ++i)
        word = word << 8 | random.pick<std::uint32_t>({0x80, 0x7f, 0xff, 0x81, 0});
      return word;
    }
    case Flavour::kSpecials:
      return special_word(random);
    case Flavour::kFloats:  // within 2^-16 .. 2^16
      return std::uint32_t(random.bits() & 0x807fffff) | std::uint32_t(random.between(111, 143))
                                                             << 23;
    case Flavour::kSmall: {
      std::uint32_t word = 0;
      for (int i = 0; i < 4; ++i) word = word << 8 | std::uint32_t(random.between(0, 3));
      return word;
    }
  }
  __builtin_unreachable();
}

std::vector<std::uint8_t> random_bytes(std::size_t size, Random& random) {
  std::vector<Flavour> flavours = {Flavour::kAny, Flavour::kExtremes, Flavour::kSpecials,
                                   Flavour::kFloats, Flavour::kSmall};
  random.shuffle(&flavours);
  flavours.resize(3);
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t chunk = 0; chunk < size; chunk += 64) {
    const Flavour flavour = random.pick(flavours);
    for (std::size_t i = chunk; i < std::min(size, chunk + 64); i += 4) {
      const std::uint32_t word = word_of(flavour, random);
      std::memcpy(bytes.data() + i, &word, 4);
    }
  }
  return bytes;
}

class ProgramGenerator {
 public:
  ProgramGenerator(const Design& design, std::uint64_t seed)
      : design_(design), random_(seed), planner_(design, &random_) {
    std::vector<int> bases(isa::kBaseRegisters);
    std::iota(bases.begin(), bases.end(), 0);
    random_.shuffle(&bases);
    dram_.operands = bases[0], dram_.results = bases[1], dram_.indices = bases[2];
    dram_.index_data.resize(std::size_t(DramPlan::kIndexBytes));
    // One unit has most of the work of some programs, so that its queue fills.
    if (random_.chance(15)) {
      favourite_ = random_.pick<std::int64_t>({0, 40, 60, 90});
      if (queue_of_favourite() > kDeep) favourite_share_ = 95;
    }
  }

  Program generate() {
    const auto length = std::size_t(random_.between(45, 95) + more_for_deep_queue());
    while (planner_.size() < length) add_something();
    Program program = describe();
    const std::size_t window = std::size_t(random_.pick<std::int64_t>({0, 4, 12, 30, 100}));
    for (const isa::Instruction& instruction : planner_.merge(window))
      program.code.push_back(isa::encode(instruction));
    if (random_.chance(40)) program.stall_seed = random_.bits() | 1;
    return program;
  }

 private:
  void add(const isa::Body& body) {
    const isa::Instruction instruction{{}, body};
    const auto* run = std::get_if<isa::Run>(&body);
    if (run != nullptr) {
      const auto prepared = prepare_run(*run, vector_);
      TALLY_CHECK(prepared.has_value());
      planner_.add(body, footprint(instruction, &*prepared, design_));
    } else {
      planner_.add(body, footprint(instruction, nullptr, design_));
    }
    vector_.apply(instruction);
  }

  int queue_of_favourite() const {
    return *favourite_ == 0    ? design_.load_queue
           : *favourite_ == 40 ? design_.store_queue
           : *favourite_ == 60 ? design_.matrix_queue
                               : design_.vector_queue;
  }
  // So many more instructions that the favourite unit fills even a deep queue.
  std::int64_t more_for_deep_queue() const {
    const int depth = favourite_ ? queue_of_favourite() : 0;
    return depth > kDeep ? 3 * depth : 0;
  }

  void add_something() {
    BodyContext context{design_, random_, planner_, dram_};
    const std::int64_t choice =
        favourite_ && random_.chance(favourite_share_) ? *favourite_ : random_.below(100);
    if (choice < 30) {
      add(random_load(context));
    } else if (choice < 36) {
      if (const auto gather = random_gather(context)) add(*gather);
    } else if (choice < 58) {
      add(random_store(context));
    } else if (choice < 82) {
      add(random_matmul(context));
    } else {
      for (const isa::Body& body : random_run(context, vector_)) add(body);
    }
    if (random_.chance(3)) planner_.add_idle_post();
    if (random_.chance(4)) planner_.add_shared_semaphore();
  }

  Program describe() {
    Program program;
    program.model = "random";
    program.design = design_.name;
    program.design_hash = design_.hash();
    program.design_keys = design_.hardware_keys();
    program.regions = {{"operands", dram_.operands, std::uint64_t(DramPlan::kOperandBytes)},
                       {"results", dram_.results, std::uint64_t(DramPlan::kResultBytes)},
                       {"indices", dram_.indices, std::uint64_t(DramPlan::kIndexBytes)}};
    program.segments = {{0, 0, random_bytes(std::size_t(DramPlan::kOperandBytes), random_)},
                        {1, 0, random_bytes(std::size_t(DramPlan::kResultBytes), random_)},
                        {2, 0, dram_.index_data}};
    return program;
  }

  const Design& design_;
  Random random_;
  SyncPlanner planner_;
  DramPlan dram_;
  VectorState vector_;
  static constexpr int kDeep = 16;         // a queue that 95 instructions seldom fill
  std::optional<std::int64_t> favourite_;  // see add_something()
  int favourite_share_ = 75;               // of its instructions, in percent
};

Ending random_ending(Random& random) {
  const std::int64_t choice = random.below(100);
  constexpr int kEach = 3, kKinds = int(Ending::kDeadlock);
  return choice < kEach * kKinds ? Ending(1 + choice / kEach) : Ending::kFinished;
}

}  // namespace

std::string_view ending_name(Ending ending) {
  constexpr std::string_view kNames[] = {
      "finished",           "opcode",         "field",           "range",           "waiters",
      "configuration",      "load bus error", "store bus error", "fetch bus error", "gather index",
      "semaphore overflow", "deadlock"};
  return kNames[int(ending)];
}

Program random_program(const Design& design, std::uint64_t seed, Ending ending) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    Program program = ProgramGenerator(design, sub_seed(seed, attempt)).generate();
    Random random(sub_seed(seed, ~attempt));
    if (ending != Ending::kFinished && !spoil(&program, design, ending, &random)) continue;
    program.recipe = fmt::format("seed {}, {}", seed, ending_name(ending));
    return program;
  }
}

Program random_program(const Design& design, std::uint64_t seed) {
  Random random(seed);
  return random_program(design, seed, random_ending(random));
}

}  // namespace tally
