// SPDX-License-Identifier: Apache-2.0
// What passes between the host process and a Verilated bench: fixed records over a socket, the DRAM
// image as a memory file beside the request. Both sides are built from this header.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "models/machine/machine.h"

namespace tally::rtl {

inline constexpr int kSocket = 3;  // the bench's end, in the bench
inline constexpr std::uint64_t kMagic = 0x7461'6c6c'7931'0001ULL;

// Followed by nothing; carries the file descriptor of the DRAM image.
struct Request {
  std::uint64_t magic = kMagic;
  std::uint64_t dram_bytes = 0;
  MachineProgram program;
  std::uint64_t stall_seed = 0;
  std::uint64_t cycle_limit = 0;
  std::uint64_t waveform_from = 0, waveform_to = 0;
  std::uint8_t records = 0, hashes = 0;
  char waveform[1024] = {};
};

// Followed by `waiting` x Waiting and `records` x Record.
struct Reply {
  std::uint64_t magic = kMagic;
  char error[512] = {};  // not empty: the machine failed, nothing else counts
  Outcome outcome = Outcome::kFinished;
  Fault fault;
  std::uint64_t cycles = 0;
  std::array<UnitCycles, isa::kUnits> units{};
  Events events;
  DramCounters dram;
  std::uint32_t waiting = 0;
  std::uint32_t records = 0;
};

static_assert(std::is_trivially_copyable_v<Request> && std::is_trivially_copyable_v<Reply> &&
              std::is_trivially_copyable_v<Waiting> && std::is_trivially_copyable_v<Record>);

}  // namespace tally::rtl
