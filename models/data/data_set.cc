// SPDX-License-Identifier: Apache-2.0
#include "models/data/data_set.h"

#include <unordered_map>

#include "models/base/sha256.h"

namespace tally {
namespace {

template <class T>
void update(Sha256& hash, const std::vector<T>& values) {
  const std::uint64_t size = values.size();
  hash.update(&size, sizeof size);
  hash.update(values.data(), values.size() * sizeof(T));
}

std::string sample_sha256(const DataSet& set, std::size_t i) {
  Sha256 hash;
  switch (set.task) {
    case Task::kLm:
      update(hash, set.sequences[i]);
      break;
    case Task::kClassify:
      update(hash, set.inputs[i]);
      break;
    case Task::kSimilarity:
      update(hash, set.pairs[i].a);
      update(hash, set.pairs[i].b);
      break;
  }
  return hash.hex();
}

}  // namespace

std::string_view task_name(Task task) {
  switch (task) {
    case Task::kLm:
      return "lm";
    case Task::kClassify:
      return "classify";
    case Task::kSimilarity:
      return "similarity";
  }
  TALLY_CHECK(false, "unknown task");
}

Expected<std::vector<std::uint64_t>> pick_samples(std::string_view set, std::size_t total,
                                                  std::optional<std::size_t> limit, Pick pick) {
  const std::size_t count = limit.value_or(total);
  if (count == 0) return fail("{}: asked for 0 samples; take at least 1", set);
  if (count > total) return fail("{}: asked for {} samples, but it has {}", set, count, total);
  std::vector<std::uint64_t> indices(count);
  for (std::size_t i = 0; i < count; ++i)
    indices[i] = pick == Pick::kFirst ? i : static_cast<std::uint64_t>(i) * total / count;
  return indices;
}

std::string indices_sha256(const DataSet& set) {
  Sha256 hash;
  for (const std::uint64_t index : set.indices) {
    const std::string line = fmt::format("{}\n", index);
    hash.update(line.data(), line.size());
  }
  return hash.hex();
}

std::optional<SharedSample> first_shared_sample(const DataSet& a, const DataSet& b) {
  if (a.task != b.task) return std::nullopt;
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < a.samples(); ++i) positions.emplace(sample_sha256(a, i), i);
  for (std::size_t i = 0; i < b.samples(); ++i) {
    const auto found = positions.find(sample_sha256(b, i));
    if (found != positions.end()) return SharedSample{found->second, i};
  }
  return std::nullopt;
}

}  // namespace tally
