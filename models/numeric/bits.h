// SPDX-License-Identifier: Apache-2.0
// Bit patterns of floats, for host and CUDA code: moves between a value and its encoding, NaN
// payload kept.
#pragma once

#include <cstdint>

// Marks a function that CUDA kernels may call too; nothing in plain C++.
#if defined(__CUDACC__)
#define TALLY_HD __host__ __device__
#else
#define TALLY_HD
#endif

namespace tally {

TALLY_HD constexpr uint32_t as_bits(float value) { return __builtin_bit_cast(uint32_t, value); }
TALLY_HD constexpr float as_float(uint32_t bits) { return __builtin_bit_cast(float, bits); }
TALLY_HD constexpr uint64_t as_bits(double value) { return __builtin_bit_cast(uint64_t, value); }
TALLY_HD constexpr double as_double(uint64_t bits) { return __builtin_bit_cast(double, bits); }

// The NaN that every arithmetic fp32 result uses.
inline constexpr uint32_t kNanBits = 0x7fffffffu;
inline constexpr uint32_t kInfinityBits = 0x7f800000u;
inline constexpr uint32_t kSignBit = 0x80000000u;

TALLY_HD constexpr bool is_nan(uint32_t bits) { return (bits & ~kSignBit) > kInfinityBits; }

}  // namespace tally
