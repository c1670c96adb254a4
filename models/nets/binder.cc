// SPDX-License-Identifier: Apache-2.0
#include "models/nets/binder.h"

#include <algorithm>

namespace tally::nets {
namespace {

using ir::Format;
using ir::Shape;
using ir::Tensor;

// Columns first to first + count - 1 of a matrix (in, total) as (count, in), or those elements of a
// vector.
Tensor columns(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  auto from = tensor.as<float>();
  std::int64_t in = tensor.shape().size() == 1 ? 1 : tensor.shape()[0];
  std::int64_t total = tensor.shape().back();
  std::vector<float> part;
  part.reserve(static_cast<std::size_t>(in * count));
  for (std::int64_t j = first; j < first + count; ++j)
    for (std::int64_t i = 0; i < in; ++i)
      part.push_back(from[static_cast<std::size_t>(i * total + j)]);
  Shape shape = tensor.shape().size() == 1 ? Shape{count} : Shape{count, in};
  return Tensor::of(shape, std::move(part));
}

}  // namespace

Expected<std::optional<std::string>> Binder::find(const std::string& name) const {
  std::optional<std::string> found;
  for (const std::string& prefix : prefixes_) {
    if (!weights_->has(prefix + name)) continue;
    if (found)
      return fail("{}: tensors '{}' and '{}' are both there", weights_->source(), *found,
                  prefix + name);
    found = prefix + name;
  }
  if (found) return found;
  for (const std::string& prefix : prefixes_) {
    auto alias = weights_->alias(prefix + name);
    if (alias && weights_->has(*alias)) return alias;
  }
  return std::nullopt;
}

Expected<std::string> Binder::need(const std::string& name) const {
  TALLY_ASSIGN(std::optional<std::string> found, find(name));
  if (!found) return fail("{}: tensor '{}' is missing", weights_->source(), name);
  return *found;
}

Status Binder::check(const std::string& stored, const Shape& shape) const {
  if (weights_->shape(stored) != shape)
    return fail("{}: tensor '{}' is {}, not {}", weights_->file(stored), stored,
                ir::shape_text(weights_->shape(stored)), ir::shape_text(shape));
  return weights_->check_finite(stored);
}

Expected<std::string> Binder::checked(const std::string& name, const Shape& shape) const {
  TALLY_ASSIGN(std::string stored, need(name));
  TALLY_TRY(check(stored, shape));
  return stored;
}

Expected<Shape> Binder::stored_shape(const std::string& name) const {
  TALLY_ASSIGN(std::string stored, need(name));
  return weights_->shape(stored);
}

void Binder::put(const std::string& name, const std::string& stored, const Shape& used) {
  auto load = [weights = weights_, stored, used]() -> Expected<Tensor> {
    TALLY_ASSIGN(Tensor tensor, weights->load(stored));
    return tensor.reshaped(used);
  };
  store_->add(name, {Format::kF32, used}, load);
}

void Binder::put_columns(const std::string& name, const std::string& stored, std::int64_t first,
                         std::int64_t count) {
  const Shape& shape = weights_->shape(stored);
  Shape used = shape.size() == 1 ? Shape{count} : Shape{count, shape[0]};
  auto load = [weights = weights_, stored, first, count]() -> Expected<Tensor> {
    TALLY_ASSIGN(Tensor tensor, weights->load(stored));
    return columns(tensor, first, count);
  };
  store_->add(name, {Format::kF32, used}, load);
}

Status Binder::bind_reshaped(const std::string& name, const Shape& stored, const Shape& used) {
  TALLY_ASSIGN(std::string found, checked(name, stored));
  put(name, found, used);
  return {};
}

Status Binder::bind_conv1d(const std::string& name, std::int64_t in, std::int64_t total,
                           const std::vector<std::string>& parts) {
  TALLY_ASSIGN(std::string weight, checked(name + ".weight", {in, total}));
  TALLY_ASSIGN(std::string bias, checked(name + ".bias", {total}));
  auto out = total / static_cast<std::int64_t>(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string part = parts[i].empty() ? name : name + "." + parts[i];
    put_columns(part + ".weight", weight, static_cast<std::int64_t>(i) * out, out);
    put_columns(part + ".bias", bias, static_cast<std::int64_t>(i) * out, out);
  }
  return {};
}

Status Binder::check_equal(const std::string& a, const std::string& b,
                           const std::string& config) const {
  TALLY_ASSIGN(Tensor left, weights_->load(a));
  TALLY_ASSIGN(Tensor right, weights_->load(b));
  if (std::ranges::equal(left.as<float>(), right.as<float>())) return {};
  return fail("{}: tensors '{}' and '{}' differ, but {} says that they are one", weights_->source(),
              a, b, config);
}

Status Binder::bind_embeddings(const EmbeddingNames& names, const Shape& shape) {
  if (!names.tied) {
    TALLY_TRY(bind(names.embedding, shape));
    return bind(names.head, shape);
  }
  TALLY_ASSIGN(std::optional<std::string> embedding, find(names.embedding));
  TALLY_ASSIGN(std::optional<std::string> head, find(names.head));
  if (!embedding && !head)
    return fail("{}: tensor '{}' is missing, and so is '{}'", weights_->source(), names.embedding,
                names.head);
  for (const auto& stored : {embedding, head})
    if (stored) TALLY_TRY(check(*stored, shape));
  if (embedding && head && *embedding != *head)
    TALLY_TRY(check_equal(*embedding, *head, names.config));
  const std::string& stored = embedding ? *embedding : *head;
  put(names.embedding, stored, shape);
  put(names.head, stored, shape);
  return {};
}

}  // namespace tally::nets
