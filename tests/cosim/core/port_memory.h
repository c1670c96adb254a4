// SPDX-License-Identifier: Apache-2.0
// A plain memory behind an AXI4 port: bursts in order of acceptance, beats at least `latency`
// cycles after it.
#pragma once

#include <cstdint>
#include <deque>
#include <random>

#include "models/machine/machine.h"

namespace tally {

class PortMemory {
 public:
  // What the memory drives in one cycle.
  struct Drive {
    bool read_valid = false, read_last = false;
    int read_id = 0;
    std::uint64_t address = 0;  // of the read or write beat
    bool write_ready = false;
    bool response_valid = false;
    bool error = false;  // of the read beat or the response
  };

  // Gaps between beats are random where `gap_seed` is not 0.
  PortMemory(std::int64_t capacity_bytes, int port_bytes, unsigned gap_seed)
      : capacity_(std::uint64_t(capacity_bytes)),
        port_bytes_(port_bytes),
        gaps_(gap_seed != 0),
        random_(gap_seed) {}

  void accept(std::uint64_t cycle, bool write, int id, std::uint64_t address, int beats) {
    const bool error = address + std::uint64_t(beats * port_bytes_) > capacity_;
    bursts_.push_back({write, id, address, beats, 0, error, cycle + kLatency});
  }

  Drive drive(std::uint64_t cycle) {
    Drive drive;
    if (!responses_.empty() && responses_.front().cycle <= cycle) {
      drive.response_valid = true;
      drive.error = responses_.front().error;
      responses_.pop_front();
      return drive;
    }
    if (bursts_.empty() || bursts_.front().ready > cycle || (gaps_ && random_() % 4 == 0))
      return drive;
    Burst& burst = bursts_.front();
    drive.address = burst.address + std::uint64_t(burst.done * port_bytes_);
    drive.error = burst.error;
    drive.write_ready = burst.write;
    drive.read_valid = !burst.write;
    drive.read_id = burst.id;
    ++burst.done;
    drive.read_last = burst.done == burst.beats;
    if (drive.read_last) {
      if (burst.write) responses_.push_back({cycle + kResponse, burst.error});
      bursts_.pop_front();
    }
    return drive;
  }

  static constexpr std::uint64_t kLatency = 5, kResponse = 3;

 private:
  struct Burst {
    bool write;
    int id;
    std::uint64_t address;
    int beats, done;
    bool error;
    std::uint64_t ready;
  };
  struct Response {
    std::uint64_t cycle;
    bool error;
  };

  std::uint64_t capacity_;
  int port_bytes_;
  bool gaps_;
  std::mt19937 random_;
  std::deque<Burst> bursts_;
  std::deque<Response> responses_;
};

}  // namespace tally
