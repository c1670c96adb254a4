// SPDX-License-Identifier: Apache-2.0
// The load unit: a generator that raises the bursts of a load or gather, and the beats that come
// back. The cycle of a raise is known when the burst before it is accepted, so it is booked then.
// Values are copied at the start: an accepted program lets no one else touch them before the end.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "sysc/burst_walker.h"
#include "sysc/unit.h"

namespace tally::sysc {

class Load : public Unit, public PortClient {
 public:
  explicit Load(const Context& context);
  void accepted(Cycle now, const Dram::Service& service) override;

 protected:
  Cycle ready(Cycle now) const override {
    return generator_ ? kNever : std::max(now, generator_free_);
  }
  void start(Flight* flight) override;

 private:
  // The instruction whose bursts are being raised.
  struct Generator {
    BurstWalker walker;
    Flight* flight;
    Cycle earliest;  // of the next raise, outstanding limit apart
  };
  // The burst that waits for acceptance.
  struct Request {
    Flight* flight;
    BurstPiece piece;
    bool last;
  };

  Cycle next_raise() const;
  void raise(Cycle now);
  void copy(const isa::Load& load);
  void copy(const isa::Gather& gather);
  BurstWalker walk(const isa::Body& body);
  void find_bad_indices(const Request& request, const Dram::Service& service);

  std::optional<Generator> generator_;
  Cycle generator_free_ = 0;  // cycle in which the last burst of the last instruction is raised
  std::optional<Request> request_;
  std::deque<Cycle> last_beats_;       // of the latest accepted bursts, up to the limit
  std::vector<std::int32_t> indices_;  // of the gather in the generator
  std::uint32_t limit_ = 0;            // its limit
};

}  // namespace tally::sysc
