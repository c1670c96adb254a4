// SPDX-License-Identifier: Apache-2.0
// The store unit: a reader that fills burst buffers, one beat a cycle, and the requests raised when
// a buffer is full. Reads and raises are booked as soon as their cycles are known. Values are
// copied at the start: an accepted program lets no one else touch them before the end.
#pragma once

#include <deque>
#include <optional>

#include "sysc/burst_walker.h"
#include "sysc/unit.h"

namespace tally::sysc {

class Store : public Unit, public PortClient {
 public:
  explicit Store(const Context& context);
  void accepted(Cycle now, const Dram::Service& service) override;

 protected:
  Cycle ready(Cycle now) const override;
  void start(Flight* flight) override;

 private:
  // The instruction whose bursts are being read.
  struct Reader {
    BurstWalker walker;
    Flight* flight;
  };
  // A burst in a buffer.
  struct Buffered {
    Flight* flight;
    BurstPiece piece;
    bool last;
    Cycle full;      // first cycle in which its request may be raised
    Cycle response;  // kNever until accepted
  };

  Cycle next_read() const;
  void read(Cycle cycle);
  void book(Cycle now);
  void copy(const isa::Store& store);

  std::optional<Reader> reader_;
  Cycle read_free_ = 0;           // first cycle in which another burst may be read
  std::deque<Buffered> buffers_;  // the latest bursts, one for each buffer at most
  std::size_t raised_ = 0;        // of them, from the front
  bool waiting_ = false;          // the last of these is not accepted yet
};

}  // namespace tally::sysc
