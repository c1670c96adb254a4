// SPDX-License-Identifier: Apache-2.0
// Finds the tensors that a model needs among the stored ones and puts them into its store:
// prefixes, shapes, finite values, and the views (transposed parts, other shapes) that make all
// families look alike.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/tensor_store.h"
#include "models/io/weights.h"

namespace tally::nets {

// The embedding and the head of a language model.
struct EmbeddingNames {
  std::string embedding;
  std::string head;
  // tie_word_embeddings, and where it was said, for messages.
  bool tied = false;
  std::string config;
};

class Binder {
 public:
  // Names are tried with each prefix.
  Binder(std::shared_ptr<const io::Weights> weights, std::vector<std::string> prefixes,
         ir::TensorStore* store)
      : weights_(std::move(weights)), prefixes_(std::move(prefixes)), store_(store) {}

  // The tensor of that shape, under its own name.
  Status bind(const std::string& name, const ir::Shape& shape) {
    return bind_reshaped(name, shape, shape);
  }
  // Stored as `stored`, used as `used` (equal element counts).
  Status bind_reshaped(const std::string& name, const ir::Shape& stored, const ir::Shape& used);
  // A Conv1D: `name`.weight (in, total) and .bias (total), columns in `parts` equal parts, each put
  // as (out, in) and (out) under NAME.PART, or NAME where there is one part without a name.
  Status bind_conv1d(const std::string& name, std::int64_t in, std::int64_t total,
                     const std::vector<std::string>& parts);
  // Embedding and head of shape (vocabulary, hidden), by the rule in import.h.
  Status bind_embeddings(const EmbeddingNames& names, const ir::Shape& shape);

  // Shape as stored; an error where the tensor is missing.
  Expected<ir::Shape> stored_shape(const std::string& name) const;

 private:
  // The stored name, directly or by an alias; absent where there is none.
  Expected<std::optional<std::string>> find(const std::string& name) const;
  Expected<std::string> need(const std::string& name) const;
  // The stored name of a tensor of that shape with finite values.
  Expected<std::string> checked(const std::string& name, const ir::Shape& shape) const;
  Status check(const std::string& stored, const ir::Shape& shape) const;
  Status check_equal(const std::string& a, const std::string& b, const std::string& config) const;
  void put(const std::string& name, const std::string& stored, const ir::Shape& used);
  void put_columns(const std::string& name, const std::string& stored, std::int64_t first,
                   std::int64_t count);

  std::shared_ptr<const io::Weights> weights_;
  std::vector<std::string> prefixes_;
  ir::TensorStore* store_;
};

}  // namespace tally::nets
