// SPDX-License-Identifier: Apache-2.0
#include "sysc/vector_streams.h"

#include <algorithm>
#include <cstring>

namespace tally::sysc {
namespace {

std::uint32_t extend(std::uint32_t value, isa::Element element) {
  return element == isa::Element::kI8 ? std::uint32_t(std::int32_t(std::int8_t(value))) : value;
}

bool all_inside(const isa::Stream& s, const isa::Run& run, int bytes, const Memories& memories) {
  std::int64_t low = s.start, high = s.start;
  const std::int64_t spans[] = {std::int64_t(run.extent0 - 1) * s.stride0,
                                std::int64_t(run.extent1 - 1) * s.stride1,
                                std::int64_t(run.extent2 - 1) * s.stride2};
  for (const std::int64_t span : spans) (span < 0 ? low : high) += span;
  return memories.inside(s.space, low * bytes, (high + 1) * bytes);
}

}  // namespace

StreamAccess::StreamAccess(const isa::Stream& stream, const isa::Run& run, Memories* memories,
                           WriteHash* hash)
    : stream_(stream),
      bytes_(element_bytes(stream.element)),
      memories_(memories),
      hash_(hash),
      inside_(all_inside(stream, run, bytes_, *memories)) {}

std::int64_t StreamAccess::element(std::uint32_t i0, std::uint32_t i1, std::uint32_t first) const {
  return std::int64_t(stream_.start) + std::int64_t(i0) * stream_.stride0 +
         std::int64_t(i1) * stream_.stride1 + std::int64_t(first) * stream_.stride2;
}

void StreamAccess::load_fast(const std::uint8_t* from, std::uint32_t* to, std::size_t n) const {
  const std::ptrdiff_t stride = std::ptrdiff_t(stream_.stride2) * bytes_;
  if (bytes_ == 4) {
    if (stream_.stride2 == 1) {
      std::memcpy(to, from, 4 * n);
    } else {
      for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i, from + std::ptrdiff_t(i) * stride, 4);
    }
  } else if (stream_.element == isa::Element::kI8) {
    if (stride == 1) {
      for (std::size_t i = 0; i < n; ++i) to[i] = std::uint32_t(std::int32_t(std::int8_t(from[i])));
    } else {
      for (std::size_t i = 0; i < n; ++i)
        to[i] = std::uint32_t(std::int32_t(std::int8_t(from[std::ptrdiff_t(i) * stride])));
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) to[i] = from[std::ptrdiff_t(i) * stride];
  }
}

void StreamAccess::load(std::uint32_t i0, std::uint32_t i1, std::uint32_t first, std::uint32_t* to,
                        std::size_t n) const {
  const std::int64_t start = element(i0, i1, first);
  if (inside_ && stream_.stride2 != 0)
    return load_fast(memories_->data(stream_.space) + start * bytes_, to, n);
  if (stream_.stride2 == 0) {
    const std::uint32_t value = memories_->read_element(stream_.space, start * bytes_, bytes_);
    std::fill_n(to, n, extend(value, stream_.element));
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t address = (start + std::int64_t(i) * stream_.stride2) * bytes_;
    to[i] = extend(memories_->read_element(stream_.space, address, bytes_), stream_.element);
  }
}

void StreamAccess::store(std::uint32_t i0, std::uint32_t i1, std::uint32_t first,
                         const std::uint32_t* from, std::size_t n) const {
  if (stream_.space == isa::Space::kAccumulators) return;  // the checker's; there is no write port
  const std::int64_t start = element(i0, i1, first);
  std::uint8_t* const to = memories_->data(stream_.space) + start * bytes_;
  if (inside_ && stream_.stride2 == 1 && bytes_ == 4) {
    std::memcpy(to, from, 4 * n);
  } else if (inside_ && stream_.stride2 == 1) {
    for (std::size_t i = 0; i < n; ++i) to[i] = std::uint8_t(from[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i)
      memories_->write_element(stream_.space, (start + std::int64_t(i) * stream_.stride2) * bytes_,
                               bytes_, from[i]);
  }
  if (hash_ == nullptr) return;
  for (std::size_t i = 0; i < n; ++i)
    hash_->wrote(stream_.space, std::uint64_t((start + std::int64_t(i) * stream_.stride2) * bytes_),
                 std::size_t(bytes_));
}

}  // namespace tally::sysc
