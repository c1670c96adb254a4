// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/banks.h"

namespace tally::schedule {

Banks::Banks(const Design& design)
    : bank_bytes_{design.activations.bank_bytes, design.weights.bank_bytes,
                  design.accumulators.bank_bytes} {
  used_[0].assign(design.activations.banks, false);
  used_[1].assign(design.weights.banks, false);
  used_[2].assign(design.accumulators.banks, false);
}

bool Banks::free_run(int space, int first, int count) const {
  for (int bank = first; bank < first + count; ++bank)
    if (used_[space][bank]) return false;
  return true;
}

std::optional<Buffer> Banks::allocate(isa::Space space_name, std::int64_t bytes) {
  const int space = int(space_name);
  const int total = int(used_[space].size());
  const std::int64_t count = (bytes + bank_bytes_[space] - 1) / bank_bytes_[space];
  if (count < 1 || count > total) return std::nullopt;
  for (int i = 0; i < total; ++i) {
    const int first = (next_[space] + i) % total;
    if (first + count > total || !free_run(space, first, int(count))) continue;
    for (int bank = first; bank < first + int(count); ++bank) used_[space][bank] = true;
    next_[space] = (first + int(count)) % total;
    return Buffer{space_name, first * bank_bytes_[space], bytes, first, int(count)};
  }
  return std::nullopt;
}

void Banks::release(const Buffer& buffer) {
  for (int bank = buffer.first_bank; bank < buffer.first_bank + buffer.banks; ++bank) {
    TALLY_CHECK(used_[int(buffer.space)][bank], "bank {} released twice", bank);
    used_[int(buffer.space)][bank] = false;
  }
}

}  // namespace tally::schedule
