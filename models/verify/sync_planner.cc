// SPDX-License-Identifier: Apache-2.0
#include "models/verify/sync_planner.h"

#include <algorithm>
#include <numeric>

#include "compiler/program/execution_order.h"

namespace tally {
namespace {

constexpr int kSemaphoresPerPair = 2;

void put(std::array<std::int8_t, isa::kSlots>* slots, int semaphore, Random* random) {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < slots->size(); ++i)
    if ((*slots)[i] < 0) free.push_back(i);
  (*slots)[random->pick(free)] = std::int8_t(semaphore);
}

std::size_t used(const std::array<std::int8_t, isa::kSlots>& slots) {
  return std::size_t(std::count_if(slots.begin(), slots.end(), [](auto s) { return s >= 0; }));
}

}  // namespace

SyncPlanner::SyncPlanner(const Design& design, Random* random)
    : design_(design), random_(*random), shared_semaphores_(isa::kUnits) {
  std::vector<int> semaphores(isa::kSemaphores);
  std::iota(semaphores.begin(), semaphores.end(), 0);
  random_.shuffle(&semaphores);
  for (int from = 1; from < isa::kUnits; ++from)
    for (int to = 1; to < isa::kUnits; ++to)
      for (int i = 0; i < kSemaphoresPerPair && from != to; ++i) {
        semaphores_[from][to].push_back(semaphores.back());
        semaphores.pop_back();
      }
  for (std::size_t i = 0; i < semaphores.size(); ++i)
    shared_semaphores_[1 + i % (isa::kUnits - 1)].push_back(semaphores[i]);
  for (int space = 0; space < 3; ++space)
    bank_users_[space].resize(std::size_t(memory_bytes(design, isa::Space(space)) /
                                          bank_bytes(design, isa::Space(space))));
}

std::vector<std::pair<int, std::int64_t>> SyncPlanner::banks(const Access& access) const {
  std::vector<std::pair<int, std::int64_t>> out;
  const std::int64_t size = bank_bytes(design_, isa::Space(access.memory.index));
  for (const ByteRange& range : access.ranges())
    for (std::int64_t bank = range.begin / size; bank <= (range.end - 1) / size; ++bank)
      if (out.empty() || out.back().second != bank) out.emplace_back(access.memory.index, bank);
  return out;
}

bool SyncPlanner::contended(isa::Unit unit, isa::Space space, std::int64_t bank) const {
  const auto& own = by_unit_[std::size_t(unit)];
  const Clock known = own.empty() ? Clock{} : nodes_[own.back()].known;
  const Clock& users = bank_users_[std::size_t(space)][std::size_t(bank)];
  for (int v = 1; v < isa::kUnits; ++v)
    if (v != int(unit) && users[std::size_t(v)] > known[std::size_t(v)]) return true;
  return false;
}

// How many instructions of each other unit must have ended before these accesses.
SyncPlanner::Clock SyncPlanner::needed(int unit, const std::vector<Access>& accesses) {
  Clock need{};
  const auto after = [&](int v, std::uint32_t count) {
    if (v != unit) need[v] = std::max(need[v], count);
  };
  for (const Access& access : accesses) {
    if (access.memory.dram) {
      for (int v = 1; v < isa::kUnits; ++v)
        for (const DramUse& use : dram_uses_[v])
          if ((use.access.write || access.write) && overlap(use.access, access))
            after(v, use.place + 1);
      continue;
    }
    for (const auto& [space, bank] : banks(access))
      for (int v = 1; v < isa::kUnits; ++v) after(v, bank_users_[space][std::size_t(bank)][v]);
  }
  return need;
}

void SyncPlanner::use(int unit, std::uint32_t place, const std::vector<Access>& accesses) {
  for (const Access& access : accesses) {
    if (access.memory.dram) {
      dram_uses_[unit].push_back({place, access});
      continue;
    }
    for (const auto& [space, bank] : banks(access)) {
      bank_users_[space][std::size_t(bank)][unit] = place + 1;
    }
  }
}

// Makes an instruction of `poster_unit`, at `first_place` or later, post `semaphore`.
std::optional<std::uint32_t> SyncPlanner::post_from(int poster_unit, int waiting_unit,
                                                    std::uint32_t first_place, int semaphore) {
  const auto& posters = by_unit_[poster_unit];
  std::vector<std::uint32_t> possible;
  for (std::uint32_t place = first_place; place < posters.size(); ++place)
    if (!nodes_[posters[place]].posts_to[waiting_unit]) possible.push_back(place);
  if (possible.empty()) return std::nullopt;
  const std::uint32_t place = random_.chance(70) ? possible.front() : random_.pick(possible);
  Node& poster = nodes_[posters[place]];
  poster.posts_to[waiting_unit] = true;
  put(&poster.instruction.sync.posts, semaphore, &random_);
  return place;
}

// The pair's semaphores are posted in the order in which they are taken, so an instruction that
// posted to this unit before is one that it knows to have ended.
void SyncPlanner::wait_for(Node* node, int poster_unit, std::uint32_t first_place) {
  const int semaphore = random_.pick(semaphores_[poster_unit][node->unit]);
  std::uint32_t first = std::max(first_place, node->known[poster_unit]);
  const auto place = post_from(poster_unit, node->unit, first, semaphore);
  if (!place) return;
  put(&node->instruction.sync.waits, semaphore, &random_);
  const Node& poster = nodes_[by_unit_[poster_unit][*place]];
  for (int v = 0; v < isa::kUnits; ++v) node->known[v] = std::max(node->known[v], poster.known[v]);
  node->known[poster_unit] = std::max(node->known[poster_unit], *place + 1);
}

void SyncPlanner::add(const isa::Body& body, const std::vector<Access>& accesses) {
  Node node;
  node.instruction.body = body;
  node.unit = int(isa::unit_of(node.instruction));
  auto& own = by_unit_[node.unit];
  node.known = own.empty() ? Clock{} : nodes_[own.back()].known;
  const Clock need = needed(node.unit, accesses);
  for (int v = 1; v < isa::kUnits; ++v) {
    if (v == node.unit) continue;
    const bool must = need[v] > node.known[v];
    const bool may = node.known[v] < by_unit_[v].size() && random_.chance(6);
    if (must || may) wait_for(&node, v, must ? need[v] - 1 : 0);
    TALLY_CHECK(need[v] <= node.known[v], "unit {} is not ordered after {}", node.unit, v);
  }
  auto& pending = pending_waits_[node.unit];
  if (!pending.empty() && used(node.instruction.sync.waits) < std::size_t(isa::kSlots)) {
    put(&node.instruction.sync.waits, pending.back(), &random_);
    pending.pop_back();
  }
  node.known[node.unit] = std::uint32_t(own.size());
  use(node.unit, std::uint32_t(own.size()), accesses);
  own.push_back(std::uint32_t(nodes_.size()));
  nodes_.push_back(std::move(node));
}

// An instruction of `from` that the last one of `to` knows to have ended, and that posts nothing to
// it: no later order will need its post.
SyncPlanner::Node* SyncPlanner::spare_poster(int from, int to) {
  if (by_unit_[to].empty()) return nullptr;
  const std::uint32_t known = nodes_[by_unit_[to].back()].known[from];
  std::vector<Node*> spare;
  for (std::uint32_t place = 0; place < known; ++place) {
    Node& node = nodes_[by_unit_[from][place]];
    if (!node.posts_to[to]) spare.push_back(&node);
  }
  return spare.empty() ? nullptr : random_.pick(spare);
}

bool SyncPlanner::post_spare(int from, int to, int semaphore) {
  Node* node = spare_poster(from, to);
  if (node == nullptr) return false;
  node->posts_to[to] = true;
  put(&node->instruction.sync.posts, semaphore, &random_);
  return true;
}

void SyncPlanner::add_idle_post() {
  const int from = int(random_.between(1, isa::kUnits - 1));
  const int to = int(random_.between(1, isa::kUnits - 1));
  if (from != to && shared_semaphores_[to].size() > 1)
    post_spare(from, to, shared_semaphores_[to][1]);
}

// Two or three units post it; the next instructions of the remaining unit that have room wait.
void SyncPlanner::add_shared_semaphore() {
  const int to = int(random_.between(1, isa::kUnits - 1));
  const int semaphore = shared_semaphores_[to][0];
  for (int from = 1; from < isa::kUnits; ++from)
    if (from != to && post_spare(from, to, semaphore)) pending_waits_[to].push_back(semaphore);
}

std::vector<isa::Instruction> SyncPlanner::merge(std::size_t window) {
  std::vector<isa::Instruction> in_order, mixed;
  for (const Node& node : nodes_) in_order.push_back(node.instruction);
  std::array<std::size_t, isa::kUnits> next{};
  std::size_t oldest = 0;  // generated first of those not yet taken
  std::vector<bool> taken(nodes_.size());
  while (mixed.size() < nodes_.size()) {
    std::vector<std::uint32_t> candidates;
    for (int unit = 1; unit < isa::kUnits; ++unit)
      if (next[unit] < by_unit_[unit].size() && by_unit_[unit][next[unit]] <= oldest + window)
        candidates.push_back(by_unit_[unit][next[unit]]);
    const std::uint32_t chosen = random_.pick(candidates);
    mixed.push_back(nodes_[chosen].instruction);
    taken[chosen] = true;
    ++next[nodes_[chosen].unit];
    while (oldest < taken.size() && taken[oldest]) ++oldest;
  }
  if (execution_order(mixed, design_).waiting.empty()) return mixed;
  return in_order;
}

}  // namespace tally
