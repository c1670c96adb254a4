// SPDX-License-Identifier: Apache-2.0
// A dense row-major tensor value: a type and its bytes, shared and read-only once made.
// The bytes may be a view of a mapped file, which the tensor then keeps alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compiler/ir/type.h"

namespace tally::ir {

template <class T>
constexpr Format format_of() {
  if constexpr (std::is_same_v<T, float>) return Format::kF32;
  if constexpr (std::is_same_v<T, std::int8_t>) return Format::kI8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return Format::kU8;
  if constexpr (std::is_same_v<T, std::int32_t>) return Format::kI32;
}

class Tensor {
 public:
  Tensor() = default;

  // Takes `values`, row-major; their count is that of `shape`.
  template <class T>
  static Tensor of(Shape shape, std::vector<T> values) {
    TALLY_CHECK(element_count(shape) == static_cast<std::int64_t>(values.size()),
                "{} values for {}", values.size(), shape_text(shape));
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    const void* data = owner->data();
    return Tensor({format_of<T>(), std::move(shape)}, std::shared_ptr<const void>(owner, data));
  }
  // Views type.bytes() bytes at `data`, aligned for the format, that live as long as `data` does.
  static Tensor view(Type type, std::shared_ptr<const void> data) {
    return Tensor(std::move(type), std::move(data));
  }

  const Type& type() const { return type_; }
  const Shape& shape() const { return type_.shape; }
  std::int64_t elements() const { return type_.elements(); }
  const void* data() const { return data_.get(); }
  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(data_.get()), static_cast<std::size_t>(type_.bytes())};
  }
  // The elements; T is the type's own (float, int8_t, uint8_t, int32_t).
  template <class T>
  std::span<const T> as() const {
    TALLY_CHECK(format_of<T>() == type_.format, "tensor is {}", type_text(type_));
    return {static_cast<const T*>(data_.get()), static_cast<std::size_t>(type_.elements())};
  }
  // The same elements under another shape of equal count.
  Tensor reshaped(Shape shape) const;

  // Same type and same bits.
  bool operator==(const Tensor& other) const;

 private:
  Tensor(Type type, std::shared_ptr<const void> data)
      : type_(std::move(type)), data_(std::move(data)) {}

  Type type_;
  std::shared_ptr<const void> data_;
};

}  // namespace tally::ir
