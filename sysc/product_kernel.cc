// SPDX-License-Identifier: Apache-2.0
#include "sysc/product_kernel.h"

#include <algorithm>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tally::sysc {
namespace {

void plain(const std::int16_t* a, const std::int16_t* w, int rows, int pairs, std::int32_t* out) {
  for (int i = 0; i < rows; ++i) {
    std::uint32_t sums[kPanelColumns] = {};
    for (int p = 0; p < pairs; ++p)
      for (int j = 0; j < kPanelColumns; ++j)
        for (int e = 0; e < 2; ++e)
          sums[j] += std::uint32_t(a[(i * pairs + p) * 2 + e] * w[(p * kPanelColumns + j) * 2 + e]);
    for (int j = 0; j < kPanelColumns; ++j) out[i * kPanelColumns + j] = std::int32_t(sums[j]);
  }
}

#if defined(__x86_64__)

// Two operands side by side, as the multiply-add instruction wants them in every lane.
inline std::int32_t pair_of(const std::int16_t* a) {
  return std::int32_t(std::uint32_t(std::uint16_t(a[0])) | std::uint32_t(std::uint16_t(a[1]))
                                                               << 16);
}

template <int kRows>
inline void block_sse2(const std::int16_t* a, const std::int16_t* w, int pairs, std::int32_t* out) {
  __m128i sums[kRows][4];
  for (auto& row : sums)
    for (auto& sum : row) sum = _mm_setzero_si128();
  for (int p = 0; p < pairs; ++p) {
    const auto* panel = reinterpret_cast<const __m128i*>(w + p * kPanelColumns * 2);
    for (int q = 0; q < 4; ++q) {
      const __m128i weights = _mm_loadu_si128(panel + q);
      for (int i = 0; i < kRows; ++i) {
        const __m128i row = _mm_set1_epi32(pair_of(a + (i * pairs + p) * 2));
        sums[i][q] = _mm_add_epi32(sums[i][q], _mm_madd_epi16(row, weights));
      }
    }
  }
  for (int i = 0; i < kRows; ++i)
    for (int q = 0; q < 4; ++q)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * kPanelColumns) + q, sums[i][q]);
}

void sse2(const std::int16_t* a, const std::int16_t* w, int rows, int pairs, std::int32_t* out) {
  int i = 0;
  for (; i + 2 <= rows; i += 2) block_sse2<2>(a + i * pairs * 2, w, pairs, out + i * kPanelColumns);
  if (i < rows) block_sse2<1>(a + i * pairs * 2, w, pairs, out + i * kPanelColumns);
}

template <int kRows>
__attribute__((target("avx2"), always_inline)) inline void block_avx2(const std::int16_t* a,
                                                                      const std::int16_t* w,
                                                                      int pairs,
                                                                      std::int32_t* out) {
  __m256i sums[kRows][2];
  for (auto& row : sums)
    for (auto& sum : row) sum = _mm256_setzero_si256();
  for (int p = 0; p < pairs; ++p) {
    const auto* panel = reinterpret_cast<const __m256i*>(w + p * kPanelColumns * 2);
    const __m256i low = _mm256_loadu_si256(panel), high = _mm256_loadu_si256(panel + 1);
    for (int i = 0; i < kRows; ++i) {
      const __m256i row = _mm256_set1_epi32(pair_of(a + (i * pairs + p) * 2));
      sums[i][0] = _mm256_add_epi32(sums[i][0], _mm256_madd_epi16(row, low));
      sums[i][1] = _mm256_add_epi32(sums[i][1], _mm256_madd_epi16(row, high));
    }
  }
  for (int i = 0; i < kRows; ++i)
    for (int q = 0; q < 2; ++q)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i * kPanelColumns) + q, sums[i][q]);
}

__attribute__((target("avx2"))) void avx2(const std::int16_t* a, const std::int16_t* w, int rows,
                                          int pairs, std::int32_t* out) {
  int i = 0;
  for (; i + 4 <= rows; i += 4) block_avx2<4>(a + i * pairs * 2, w, pairs, out + i * kPanelColumns);
  for (; i < rows; ++i) block_avx2<1>(a + i * pairs * 2, w, pairs, out + i * kPanelColumns);
}

#endif

std::vector<NamedKernel> kernels_of_host() {
  std::vector<NamedKernel> kernels = {{"plain", plain}};
#if defined(__x86_64__)
  kernels.push_back({"sse2", sse2});
  if (__builtin_cpu_supports("avx2")) kernels.push_back({"avx2", avx2});
#endif
  return kernels;
}

}  // namespace

std::span<const NamedKernel> product_kernels() {
  static const std::vector<NamedKernel> kernels = kernels_of_host();
  return kernels;
}

bool agrees(const NamedKernel& kernel) {
  constexpr std::int16_t kValues[] = {-128, 127, 255, -127, 0, 1, -1, 254};
  constexpr int kRows = 7, kPairs = 33;
  std::vector<std::int16_t> a(kRows * kPairs * 2), w(kPairs * kPanelColumns * 2);
  std::vector<std::int32_t> expected(kRows * kPanelColumns), got(kRows * kPanelColumns);
  for (unsigned mix = 0; mix < 16; ++mix) {
    for (unsigned i = 0; i < a.size(); ++i) a[i] = kValues[mix < 8 ? mix : (i * 5 + mix) % 8];
    for (unsigned i = 0; i < w.size(); ++i) w[i] = kValues[mix < 8 ? 0 : (i * 3 + i / 7 + mix) % 8];
    plain(a.data(), w.data(), kRows, kPairs, expected.data());
    kernel.run(a.data(), w.data(), kRows, kPairs, got.data());
    if (got != expected) return false;
  }
  return true;
}

const NamedKernel& product_kernel() {
  static const NamedKernel& best = []() -> const NamedKernel& {
    const auto kernels = product_kernels();
    std::size_t i = kernels.size() - 1;
    while (i > 0 && !agrees(kernels[i])) --i;
    return kernels[i];
  }();
  return best;
}

}  // namespace tally::sysc
