// SPDX-License-Identifier: Apache-2.0
// Seeded random choices of the program generator; the same on every host.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

namespace tally {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // 0 .. n - 1; n at least 1.
  std::int64_t below(std::int64_t n) { return std::int64_t(engine_() % std::uint64_t(n)); }
  // low .. high
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

  template <class T>
  T pick(std::initializer_list<T> items) {
    return items.begin()[below(std::int64_t(items.size()))];
  }
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[std::size_t(below(std::int64_t(items.size())))];
  }
  template <class T>
  void shuffle(std::vector<T>* items) {
    for (std::size_t i = items->size(); i > 1; --i)
      std::swap((*items)[i - 1], (*items)[std::size_t(below(std::int64_t(i)))]);
  }

 private:
  std::mt19937_64 engine_;
};

// A seed for part `index` of something with `seed` (splitmix64's finaliser).
inline std::uint64_t sub_seed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = seed + 0x9e3779b97f4a7c15ULL * (index + 1);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

}  // namespace tally
