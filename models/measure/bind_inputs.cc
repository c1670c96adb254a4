// SPDX-License-Identifier: Apache-2.0
#include "models/measure/bind_inputs.h"

namespace tally::measure {
namespace {

void add_rows(const Binding& binding, const ir::Tensor& tensor, Program* program) {
  const auto bytes = tensor.bytes();
  const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::size_t row_bytes = bytes.size() / static_cast<std::size_t>(binding.rows);
  for (std::int64_t row = 0; row < binding.rows; ++row) {
    const std::uint8_t* begin = from + static_cast<std::size_t>(row) * row_bytes;
    program->segments.push_back(
        {binding.region,
         binding.offset + static_cast<std::uint64_t>(row * binding.pitch_bytes),
         {begin, begin + row_bytes}});
  }
}

}  // namespace

Expected<Program> bind_inputs(const Program& program, const ops::Tensors& inputs) {
  Program bound = program;
  for (const Binding& binding : program.inputs) {
    const auto tensor = inputs.find(binding.name);
    if (tensor == inputs.end()) return fail("input '{}' is not given", binding.name);
    if (tensor->second.elements() != binding.rows * binding.columns)
      return fail("input '{}' is {}, the program takes {} x {} values", binding.name,
                  ir::type_text(tensor->second.type()), binding.rows, binding.columns);
    add_rows(binding, tensor->second, &bound);
  }
  return bound;
}

}  // namespace tally::measure
