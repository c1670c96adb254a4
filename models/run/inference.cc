// SPDX-License-Identifier: Apache-2.0
#include "models/run/inference.h"

#include <algorithm>
#include <cstring>

namespace tally {
namespace {

ir::Format format_of(isa::Element element) {
  switch (element) {
    case isa::Element::kF32:
      return ir::Format::kF32;
    case isa::Element::kI32:
      return ir::Format::kI32;
    case isa::Element::kI8:
      return ir::Format::kI8;
    case isa::Element::kU8:
      return ir::Format::kU8;
  }
  TALLY_CHECK(false);
  __builtin_unreachable();
}

template <class T>
ir::Tensor tensor_of(const Binding& binding, const std::uint8_t* from) {
  std::vector<T> values(std::size_t(binding.rows * binding.columns));
  for (std::int64_t row = 0; row < binding.rows; ++row)
    std::memcpy(values.data() + row * binding.columns, from + row * binding.pitch_bytes,
                std::size_t(binding.columns) * sizeof(T));
  return ir::Tensor::of({binding.rows, binding.columns}, std::move(values));
}

}  // namespace

Expected<Inference> Inference::create(const Program& program, const Design& design) {
  TALLY_TRY(check_design(program, design));
  Inference inference(program, DramImage(design.dram_capacity_bytes));
  TALLY_TRY(program.load_into(&inference.dram_));
  return inference;
}

std::uint64_t Inference::address(const Binding& binding) const {
  return program_->region_address(binding.region) + binding.offset;
}

Status Inference::write(const Binding& binding, const ir::Tensor& tensor) {
  const ir::Format format = format_of(binding.element);
  if (tensor.type().format != format || tensor.elements() != binding.rows * binding.columns)
    return fail("input '{}' is {}, the program takes {} values of {}", binding.name,
                ir::type_text(tensor.type()), binding.rows * binding.columns,
                ir::format_name(format));
  const std::size_t row_bytes = tensor.bytes().size() / std::size_t(binding.rows);
  const auto* from = reinterpret_cast<const std::uint8_t*>(tensor.data());
  for (std::int64_t row = 0; row < binding.rows; ++row)
    dram_.write(address(binding) + std::uint64_t(row * binding.pitch_bytes),
                {from + std::size_t(row) * row_bytes, row_bytes});
  return {};
}

ir::Tensor Inference::read(const Binding& binding) const {
  const std::uint8_t* from = dram_.data() + address(binding);
  switch (binding.element) {
    case isa::Element::kF32:
      return tensor_of<float>(binding, from);
    case isa::Element::kI32:
      return tensor_of<std::int32_t>(binding, from);
    case isa::Element::kI8:
      return tensor_of<std::int8_t>(binding, from);
    case isa::Element::kU8:
      return tensor_of<std::uint8_t>(binding, from);
  }
  TALLY_CHECK(false);
  __builtin_unreachable();
}

Expected<Inference::Result> Inference::run(const ops::Tensors& inputs, const RunOptions& options,
                                           Machine* machine) {
  for (const auto& [name, tensor] : inputs) {
    const auto known = [&, &name = name](const Binding& binding) { return binding.name == name; };
    if (std::none_of(program_->inputs.begin(), program_->inputs.end(), known))
      return fail("the program has no input '{}'", name);
  }
  for (const Binding& binding : program_->inputs) {
    const auto found = inputs.find(binding.name);
    if (found == inputs.end()) return fail("input '{}' is missing", binding.name);
    TALLY_TRY(write(binding, found->second));
  }
  Result result;
  TALLY_ASSIGN(result.run, machine->run(program_->place(), options, &dram_));
  if (result.run.outcome == Outcome::kFinished)
    for (const Binding& binding : program_->outputs) result.outputs[binding.name] = read(binding);
  return result;
}

}  // namespace tally
