// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/registry.h"

#include <array>

#include "models/base/error.h"
#include "models/numeric/float_codec.h"
#include "models/numeric/int_codec.h"

namespace tally {
namespace {

template <const FloatFormat& format>
constexpr FormatInfo float_row() {
  return {format.name, format.bits,
          [](uint32_t code) { return static_cast<float>(decode(format, code)); },
          [](float value) { return static_cast<uint32_t>(encode(format, double{value})); }};
}

template <const IntFormat& format>
constexpr FormatInfo int_row() {
  return {format.name, format.bits,
          [](uint32_t code) { return static_cast<float>(decode(format, code)); },
          [](float value) { return encode(format, value); }};
}

constexpr std::array kFormats = {float_row<kF32>(),  float_row<kF16>(),  float_row<kBf16>(),
                                 float_row<kE4m3>(), float_row<kE5m2>(), int_row<kI32>(),
                                 int_row<kI8>(),     int_row<kU8>(),     int_row<kI4>()};

int bytes_per_element(const FormatInfo& format) { return format.bits / 8; }
int elements_per_byte(const FormatInfo& format) { return 8 / format.bits; }

uint32_t load_code(const FormatInfo& format, std::span<const uint8_t> bytes, std::size_t i) {
  if (format.bits < 8) {
    const std::size_t per_byte = elements_per_byte(format);
    const int shift = static_cast<int>(i % per_byte) * format.bits;
    return (bytes[i / per_byte] >> shift) & ((1u << format.bits) - 1);
  }
  const std::size_t size = bytes_per_element(format);
  uint32_t code = 0;
  for (std::size_t b = 0; b < size; ++b) code |= uint32_t{bytes[i * size + b]} << (8 * b);
  return code;
}

void store_code(const FormatInfo& format, std::span<uint8_t> bytes, std::size_t i, uint32_t code) {
  if (format.bits < 8) {
    const std::size_t per_byte = elements_per_byte(format);
    const int shift = static_cast<int>(i % per_byte) * format.bits;
    bytes[i / per_byte] |= static_cast<uint8_t>(code << shift);
    return;
  }
  const std::size_t size = bytes_per_element(format);
  for (std::size_t b = 0; b < size; ++b)
    bytes[i * size + b] = static_cast<uint8_t>(code >> (8 * b));
}

}  // namespace

std::span<const FormatInfo> formats() { return kFormats; }

std::optional<FormatInfo> find_format(std::string_view name) {
  for (const FormatInfo& format : kFormats) {
    if (format.name == name) return format;
  }
  return std::nullopt;
}

std::size_t packed_bytes(const FormatInfo& format, std::size_t n) {
  if (format.bits >= 8) return n * bytes_per_element(format);
  const std::size_t per_byte = elements_per_byte(format);
  return n / per_byte + (n % per_byte != 0 ? 1 : 0);
}

std::vector<float> to_floats(const FormatInfo& format, std::span<const uint8_t> bytes,
                             std::size_t n) {
  TALLY_CHECK(bytes.size() == packed_bytes(format, n), "{} bytes for {} elements of {}",
              bytes.size(), n, format.name);
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = format.to_float(load_code(format, bytes, i));
  return values;
}

std::vector<uint8_t> from_floats(const FormatInfo& format, std::span<const float> values) {
  std::vector<uint8_t> bytes(packed_bytes(format, values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    store_code(format, bytes, i, format.from_float(values[i]));
  }
  return bytes;
}

}  // namespace tally
