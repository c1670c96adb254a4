// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/weight_quantiser.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compiler/ir/builder.h"
#include "models/numeric/f32.h"
#include "models/numeric/quantize.h"

namespace tally::passes {
namespace {

using Source = std::shared_ptr<const ir::LazyTensor>;
using Make = std::function<Expected<ir::Tensor>(const ir::Tensor& weight)>;

std::size_t rows_of(const ir::Tensor& weight) {
  return static_cast<std::size_t>(weight.shape().at(0));
}

std::size_t columns_of(const ir::Tensor& weight) {
  return static_cast<std::size_t>(weight.shape().at(1));
}

std::span<const float> row(const ir::Tensor& weight, std::size_t n) {
  return weight.as<float>().subspan(n * columns_of(weight), columns_of(weight));
}

struct Quantised {
  std::vector<std::int8_t> values;  // [N, K]
  std::vector<float> scales;        // [N]
};

// Each row by itself, or all by the scale of the row that has the largest value.
Expected<Quantised> quantise(const ir::Tensor& weight, WeightGranularity granularity) {
  Quantised quantised{std::vector<std::int8_t>(static_cast<std::size_t>(weight.elements())),
                      std::vector<float>(rows_of(weight))};
  const std::size_t columns = columns_of(weight);
  for (std::size_t n = 0; n < rows_of(weight); ++n) {
    quantised.scales[n] =
        quantize_row_i8(row(weight, n).data(), columns, quantised.values.data() + n * columns);
    if (!std::isfinite(quantised.scales[n]))
      return fail("row {} has a value that is not finite", n);
  }
  if (granularity == WeightGranularity::kTensor) {
    const float scale = *std::max_element(quantised.scales.begin(), quantised.scales.end());
    std::ranges::fill(quantised.scales, scale);
    quantize_i8(weight.as<float>().data(), quantised.values.size(), {scale, 0},
                quantised.values.data());
  }
  return quantised;
}

// f32[N]: the scales of the weight times that of the activations.
Expected<ir::Tensor> scaled(const ir::Tensor& weight, WeightGranularity granularity, float scale) {
  TALLY_ASSIGN(Quantised quantised, quantise(weight, granularity));
  for (float& value : quantised.scales) value = f32::mul(value, scale);
  return ir::Tensor::of<float>({weight.shape()[0]}, std::move(quantised.scales));
}

// i32[N]. |zero_point| <= 255 and |values| <= 127: the type rule of matmul_i8 bounds K so that
// products and offset together stay within int32.
Expected<ir::Tensor> offsets(const ir::Tensor& weight, WeightGranularity granularity,
                             std::int64_t zero_point) {
  TALLY_ASSIGN(const ir::Tensor values, weight_values(weight, granularity));
  std::vector<std::int32_t> offset(rows_of(weight));
  for (std::size_t n = 0; n < offset.size(); ++n) {
    const auto row = values.as<std::int8_t>().subspan(n * columns_of(weight), columns_of(weight));
    const auto sum = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    offset[n] = static_cast<std::int32_t>(-zero_point * sum);
  }
  return ir::Tensor::of<std::int32_t>({weight.shape()[0]}, std::move(offset));
}

struct NamedSource {
  std::string name;
  Source source;
};

Expected<NamedSource> source_of(const ir::Module& module, const ir::Value& weight) {
  const ir::Op& constant = *weight.producer();
  if (constant.kind() != ir::OpKind::kConstant)
    return fail("weight %{} is computed by {}; only constant weights can be quantised",
                weight.name(), ir::describe(constant));
  if (constant.has("value")) {
    const auto value = constant.get<ir::Tensor>("value");
    return NamedSource{
        fmt::format("%{}", weight.name()),
        std::make_shared<const ir::LazyTensor>(weight.type, [value] { return value; })};
  }
  const auto& name = constant.get<std::string>("tensor");
  Source source = module.store().find(name);
  if (source == nullptr) return fail("tensor '{}' is not in the module's store", name);
  return NamedSource{name, source};
}

// A store entry computed from `source` when asked for, and a constant that names it.
class TensorMaker {
 public:
  TensorMaker(ir::Module& module, const ir::Op& before, NamedSource source)
      : module_(module),
        builder_(before.function(), &before),
        name_(std::move(source.name)),
        source_(std::move(source.source)) {
    builder_.set_node(before.node);
  }

  ir::Value* add(const std::string& suffix, ir::Type type, Make make) {
    const std::string name = name_ + suffix;
    module_.store().add(name, type,
                        [name = name_, source = source_, make]() -> Expected<ir::Tensor> {
                          TALLY_ASSIGN(const ir::Tensor weight, source->load());
                          auto made = make(weight);
                          if (!made) return fail("tensor '{}': {}", name, made.error().message);
                          return made;
                        });
    return builder_.constant(name, std::move(type));
  }

 private:
  ir::Module& module_;
  ir::Builder builder_;
  std::string name_;
  Source source_;
};

}  // namespace

Expected<ir::Tensor> weight_values(const ir::Tensor& weight, WeightGranularity granularity) {
  TALLY_ASSIGN(Quantised quantised, quantise(weight, granularity));
  return ir::Tensor::of<std::int8_t>(weight.shape(), std::move(quantised.values));
}

Expected<ir::Tensor> weight_scales(const ir::Tensor& weight, WeightGranularity granularity) {
  return scaled(weight, granularity, 1);
}

Expected<QuantisedWeight> quantise_weight(ir::Module& module, const ir::Op& before,
                                          const ir::Value& weight, WeightGranularity granularity,
                                          const ActivationScale& activations) {
  TALLY_ASSIGN(NamedSource source, source_of(module, weight));
  TensorMaker maker(module, before, std::move(source));
  const std::string base = granularity == WeightGranularity::kTensor ? ".int8.tensor" : ".int8";
  const ir::Shape& shape = weight.type.shape;
  const float scale = activations.scale;
  const std::int64_t zero_point = activations.zero_point;

  QuantisedWeight quantised;
  quantised.values = maker.add(base, {ir::Format::kI8, shape},
                               [=](const ir::Tensor& w) { return weight_values(w, granularity); });
  const std::string times = scale == 1 ? "" : fmt::format("({})", ir::float_text(scale));
  quantised.scales = maker.add(base + ".scale" + times, {ir::Format::kF32, {shape[0]}},
                               [=](const ir::Tensor& w) { return scaled(w, granularity, scale); });
  if (zero_point != 0)
    quantised.offset =
        maker.add(fmt::format("{}.offset({})", base, zero_point), {ir::Format::kI32, {shape[0]}},
                  [=](const ir::Tensor& w) { return offsets(w, granularity, zero_point); });
  return quantised;
}

}  // namespace tally::passes
