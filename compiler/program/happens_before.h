// SPDX-License-Identifier: Apache-2.0
// Which instructions have certainly ended before another starts, whatever the times: instructions
// of one unit in their order, and through semaphores. With several posting units the k-th wait is
// ordered after exactly those posts without which there could not be k.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/isa/isa.h"
#include "compiler/program/execution_order.h"

namespace tally {

class HappensBefore {
 public:
  HappensBefore(std::span<const isa::Instruction> instructions, const ExecutionOrder& order);

  // a has ended when b starts; for two instructions of one unit: a comes first.
  bool before(std::uint32_t a, std::uint32_t b) const;
  bool ordered(std::uint32_t a, std::uint32_t b) const { return before(a, b) || before(b, a); }
  // How many instructions of `unit`, from its first on, have ended when `sequence` starts (its own
  // unit: come before it).
  std::uint32_t ended(std::uint32_t sequence, isa::Unit unit) const {
    return clocks_[sequence][int(unit)];
  }
  // Instructions of a unit in their order, and the place of an instruction among them.
  const std::vector<std::uint32_t>& of_unit(isa::Unit unit) const { return units_[int(unit)]; }
  std::uint32_t place(std::uint32_t sequence) const { return places_[sequence]; }

 private:
  using Clock = std::array<std::uint32_t, isa::kUnits>;
  // Posts of one semaphore, by unit: places of the posting instructions in their unit.
  using Posts = std::array<std::vector<std::uint32_t>, isa::kUnits>;

  bool pass(const ExecutionOrder& order);
  void order_after_posts(std::uint32_t sequence, int semaphore, std::size_t takes, Clock* clock);
  std::size_t possible_posts(const Posts& posts, int of_unit, std::uint32_t taker, int without_unit,
                             std::uint32_t without_place) const;
  int unit(std::uint32_t sequence) const { return int(isa::unit_of(instructions_[sequence])); }

  std::span<const isa::Instruction> instructions_;
  std::array<std::vector<std::uint32_t>, isa::kUnits> units_;
  std::vector<std::uint32_t> places_;
  std::array<Posts, isa::kSemaphores> posts_;
  std::vector<Clock> clocks_;
};

}  // namespace tally
