// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/happens_before.h"

#include <algorithm>

namespace tally {

HappensBefore::HappensBefore(std::span<const isa::Instruction> instructions,
                             const ExecutionOrder& order)
    : instructions_(instructions), places_(instructions.size()), clocks_(instructions.size()) {
  for (std::uint32_t sequence : order.sequences) {
    places_[sequence] = std::uint32_t(units_[unit(sequence)].size());
    units_[unit(sequence)].push_back(sequence);
    for (std::int8_t semaphore : instructions_[sequence].sync.posts)
      if (semaphore >= 0) posts_[semaphore][unit(sequence)].push_back(places_[sequence]);
  }
  // Orders found in one pass exclude posts in the next; every pass only adds true orders.
  constexpr int kPasses = 8;
  for (int i = 0; i < kPasses && pass(order); ++i) {
  }
}

bool HappensBefore::before(std::uint32_t a, std::uint32_t b) const {
  return clocks_[b][unit(a)] > places_[a];
}

bool HappensBefore::pass(const ExecutionOrder& order) {
  bool changed = false;
  std::array<std::size_t, isa::kSemaphores> takes{};
  for (std::uint32_t sequence : order.sequences) {
    const int own = unit(sequence);
    Clock clock = clocks_[sequence];
    clock[own] = places_[sequence];
    if (places_[sequence] > 0) {
      const Clock& previous = clocks_[units_[own][places_[sequence] - 1]];
      for (int v = 0; v < isa::kUnits; ++v) clock[v] = std::max(clock[v], previous[v]);
    }
    for (std::int8_t semaphore : instructions_[sequence].sync.waits)
      if (semaphore >= 0) order_after_posts(sequence, semaphore, ++takes[semaphore], &clock);
    changed = changed || clock != clocks_[sequence];
    clocks_[sequence] = clock;
  }
  return changed;
}

// Posts that `of_unit` may have made when `taker` starts, if the instruction at `without_place` of
// `without_unit` has not ended: those that come neither after the taker nor after that one.
std::size_t HappensBefore::possible_posts(const Posts& posts, int of_unit, std::uint32_t taker,
                                          int without_unit, std::uint32_t without_place) const {
  const auto& places = posts[of_unit];
  const auto excluded = [&](std::uint32_t place) {
    if (of_unit == without_unit && place >= without_place) return true;
    if (of_unit == unit(taker) && place >= places_[taker]) return true;
    const std::uint32_t poster = units_[of_unit][place];
    return (of_unit != without_unit && clocks_[poster][without_unit] > without_place) ||
           clocks_[poster][unit(taker)] > places_[taker];
  };
  return std::size_t(
      std::partition_point(places.begin(), places.end(), [&](auto p) { return !excluded(p); }) -
      places.begin());
}

void HappensBefore::order_after_posts(std::uint32_t sequence, int semaphore, std::size_t takes,
                                      Clock* clock) {
  const Posts& posts = posts_[semaphore];
  const auto follow = [&](int v, std::uint32_t place) {
    const Clock& poster = clocks_[units_[v][place]];
    for (int w = 0; w < isa::kUnits; ++w) (*clock)[w] = std::max((*clock)[w], poster[w]);
    (*clock)[v] = std::max((*clock)[v], place + 1);
  };
  const auto posting = [&](const auto& places) { return !places.empty(); };
  if (std::count_if(posts.begin(), posts.end(), posting) == 1) {
    const auto poster = std::find_if(posts.begin(), posts.end(), posting);
    follow(int(poster - posts.begin()), (*poster)[takes - 1]);
    return;
  }
  for (int v = 1; v < isa::kUnits; ++v) {
    // The last post of unit v without which the count could not have reached `takes`.
    const auto needed = [&](std::uint32_t place) {
      std::size_t possible = 0;
      for (int w = 1; w < isa::kUnits; ++w)
        possible += possible_posts(posts, w, sequence, v, place);
      return possible < takes;
    };
    const auto end = std::partition_point(posts[v].begin(), posts[v].end(), needed);
    if (end != posts[v].begin()) follow(v, *(end - 1));
  }
}

}  // namespace tally
