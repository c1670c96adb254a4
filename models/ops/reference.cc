// SPDX-License-Identifier: Apache-2.0
// Model-level ops in host fp32.
#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <limits>

#include "models/ops/call.h"

namespace tally::ops::reference {
namespace {

using ir::OpKind;
using ir::Tensor;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using View = Eigen::Map<const RowMajor>;
using RowView = Eigen::Map<const Eigen::RowVectorXf>;

View view(const Matrix<float>& matrix) {
  return View(matrix.values.data(), matrix.rows, matrix.columns);
}

RowView row_view(std::span<const float> values) {
  return RowView(values.data(), static_cast<Eigen::Index>(values.size()));
}

float gelu_erf(float x) { return 0.5f * x * (1.0f + std::erf(x * 0.70710678118654752f)); }

float gelu_tanh(float x) {
  constexpr float kRootTwoOverPi = 0.79788456080286536f;
  return 0.5f * x * (1.0f + std::tanh(kRootTwoOverPi * (x + 0.044715f * (x * x * x))));
}

float silu(float x) { return x / (1.0f + std::exp(-x)); }

float sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

template <class F>
Tensor map(const Call& call, F f) {
  auto x = call.values<float>("x");
  auto y = call.buffer<float>();
  for (std::size_t i = 0; i < x.size(); ++i) y[i] = f(x[i]);
  return Tensor::of(call.result_shape(), std::move(y));
}

}  // namespace

Tensor function(const Call& call) {
  switch (call.op().kind()) {
    case OpKind::kGeluErf:
      return map(call, gelu_erf);
    case OpKind::kGeluTanh:
      return map(call, gelu_tanh);
    case OpKind::kSilu:
      return map(call, silu);
    case OpKind::kTanh:
      return map(call, [](float x) { return std::tanh(x); });
    case OpKind::kSigmoid:
      return map(call, sigmoid);
    default:
      TALLY_CHECK(false, "{} is no function", call.op().info().name);
  }
  return {};
}

Tensor softmax(const Call& call) {
  auto x = call.matrix<float>("x");
  auto y = call.buffer<float>();
  for (std::int64_t i = 0; i < x.rows; ++i) {
    auto row = row_view(x.row(i)).array();
    Eigen::Map<Eigen::RowVectorXf> to(y.data() + i * x.columns, x.columns);
    to = (row - row.maxCoeff()).exp().matrix();
    to /= to.sum();
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor layernorm(const Call& call) {
  auto x = call.matrix<float>("x");
  auto gamma = row_view(call.values<float>("gamma")).array();
  auto beta = row_view(call.values<float>("beta")).array();
  auto y = call.buffer<float>();
  for (std::int64_t i = 0; i < x.rows; ++i) {
    auto row = row_view(x.row(i)).array();
    Eigen::RowVectorXf centred = (row - row.mean()).matrix();
    float variance = centred.squaredNorm() / static_cast<float>(x.columns);
    float inverse = 1.0f / std::sqrt(variance + call.real("eps"));
    Eigen::Map<Eigen::RowVectorXf>(y.data() + i * x.columns, x.columns) =
        (centred.array() * inverse * gamma + beta).matrix();
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor rmsnorm(const Call& call) {
  auto x = call.matrix<float>("x");
  auto gamma = row_view(call.values<float>("gamma")).array();
  auto y = call.buffer<float>();
  for (std::int64_t i = 0; i < x.rows; ++i) {
    auto row = row_view(x.row(i));
    float mean_square = row.squaredNorm() / static_cast<float>(x.columns);
    float inverse = 1.0f / std::sqrt(mean_square + call.real("eps"));
    Eigen::Map<Eigen::RowVectorXf>(y.data() + i * x.columns, x.columns) =
        (row.array() * inverse * gamma).matrix();
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

Tensor linear(const Call& call) {
  auto x = view(call.matrix<float>("x"));
  auto weight = view(call.matrix<float>("weight"));
  auto y = call.buffer<float>();
  Eigen::Map<RowMajor> to(y.data(), x.rows(), weight.rows());
  to.noalias() = x * weight.transpose();
  if (call.has("bias")) to.rowwise() += row_view(call.values<float>("bias"));
  return Tensor::of(call.result_shape(), std::move(y));
}

namespace {

using HeadStride = Eigen::OuterStride<>;
using HeadView = Eigen::Map<const RowMajor, 0, HeadStride>;

// Columns of one head of a matrix.
HeadView head_view(const Matrix<float>& matrix, std::int64_t head, std::int64_t width) {
  return HeadView(matrix.values.data() + head * width, matrix.rows, width,
                  HeadStride(matrix.columns));
}

// Scores of hidden keys become -infinity.
void hide(RowMajor& scores, bool causal, std::span<const float> mask) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  std::int64_t offset = scores.cols() - scores.rows();
  for (std::int64_t i = 0; i < scores.rows(); ++i)
    for (std::int64_t j = 0; j < scores.cols(); ++j) {
      bool masked =
          !mask.empty() && std::bit_cast<std::uint32_t>(mask[static_cast<std::size_t>(j)]) == 0;
      if (masked || (causal && j > i + offset)) scores(i, j) = kHidden;
    }
}

// Softmax of each row; 0 where everything is hidden.
void normalise(RowMajor& scores) {
  for (std::int64_t i = 0; i < scores.rows(); ++i) {
    auto row = scores.row(i).array();
    float largest = row.maxCoeff();
    if (std::isinf(largest) && largest < 0) {
      row.setZero();
      continue;
    }
    row = (row - largest).exp();
    row /= row.sum();
  }
}

}  // namespace

Tensor attention(const Call& call) {
  auto q = call.matrix<float>("q");
  auto k = call.matrix<float>("k");
  auto v = call.matrix<float>("v");
  std::int64_t heads = call.integer("heads");
  std::int64_t shared = heads / call.integer("kv_heads");
  std::int64_t width = q.columns / heads;
  std::int64_t value_width = v.columns / call.integer("kv_heads");
  auto y = call.buffer<float>();
  for (std::int64_t head = 0; head < heads; ++head) {
    RowMajor scores = call.real("scale") *
                      (head_view(q, head, width) * head_view(k, head / shared, width).transpose());
    hide(scores, call.op().get<bool>("causal"), call.values<float>("mask"));
    normalise(scores);
    Eigen::Map<RowMajor, 0, HeadStride> to(y.data() + head * value_width, q.rows, value_width,
                                           HeadStride(heads * value_width));
    to.noalias() = scores * head_view(v, head / shared, value_width);
  }
  return Tensor::of(call.result_shape(), std::move(y));
}

}  // namespace tally::ops::reference
