// SPDX-License-Identifier: Apache-2.0
#include "cli/npy_output.h"

#include "models/io/npy.h"

namespace tally::cli {
namespace {

const ir::Tensor& main_output(const ops::Tensors& outputs) {
  const auto logits = outputs.find("logits");
  return logits != outputs.end() ? logits->second : outputs.at("hidden");
}

Expected<ir::Tensor> stacked(const std::vector<ops::Tensors>& outputs) {
  const ir::Tensor& first = main_output(outputs.front());
  if (outputs.size() == 1) return first;
  std::vector<float> values;
  for (const ops::Tensors& one : outputs) {
    const ir::Tensor& tensor = main_output(one);
    if (tensor.shape() != first.shape())
      return fail("--output: inferences of shapes {} and {} do not fit into one array; use -n 1",
                  ir::shape_text(first.shape()), ir::shape_text(tensor.shape()));
    values.insert(values.end(), tensor.as<float>().begin(), tensor.as<float>().end());
  }
  ir::Shape shape = first.shape();
  shape.insert(shape.begin(), static_cast<std::int64_t>(outputs.size()));
  return ir::Tensor::of(shape, std::move(values));
}

}  // namespace

Status write_outputs(const std::string& path, const std::vector<ops::Tensors>& outputs) {
  TALLY_ASSIGN(const ir::Tensor tensor, stacked(outputs));
  return io::write_npy(path, tensor);
}

}  // namespace tally::cli
