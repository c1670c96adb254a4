// SPDX-License-Identifier: Apache-2.0
// Formats by name, for files, IR and command line: size, and conversion of whole arrays to and from
// fp32. Storage is little-endian; formats of fewer than 8 bits are packed, first element in the low
// bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/numeric/format.h"

namespace tally {

struct FormatInfo {
  std::string_view name;
  int bits;
  // One element: code in the low `bits` bits to its fp32 value (i32 rounds half to even), and back
  // with half even; floats overflow to infinity or NaN, integers saturate and turn NaN into 0.
  float (*to_float)(uint32_t code);
  uint32_t (*from_float)(float value);
};

// All formats, in the order in which they are listed to people.
std::span<const FormatInfo> formats();

// Absent if no format has this name.
std::optional<FormatInfo> find_format(std::string_view name);

// Bytes of n elements, the last byte padded with zero bits.
std::size_t packed_bytes(const FormatInfo& format, std::size_t n);

// n elements from packed_bytes(format, n) bytes, and back.
std::vector<float> to_floats(const FormatInfo& format, std::span<const uint8_t> bytes,
                             std::size_t n);
std::vector<uint8_t> from_floats(const FormatInfo& format, std::span<const float> values);

}  // namespace tally
