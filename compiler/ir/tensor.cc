// SPDX-License-Identifier: Apache-2.0
#include "compiler/ir/tensor.h"

#include <algorithm>

namespace tally::ir {

Tensor Tensor::reshaped(Shape shape) const {
  TALLY_CHECK(element_count(shape) == elements(), "{} to {}", type_text(type_), shape_text(shape));
  return Tensor({type_.format, std::move(shape), type_.space}, data_);
}

bool Tensor::operator==(const Tensor& other) const {
  return type_ == other.type_ && std::ranges::equal(bytes(), other.bytes());
}

}  // namespace tally::ir
