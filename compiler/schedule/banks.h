// SPDX-License-Identifier: Apache-2.0
// Banks of the on-chip memories, handed out in whole, contiguous runs. The search goes on where the
// last one ended, so that consecutive buffers lie in different banks and a load can fill one while
// a unit works on the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa_table.h"

namespace tally::schedule {

struct Buffer {
  isa::Space space = isa::Space::kActivations;
  std::int64_t address = 0;  // byte address of the first bank
  std::int64_t bytes = 0;    // asked for
  int first_bank = 0, banks = 0;
};

class Banks {
 public:
  explicit Banks(const Design& design);

  // Nothing where no run of free banks is long enough.
  std::optional<Buffer> allocate(isa::Space space, std::int64_t bytes);
  void release(const Buffer& buffer);
  std::int64_t bank_bytes(isa::Space space) const { return bank_bytes_[int(space)]; }
  int banks(isa::Space space) const { return int(used_[int(space)].size()); }

 private:
  bool free_run(int space, int first, int count) const;

  std::array<std::int64_t, 3> bank_bytes_;
  std::array<std::vector<bool>, 3> used_;
  std::array<int, 3> next_{};
};

}  // namespace tally::schedule
