// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/dependence.h"

#include <algorithm>
#include <map>

namespace tally::schedule {
namespace {

using PerUnit = std::array<int, isa::kUnits>;

PerUnit nobody() {
  PerUnit last;
  last.fill(kNoTask);
  return last;
}

void merge(const PerUnit& from, int except, PerUnit* into) {
  for (int unit = 0; unit < isa::kUnits; ++unit)
    if (unit != except) (*into)[unit] = std::max((*into)[unit], from[unit]);
}

// The last task that touched each piece of an address range.
class IntervalMap {
 public:
  // Latest task over the pieces that overlap begin..end-1.
  int last(std::int64_t begin, std::int64_t end) const {
    int latest = kNoTask;
    auto piece = pieces_.upper_bound(begin);
    if (piece != pieces_.begin()) --piece;
    for (; piece != pieces_.end() && piece->first < end; ++piece)
      if (piece->second.end > begin) latest = std::max(latest, piece->second.task);
    return latest;
  }

  void set(std::int64_t begin, std::int64_t end, int task) {
    split(begin);
    split(end);
    pieces_.erase(pieces_.lower_bound(begin), pieces_.lower_bound(end));
    pieces_[begin] = {end, task};
  }

 private:
  struct Piece {
    std::int64_t end;
    int task;
  };

  void split(std::int64_t at) {
    auto piece = pieces_.lower_bound(at);
    if (piece == pieces_.begin()) return;
    --piece;
    if (piece->second.end <= at) return;
    pieces_[at] = piece->second;
    piece->second.end = at;
  }

  std::map<std::int64_t, Piece> pieces_;
};

class Finder {
 public:
  explicit Finder(const Design& design)
      : bank_bytes_{design.activations.bank_bytes, design.weights.bank_bytes,
                    design.accumulators.bank_bytes} {
    const int banks[] = {design.activations.banks, design.weights.banks, design.accumulators.banks};
    for (int space = 0; space < 3; ++space) last_in_bank_[space].assign(banks[space], nobody());
  }

  PerUnit visit(int index, const Task& task) {
    unit_ = int(unit_of(task));
    index_ = index;
    PerUnit needed = nobody();
    for (const Range& range : task.reads) on_chip_or_dram(range, false, &needed);
    for (const Range& range : task.writes) on_chip_or_dram(range, true, &needed);
    return needed;
  }

 private:
  void on_chip_or_dram(const Range& range, bool write, PerUnit* needed) {
    if (range.begin >= range.end) return;
    if (range.place < kDramPlace)
      on_chip(range, needed);
    else
      in_dram(range, write, needed);
  }

  void on_chip(const Range& range, PerUnit* needed) {
    const std::int64_t bytes = bank_bytes_[range.place];
    for (std::int64_t bank = range.begin / bytes; bank <= (range.end - 1) / bytes; ++bank) {
      PerUnit& last = last_in_bank_[range.place][bank];
      merge(last, unit_, needed);
      last[unit_] = index_;
    }
  }

  void in_dram(const Range& range, bool write, PerUnit* needed) {
    IntervalMap& others = write ? loads_[range.place] : stores_[range.place];
    IntervalMap& own = write ? stores_[range.place] : loads_[range.place];
    const int other = int(write ? isa::Unit::kLoad : isa::Unit::kStore);
    (*needed)[other] = std::max((*needed)[other], others.last(range.begin, range.end));
    own.set(range.begin, range.end, index_);
  }

  std::int64_t bank_bytes_[3];
  std::vector<PerUnit> last_in_bank_[3];
  std::map<int, IntervalMap> loads_, stores_;
  int unit_ = 0, index_ = 0;
};

}  // namespace

Dependences find_dependences(std::span<const Task> tasks, const Design& design) {
  Finder finder(design);
  Dependences dependences;
  dependences.reserve(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i)
    dependences.push_back(finder.visit(int(i), tasks[i]));
  return dependences;
}

}  // namespace tally::schedule
