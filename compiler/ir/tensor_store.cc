// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/tensor_store.h"

namespace tally::ir {

Expected<Tensor> LazyTensor::make() const {
  TALLY_ASSIGN(Tensor value, loader_());
  TALLY_CHECK(value.type().same_value(type_), "loader of {} made {}", type_text(type_),
              type_text(value.type()));
  return value;
}

Expected<Tensor> LazyTensor::load() const {
  {
    std::lock_guard lock(mutex_);
    if (cache_) return *cache_;
  }
  return make();
}

Expected<Tensor> LazyTensor::cached() const {
  std::lock_guard lock(mutex_);
  if (!cache_) {
    TALLY_ASSIGN(cache_, make());
  }
  return *cache_;
}

void LazyTensor::drop() const {
  std::lock_guard lock(mutex_);
  cache_.reset();
}

void TensorStore::add(const std::string& name, Type type, LazyTensor::Loader loader) {
  entries_[name] = std::make_shared<const LazyTensor>(std::move(type), std::move(loader));
}

void TensorStore::add(const std::string& name, Tensor value) {
  Type type = value.type();
  add(name, std::move(type), [value = std::move(value)]() -> Expected<Tensor> { return value; });
}

std::shared_ptr<const LazyTensor> TensorStore::find(const std::string& name) const {
  auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second;
}

}  // namespace tally::ir
