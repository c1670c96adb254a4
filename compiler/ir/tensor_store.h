// SPDX-License-Identifier: Apache-2.0
// Named tensors of a module that are made only when asked for, so that a large model is never in
// memory as a whole. Copies of a store share the entries and what they have cached.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "compiler/ir/tensor.h"

namespace tally::ir {

class LazyTensor {
 public:
  // Makes the value; called from any thread.
  using Loader = std::function<Expected<Tensor>()>;

  LazyTensor(Type type, Loader loader) : type_(std::move(type)), loader_(std::move(loader)) {}

  const Type& type() const { return type_; }
  // The value, made anew (or what cached() kept). An error where the loader fails.
  Expected<Tensor> load() const;
  // The value, kept for later calls.
  Expected<Tensor> cached() const;
  // Forgets what cached() kept.
  void drop() const;

 private:
  Expected<Tensor> make() const;

  Type type_;
  Loader loader_;
  mutable std::mutex mutex_;
  mutable std::optional<Tensor> cache_;
};

class TensorStore {
 public:
  // Adds or replaces an entry.
  void add(const std::string& name, Type type, LazyTensor::Loader loader);
  void add(const std::string& name, Tensor value);
  // Null where there is no such entry.
  std::shared_ptr<const LazyTensor> find(const std::string& name) const;
  const std::map<std::string, std::shared_ptr<const LazyTensor>>& entries() const {
    return entries_;
  }

 private:
  std::map<std::string, std::shared_ptr<const LazyTensor>> entries_;
};

}  // namespace tally::ir
