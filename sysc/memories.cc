// SPDX-License-Identifier: Apache-2.0
#include "sysc/memories.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tally::sysc {

static_assert(std::endian::native == std::endian::little);

Memories::Memories(const Design& design) {
  const Memory* sizes[] = {&design.activations, &design.weights, &design.accumulators};
  for (int space = 0; space < 3; ++space) {
    TALLY_CHECK(std::has_single_bit(std::uint64_t(sizes[space]->bytes())));
    bytes_[std::size_t(space)].resize(std::size_t(sizes[space]->bytes()));
  }
}

// Calls piece(offset in the memory, offset in the transfer, count) for each part that does not
// wrap.
template <class Piece>
void Memories::pieces(isa::Space space, std::uint64_t address, std::size_t count,
                      Piece piece) const {
  std::size_t done = 0;
  while (done < count) {
    const std::size_t place = std::size_t((address + done) & (size(space) - 1));
    const std::size_t part = std::min(count - done, std::size_t(size(space)) - place);
    piece(place, done, part);
    done += part;
  }
}

void Memories::write(isa::Space space, std::uint64_t address, const std::uint8_t* from,
                     std::size_t count) {
  pieces(space, address, count, [&](std::size_t place, std::size_t done, std::size_t part) {
    std::memcpy(data(space) + place, from + done, part);
  });
}

void Memories::zero(isa::Space space, std::uint64_t address, std::size_t count) {
  pieces(space, address, count, [&](std::size_t place, std::size_t, std::size_t part) {
    std::memset(data(space) + place, 0, part);
  });
}

void Memories::read(isa::Space space, std::uint64_t address, std::uint8_t* to,
                    std::size_t count) const {
  pieces(space, address, count, [&](std::size_t place, std::size_t done, std::size_t part) {
    std::memcpy(to + done, data(space) + place, part);
  });
}

std::uint32_t Memories::read_element(isa::Space space, std::int64_t address, int bytes) const {
  std::uint32_t value = 0;
  std::memcpy(&value, data(space) + (std::uint64_t(address) & (size(space) - 1)),
              std::size_t(bytes));
  return value;
}

void Memories::write_element(isa::Space space, std::int64_t address, int bytes,
                             std::uint32_t value) {
  std::memcpy(data(space) + (std::uint64_t(address) & (size(space) - 1)), &value,
              std::size_t(bytes));
}

}  // namespace tally::sysc
