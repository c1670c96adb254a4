// SPDX-License-Identifier: Apache-2.0
// A data set in memory: what a model is calibrated on or measured with, and which samples were
// taken. The samples are raw: token ids, or pixel values 0..255; normalisation belongs to the
// model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"

namespace tally {

enum class Task {
  kLm,          // perplexity over all tokens but the first of each sequence
  kClassify,    // top-1
  kSimilarity,  // Spearman correlation of cosines with scores
};

// The task's name in JSON: "lm", "classify", "similarity".
std::string_view task_name(Task task);

struct SentencePair {
  std::vector<std::int32_t> a;
  std::vector<std::int32_t> b;
  double score = 0;
};

struct DataSet {
  std::string name;  // the set's name or the path of its file
  Task task = Task::kLm;
  std::vector<std::vector<std::int32_t>> sequences;  // kLm: ids, at least two a sequence
  std::vector<std::vector<float>> inputs;            // kClassify: pixels [C, H, W] flat, or ids
  std::vector<std::int32_t> labels;                  // kClassify: one an input
  std::vector<SentencePair> pairs;                   // kSimilarity
  std::vector<std::uint64_t> indices;                // number of each sample within the whole set

  std::size_t samples() const { return indices.size(); }
};

// How a part of a set is chosen: the first n samples, or n spread evenly (sample i of n is
// floor(i * total / n)) where neighbours resemble each other, as in a running text.
enum class Pick { kFirst, kSpread };

// The numbers of the samples taken of `total`; no limit takes all. Refuses a limit of 0 or above
// `total`, naming the set.
Expected<std::vector<std::uint64_t>> pick_samples(std::string_view set, std::size_t total,
                                                  std::optional<std::size_t> limit, Pick pick);

// SHA-256 of the indices, each written in decimal and followed by a newline.
std::string indices_sha256(const DataSet& set);

// Positions (within the two sets in memory) of one sample that both contain, labels and scores
// aside: calibration and evaluation data must not share any. Compares contents, so a copy under
// another name is found; a text cut at other places is not.
struct SharedSample {
  std::size_t in_a = 0;
  std::size_t in_b = 0;
};
std::optional<SharedSample> first_shared_sample(const DataSet& a, const DataSet& b);

}  // namespace tally
