// SPDX-License-Identifier: Apache-2.0
// What the four units share: the queue, the start of its head, ends in order with their posts and
// records, and the count of busy and stalled cycles. Derived classes say when and what.
#pragma once

#include <deque>

#include "sysc/activity.h"
#include "sysc/arbiter.h"
#include "sysc/block.h"
#include "sysc/memories.h"
#include "sysc/run_log.h"
#include "sysc/semaphores.h"
#include "sysc/write_hash.h"

namespace tally::sysc {

// What the blocks of one run work on.
struct Context {
  const Design& design;
  const MachineProgram& program;
  DramImage& dram;
  Memories& memories;
  RunLog& log;
  WriteHash* hash;  // null: no hashes wanted
  Semaphores& semaphores;
  Arbiter& arbiter;
};

// An instruction as fetch dispatched it.
struct Dispatched {
  const isa::Instruction* instruction;
  std::uint32_t sequence;
  Cycle cycle;
};

// Told when a queue's head has started: its slot is free from the next cycle on.
class SlotListener {
 public:
  virtual ~SlotListener() = default;
  virtual void slot_freed(isa::Unit unit, Cycle now) = 0;
};

class Unit : public Block {
 public:
  Unit(isa::Unit id, int queue_capacity, const Context& context);

  void listen(SlotListener* listener) { listener_ = listener; }
  isa::Unit id() const { return id_; }
  // Whether the queue is full at the start of `cycle`, the current one or the next.
  bool queue_full(Cycle cycle) const;
  void push(const Dispatched& dispatched);

  const Dispatched* head() const { return queue_.empty() ? nullptr : &queue_.front(); }
  // Busy, stalled and idle cycles of a run that took `total`.
  UnitCycles cycles(Cycle total);

 protected:
  // An instruction between start and end. `end` stays kNever until it is known.
  struct Flight {
    Dispatched from;
    Cycle start;
    Cycle end;
    std::uint64_t hash;
    const isa::Instruction& instruction() const { return *from.instruction; }
  };

  void step(Cycle now) final;

  // First cycle from `now` on in which a head may start; kNever: not known yet, the unit wakes
  // itself when it is.
  virtual Cycle ready(Cycle now) const = 0;
  // A head has started in flight->start. Sets the end if it is known; does the values.
  virtual void start(Flight* flight) = 0;
  const Context& context() const { return context_; }
  Activity& activity() { return activity_; }

 private:
  void end_due(Cycle now);
  void start_head(Cycle now);

  isa::Unit id_;
  std::size_t capacity_;
  Context context_;
  SlotListener* listener_ = nullptr;
  std::deque<Dispatched> queue_;
  std::deque<Flight> flights_;
  Cycle last_start_ = kNever;
  Activity activity_;
};

}  // namespace tally::sysc
