// SPDX-License-Identifier: Apache-2.0
// Builds programs without races: every instruction that is added waits for whatever used its banks,
// or its DRAM bytes, on another unit and is not known to have ended. Then the units' instructions
// are merged into one program order at random.
//
// Every ordered pair of units has semaphores of its own, and each post is taken by one wait, so
// that an instruction needs at most three of either.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/design/design.h"
#include "compiler/isa/isa.h"
#include "compiler/program/footprint.h"
#include "models/verify/random.h"

namespace tally {

class SyncPlanner {
 public:
  SyncPlanner(const Design& design, Random* random);

  // `accesses` are those of footprint().
  void add(const isa::Body& body, const std::vector<Access>& accesses);
  // A post that nobody waits for, and one semaphore posted by two units.
  void add_idle_post();
  void add_shared_semaphore();

  std::size_t size() const { return nodes_.size(); }
  // Banks that another unit may still be using when the next instruction of `unit` starts.
  bool contended(isa::Unit unit, isa::Space space, std::int64_t bank) const;

  // All instructions, units interleaved at random within `window` instructions, in an order that
  // the design's queues can execute.
  std::vector<isa::Instruction> merge(std::size_t window);

 private:
  using Clock = std::array<std::uint32_t, isa::kUnits>;
  struct Node {
    isa::Instruction instruction;
    int unit;
    Clock known;  // of each unit: instructions that have ended when this one starts
    std::array<bool, isa::kUnits> posts_to{};
  };
  struct DramUse {
    std::uint32_t place;
    Access access;
  };

  Clock needed(int unit, const std::vector<Access>& accesses);
  void use(int unit, std::uint32_t place, const std::vector<Access>& accesses);
  void wait_for(Node* node, int poster_unit, std::uint32_t first_place);
  std::optional<std::uint32_t> post_from(int poster_unit, int waiting_unit,
                                         std::uint32_t first_place, int semaphore);
  Node* spare_poster(int from, int to);
  bool post_spare(int from, int to, int semaphore);
  std::vector<std::pair<int, std::int64_t>> banks(const Access& access) const;

  const Design& design_;
  Random& random_;
  std::vector<Node> nodes_;                                      // in order of generation
  std::array<std::vector<std::uint32_t>, isa::kUnits> by_unit_;  // indices into nodes_
  std::array<std::array<std::vector<int>, isa::kUnits>, isa::kUnits> semaphores_;  // [from][to]
  std::vector<std::vector<int>> shared_semaphores_;                                // [to]
  std::array<std::vector<int>, isa::kUnits> pending_waits_;  // shared semaphores still to be taken
  // Place + 1 of the last user of each bank, by space, bank and unit.
  std::array<std::vector<Clock>, 3> bank_users_;
  std::array<std::vector<DramUse>, isa::kUnits> dram_uses_;
};

}  // namespace tally
