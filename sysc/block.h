// SPDX-License-Identifier: Apache-2.0
// A block of the machine as a plain class: it steps in the cycles it asked for, in its own phase.
// The SystemC module around it (shell.h) or a plain loop calls advance() at those moments.
#pragma once

#include <string>
#include <utility>

#include "sysc/time.h"

namespace tally::sysc {

// Told when a block wants to step earlier than it said before.
class Alarm {
 public:
  virtual ~Alarm() = default;
  virtual void set(Moment moment) = 0;
};

class Block {
 public:
  Block(std::string name, Phase phase) : name_(std::move(name)), phase_(phase) {}
  virtual ~Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  const std::string& name() const { return name_; }
  Phase phase() const { return phase_; }
  // The cycle of the next step; kNever: none wanted.
  Cycle next() const { return next_; }
  void attach(Alarm* alarm) { alarm_ = alarm; }

  // Asks for a step in `cycle` at the latest; the earliest wish counts and a step forgets all
  // others, so every step asks again for what it still waits for.
  void wake(Cycle cycle) {
    if (cycle >= next_) return;
    next_ = cycle;
    if (alarm_ != nullptr) alarm_->set(moment(cycle, phase_));
  }

  void advance(Cycle now) {
    next_ = kNever;
    step(now);
  }

 protected:
  virtual void step(Cycle now) = 0;

 private:
  std::string name_;
  Phase phase_;
  Cycle next_ = kNever;
  Alarm* alarm_ = nullptr;
};

}  // namespace tally::sysc
