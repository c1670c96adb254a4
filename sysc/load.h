// SPDX-License-Identifier: Apache-2.0
// The load unit: a generator that raises the bursts of a load or gather, and the beats that come
// back. Values are copied at the start: an accepted program lets no one else touch them before the
// end.
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
  void work(Cycle now) override;
  Cycle ready(Cycle now) const override { return generator_ ? kNever : now; }
  void start(Flight* flight) override;
  void plan(Cycle now) override;

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
  void copy(const isa::Load& load);
  void copy(const isa::Gather& gather);
  BurstWalker walk(const isa::Body& body);
  void find_bad_indices(const Request& request, const Dram::Service& service);

  std::optional<Generator> generator_;
  std::optional<Request> request_;
  std::deque<Cycle> last_beats_;       // of the latest accepted bursts, up to the limit
  std::vector<std::int32_t> indices_;  // of the gather in the generator
  std::uint32_t limit_ = 0;            // its limit
};

}  // namespace tally::sysc
