// SPDX-License-Identifier: Apache-2.0
// Ops that move elements and compute nothing, on any format.
#include <cstring>

#include "models/ops/call.h"

namespace tally::ops {
namespace {

using ir::Tensor;
using ir::Type;

// A result of the op's type made of bytes.
class Bytes {
 public:
  explicit Bytes(const ir::Type& type)
      : type_{type.format, type.shape},
        data_(std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(type.bytes()))) {}

  std::byte* at(std::int64_t offset) { return data_->data() + offset; }
  Tensor tensor() const {
    return Tensor::view(type_, std::shared_ptr<const void>(data_, data_->data()));
  }

 private:
  Type type_;
  std::shared_ptr<std::vector<std::byte>> data_;
};

void copy(std::byte* to, const Tensor& from, std::int64_t offset, std::int64_t bytes) {
  std::memcpy(to, from.bytes().data() + offset, static_cast<std::size_t>(bytes));
}

// Bytes of one row of a matrix.
std::int64_t row_bytes(const Tensor& matrix) {
  return matrix.shape()[1] * format_bytes(matrix.type().format);
}

}  // namespace

Tensor reshape(const Call& call) { return call.operand("x").reshaped(call.result_shape()); }

Tensor transpose(const Call& call) {
  const Tensor& x = call.operand("x");
  Bytes y(call.op().result()->type);
  std::int64_t size = format_bytes(x.type().format);
  std::int64_t rows = x.shape()[0];
  std::int64_t columns = x.shape()[1];
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      copy(y.at((j * rows + i) * size), x, (i * columns + j) * size, size);
  return y.tensor();
}

Tensor concat_rows(const Call& call) {
  const Tensor& a = call.operand("a");
  const Tensor& b = call.operand("b");
  Bytes y(call.op().result()->type);
  copy(y.at(0), a, 0, a.type().bytes());
  copy(y.at(a.type().bytes()), b, 0, b.type().bytes());
  return y.tensor();
}

Tensor slice_rows(const Call& call) {
  const Tensor& x = call.operand("x");
  Bytes y(call.op().result()->type);
  copy(y.at(0), x, call.integer("begin") * row_bytes(x), call.op().result()->type.bytes());
  return y.tensor();
}

Tensor slice_columns(const Call& call) {
  const Tensor& x = call.operand("x");
  Bytes y(call.op().result()->type);
  std::int64_t begin = call.integer("begin") * format_bytes(x.type().format);
  std::int64_t part = call.result_shape()[1] * format_bytes(x.type().format);
  for (std::int64_t i = 0; i < x.shape()[0]; ++i)
    copy(y.at(i * part), x, i * row_bytes(x) + begin, part);
  return y.tensor();
}

Expected<Tensor> embedding(const Call& call) {
  auto ids = call.values<std::int32_t>("ids");
  const Tensor& table = call.operand("table");
  Bytes y(call.op().result()->type);
  std::int64_t bytes = row_bytes(table);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= table.shape()[0])
      return fail("id {} at position {} is not in 0..{}", ids[i], i, table.shape()[0] - 1);
    copy(y.at(static_cast<std::int64_t>(i) * bytes), table, ids[i] * bytes, bytes);
  }
  return y.tensor();
}

Expected<Tensor> cache_write(const Call& call) {
  const Tensor& cache = call.operand("cache");
  const Tensor& rows = call.operand("rows");
  std::int64_t position = call.values<std::int32_t>("position")[0];
  if (position < 0 || position + rows.shape()[0] > cache.shape()[0])
    return fail("{} rows at position {} do not fit into a cache of {}", rows.shape()[0], position,
                cache.shape()[0]);
  Bytes y(call.op().result()->type);
  copy(y.at(0), cache, 0, cache.type().bytes());
  copy(y.at(position * row_bytes(cache)), rows, 0, rows.type().bytes());
  return y.tensor();
}

}  // namespace tally::ops
