// SPDX-License-Identifier: Apache-2.0
// What the kernels of this folder share: an op with its operand values, and views of matrices.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "compiler/ir/ir.h"

namespace tally::ops {

// A row-major matrix of operands.
template <class T>
struct Matrix {
  std::span<const T> values;
  std::int64_t rows;
  std::int64_t columns;

  std::span<const T> row(std::int64_t i) const {
    return values.subspan(static_cast<std::size_t>(i * columns), static_cast<std::size_t>(columns));
  }
};

class Call {
 public:
  Call(const ir::Op& op, std::span<const ir::Tensor* const> operands)
      : op_(op), operands_(operands) {}

  const ir::Op& op() const { return op_; }
  bool has(std::string_view operand) const { return find(operand) != nullptr; }
  const ir::Tensor& operand(std::string_view name) const { return *find(name); }
  const ir::Tensor& operand(std::size_t index) const { return *operands_[index]; }
  // The elements of an operand; empty where it is absent.
  template <class T>
  std::span<const T> values(std::string_view name) const {
    return has(name) ? operand(name).as<T>() : std::span<const T>();
  }
  template <class T>
  Matrix<T> matrix(std::string_view name) const {
    const ir::Tensor& tensor = operand(name);
    return {tensor.as<T>(), tensor.shape()[0], tensor.shape()[1]};
  }
  std::int64_t integer(std::string_view attribute) const {
    return op_.get<std::int64_t>(attribute);
  }
  float real(std::string_view attribute) const { return op_.get<float>(attribute); }
  const ir::Shape& result_shape(std::size_t index = 0) const {
    return op_.result(index)->type.shape;
  }
  // A result buffer, to be filled.
  template <class T>
  std::vector<T> buffer(std::size_t index = 0) const {
    return std::vector<T>(static_cast<std::size_t>(op_.result(index)->type.elements()));
  }

 private:
  const ir::Tensor* find(std::string_view name) const {
    return operands_[op_.info().operand_index(name)];
  }

  const ir::Op& op_;
  std::span<const ir::Tensor* const> operands_;
};

// Moves (movement.cc): any format.
ir::Tensor reshape(const Call& call);
ir::Tensor transpose(const Call& call);
ir::Tensor concat_rows(const Call& call);
ir::Tensor slice_rows(const Call& call);
ir::Tensor slice_columns(const Call& call);
Expected<ir::Tensor> embedding(const Call& call);
Expected<ir::Tensor> cache_write(const Call& call);

// One semantics at both levels (elementwise.cc).
ir::Tensor add(const Call& call);
ir::Tensor mul(const Call& call);
ir::Tensor relu(const Call& call);
ir::Tensor rope(const Call& call);
ir::Tensor patchify(const Call& call);

// Host fp32 (reference.cc, reference_attention.cc).
namespace reference {
ir::Tensor function(const Call& call);
ir::Tensor softmax(const Call& call);
ir::Tensor layernorm(const Call& call);
ir::Tensor rmsnorm(const Call& call);
ir::Tensor linear(const Call& call);
ir::Tensor attention(const Call& call);
}  // namespace reference

// The machines' bits (exact.cc, exact_quantised.cc, exact_attention.cc).
namespace exact {
ir::Tensor function(const Call& call);
ir::Tensor softmax(const Call& call);
ir::Tensor layernorm(const Call& call);
ir::Tensor rmsnorm(const Call& call);
std::vector<ir::Tensor> quantize_rows(const Call& call);
ir::Tensor quantize_static(const Call& call);
ir::Tensor matmul_i8(const Call& call);
ir::Tensor dequantize(const Call& call);
ir::Tensor requantize(const Call& call);
ir::Tensor attention_i8(const Call& call);
}  // namespace exact

}  // namespace tally::ops
