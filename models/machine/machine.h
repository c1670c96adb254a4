// SPDX-License-Identifier: Apache-2.0
// What every machine is given and gives back: the functional model, the SystemC model and the
// Verilated RTL stand behind `Machine`, run the same encoded program on the same DRAM image and
// return the same records, so that they can be compared instruction by instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "models/base/error.h"

namespace tally {

// DRAM contents: `capacity` bytes, zero until written, backed by lazily committed pages. An access
// at or above capacity is a bus error; the machines check it, this class aborts.
class DramImage {
 public:
  explicit DramImage(std::int64_t capacity_bytes);
  ~DramImage();
  DramImage(DramImage&& other) noexcept;
  DramImage& operator=(DramImage&& other) noexcept;

  std::int64_t capacity() const { return capacity_; }
  std::uint8_t* data() { return data_; }
  const std::uint8_t* data() const { return data_; }
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes);
  void read(std::uint64_t address, std::span<std::uint8_t> bytes) const;
  void clear();  // all zero again, pages given back

  // The parts that may hold something else than zero, in ascending order, whole pages.
  struct Extent {
    std::uint64_t address, bytes;
  };
  std::vector<Extent> written() const;
  // The memory file behind it, which another process can map.
  int file() const { return file_; }

 private:
  std::int64_t capacity_ = 0;
  std::uint8_t* data_ = nullptr;
  int file_ = -1;
};

// A program as a machine sees it: code in DRAM and base registers. The bench has written the code
// to the image at `code_address` (4 KiB-aligned) before the run.
struct MachineProgram {
  std::uint64_t design_hash = 0;  // of the design it was compiled for
  std::uint64_t code_address = 0;
  std::uint32_t instructions = 0;
  std::array<std::uint64_t, isa::kBaseRegisters> bases{};
};

struct RunOptions {
  bool records = false;                                  // retirement records (start, end)
  bool hashes = false;                                   // ... with the hash of what was written
  std::uint64_t stall_seed = 0;                          // injected DRAM stalls; 0: none
  std::string waveform = {};                             // RTL only: FST file, empty: none
  std::uint64_t waveform_from = 0, waveform_to = ~0ULL;  // cycles
  std::uint64_t cycle_limit = 0;  // RTL only: a run that takes longer is an Error; 0: none
  // Functional model only: the account of each instruction, below `accounts`, for
  // RunResult::account_events. `accounts` 0: none.
  std::span<const std::uint32_t> account_of_instruction = {};
  std::uint32_t accounts = 0;
};

enum class FaultCode : std::uint8_t {
  kNone,
  // static, found before cycle 0 (RTL: by its decoder)
  kOpcode,
  kField,
  kRange,
  kWaiters,
  kConfiguration,
  // dynamic
  kBusError,
  kGatherIndex,
  kSemaphoreOverflow,
};
std::string_view fault_name(FaultCode code);
bool is_static(FaultCode code);

enum class Outcome : std::uint8_t { kFinished, kFault, kDeadlock };

struct Fault {
  FaultCode code = FaultCode::kNone;
  isa::Unit unit = isa::Unit::kFetch;
  std::uint32_t sequence = 0;
  std::uint64_t cycle = 0;  // not compared for static faults
  friend bool operator==(const Fault&, const Fault&) = default;
};

// One retired instruction. `sequence` is its index in the program. Cycles are 0 on the functional
// model. The hash is the sum mod 2^64 over every byte the instruction wrote, each address once with
// its last value, of written_byte_hash().
struct Record {
  isa::Unit unit = isa::Unit::kFetch;
  std::uint32_t sequence = 0;
  std::uint64_t start = 0, end = 0;
  std::uint64_t hash = 0;
  friend bool operator==(const Record&, const Record&) = default;
};

// Where a byte lies, for hashing: the three on-chip spaces as isa::Space, and DRAM.
inline constexpr std::uint64_t kHashSpaceDram = 3;
// splitmix64's finaliser (Steele, Lea, Flood, OOPSLA 2014) over space, byte address and value.
inline std::uint64_t written_byte_hash(std::uint64_t space, std::uint64_t address,
                                       std::uint8_t value) {
  std::uint64_t x = space << 56 | address << 8 | value;
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

struct UnitCycles {
  std::uint64_t busy = 0, stalled = 0, idle = 0;
  friend bool operator==(const UnitCycles&, const UnitCycles&) = default;
};

// Everything a machine counts. "Access" is one access of one bank in one cycle.
struct Events {
  std::uint64_t multiplications = 0;  // rows streamed x R x C, padding included
  std::uint64_t activation_reads = 0, activation_writes = 0;    // scratchpad accesses
  std::uint64_t weight_reads = 0, weight_writes = 0;            // scratchpad accesses
  std::uint64_t accumulator_reads = 0, accumulator_writes = 0;  // accumulator row accesses
  // By step code: active elements (a fold: its 63 operations; a load or store in the tail: 1).
  std::array<std::uint64_t, 32> vector_operations{};
  std::array<std::uint64_t, isa::kUnits> instructions{};  // started, by unit (fetch: dispatched)
  std::array<std::uint64_t, 3> bursts{};                  // fetch, load, store
  std::array<std::uint64_t, 3> beats{};                   // fetch, load, store: bus bytes / P
  friend bool operator==(const Events&, const Events&) = default;
};
// Count by count.
Events& operator+=(Events& to, const Events& from);
Events operator-(const Events& a, const Events& b);

// Counted by the DRAM class; the functional model leaves them zero.
struct DramCounters {
  std::uint64_t requested_read_bytes = 0, requested_write_bytes = 0;  // what instructions asked for
  std::uint64_t read_bytes = 0, write_bytes = 0;                      // whole device bursts
  std::uint64_t read_bursts = 0, write_bursts = 0;                    // device bursts
  std::uint64_t activations = 0;                                      // rows opened
  std::uint64_t refreshes = 0;
  friend bool operator==(const DramCounters&, const DramCounters&) = default;
};

// Head of a queue when a run ended in deadlock.
struct Waiting {
  isa::Unit unit;
  std::uint32_t sequence;
  int semaphore;  // the first it waits for that is 0
  friend bool operator==(const Waiting&, const Waiting&) = default;
};

struct RunResult {
  Outcome outcome = Outcome::kFinished;
  Fault fault;
  std::vector<Waiting> waiting;  // deadlock only, by unit
  std::uint64_t cycles = 0;      // T of docs/timing.md; 0 on the functional model
  std::array<UnitCycles, isa::kUnits> units{};
  Events events;
  DramCounters dram;
  std::vector<Events> account_events;  // if asked for: events of each account's instructions
  std::vector<Record> records;         // in order of (sequence), if asked for
};

class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::string_view name() const = 0;
  // Runs one program on `dram` (changed in place) from a state in which all else is zero. An Error
  // is a failure of the machine itself (a child process that died, say), never of the program.
  virtual Expected<RunResult> run(const MachineProgram& program, const RunOptions& options,
                                  DramImage* dram) = 0;
};

}  // namespace tally
