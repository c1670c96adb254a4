// SPDX-License-Identifier: Apache-2.0
#include "models/measure/random_inputs.h"

#include <algorithm>

namespace tally::measure {
namespace {

using ir::Tensor;

template <class T, class F>
Tensor filled(const ir::Shape& shape, F next) {
  std::vector<T> values(static_cast<std::size_t>(ir::element_count(shape)));
  std::ranges::generate(values, next);
  return Tensor::of(shape, std::move(values));
}

// Ones for the keys 0 to position.
Tensor mask(const ir::Shape& shape, std::int64_t position) {
  std::int64_t key = 0;
  return filled<float>(shape, [&] { return key++ <= position ? 1.0F : 0.0F; });
}

// 24 bits, so that every value is exact.
float uniform(std::uint64_t bits) {
  return static_cast<float>(static_cast<std::int64_t>(bits >> 40) - (1 << 23)) * 0x1p-23F;
}

}  // namespace

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t x = state += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

ops::Tensors random_inputs(const ir::Module& graph, std::int64_t vocabulary, std::int64_t position,
                           std::uint64_t seed) {
  std::uint64_t state = seed;
  ops::Tensors inputs;
  for (const ir::Op* op : graph.main()->inputs()) {
    const auto& name = op->get<std::string>("name");
    const ir::Type& type = op->result()->type;
    if (name == "position") {
      inputs[name] = Tensor::of<std::int32_t>({1}, {static_cast<std::int32_t>(position)});
    } else if (name == "mask") {
      inputs[name] = mask(type.shape, position);
    } else if (type.format == ir::Format::kI32) {
      inputs[name] = filled<std::int32_t>(type.shape, [&] {
        return static_cast<std::int32_t>(next_random(state) %
                                         static_cast<std::uint64_t>(vocabulary));
      });
    } else if (type.format == ir::Format::kU8) {
      inputs[name] = filled<std::uint8_t>(
          type.shape, [&] { return static_cast<std::uint8_t>(next_random(state)); });
    } else {
      inputs[name] = filled<float>(type.shape, [&] { return uniform(next_random(state)); });
    }
  }
  return inputs;
}

}  // namespace tally::measure
