// SPDX-License-Identifier: Apache-2.0
// Appends tasks: keeps track of what is in the stream registers and in routine memory, so that only
// what changes is set, and works out which bytes each instruction touches.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "compiler/codegen/routine.h"
#include "compiler/design/design.h"
#include "compiler/schedule/banks.h"
#include "compiler/schedule/task.h"

namespace tally::codegen {

// Where a stream points: element (i0, i1, i2) at start + i0*stride[0] + i1*stride[1] +
// i2*stride[2].
struct Stream {
  isa::Space space = isa::Space::kActivations;
  isa::Element element = isa::Element::kF32;
  std::int64_t start = 0;  // in elements
  std::array<std::int64_t, 3> stride{};
  friend bool operator==(const Stream&, const Stream&) = default;
};

using Extents = std::array<std::int64_t, 3>;

// Bytes of DRAM: a base register and an offset.
struct DramAddress {
  int base = 0;
  std::int64_t offset = 0;
};

class Emitter {
 public:
  explicit Emitter(const Design& design) : design_(&design) {}

  void set_node(std::uint32_t node) { node_ = node; }
  const std::vector<schedule::Task>& tasks() const { return tasks_; }

  // Copies `rows` rows of `row_bytes` between DRAM and a memory; rows that follow each other on
  // both sides go as one.
  void load(DramAddress from, std::int64_t pitch, std::int64_t rows, std::int64_t row_bytes,
            isa::Space space, std::int64_t address, std::int64_t address_pitch);
  void store(DramAddress to, std::int64_t pitch, std::int64_t rows, std::int64_t row_bytes,
             isa::Space space, std::int64_t address, std::int64_t address_pitch);
  void gather(const isa::Gather& gather);
  void matmul(const isa::Matmul& matmul);
  // Runs a routine; streams[i] is what its stream i must be.
  void run(const Routine& routine, const Extents& extents, const std::vector<Stream>& streams);

  // To try code and take it back.
  struct Mark {
    std::size_t tasks;
    std::array<std::optional<Stream>, isa::kStreams> streams;
    std::map<std::vector<std::uint64_t>, int> routines;
    int next_step;
  };
  Mark mark() const { return {tasks_.size(), streams_, routines_, next_step_}; }
  void rollback(const Mark& mark);

 private:
  void push(isa::Body body, std::vector<schedule::Range> reads, std::vector<schedule::Range> writes,
            std::int64_t cycles, std::int64_t latency);
  int place_routine(const Routine& routine);
  void set_stream(int index, const Stream& stream);
  std::int64_t transfer_cycles(std::int64_t rows, std::int64_t row_bytes) const;

  const Design* design_;
  std::uint32_t node_ = 0;
  std::vector<schedule::Task> tasks_;
  std::array<std::optional<Stream>, isa::kStreams> streams_;
  std::map<std::vector<std::uint64_t>, int> routines_;  // steps to address
  int next_step_ = 0;
};

}  // namespace tally::codegen
