// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/calibration.h"

#include "models/numeric/f32.h"
#include "models/numeric/quantize.h"

namespace tally::passes {

std::string site(const ir::Op& op, std::string_view operand) {
  const std::string where = op.node.empty() ? fmt::format("%{}", op.result()->name()) : op.node;
  return fmt::format("{}:{}", where, operand);
}

std::vector<Site> static_sites(const ir::Function& function, const Recipe& recipe) {
  std::vector<Site> sites;
  const auto add = [&](const ir::Op& op, const char* operand, bool symmetric) {
    sites.push_back({site(op, operand), op.operand(operand), symmetric});
  };
  for (const auto& op : function.ops()) {
    if (op->kind() == ir::OpKind::kLinear && recipe.activation_scales == ScaleSource::kTensor)
      add(*op, "x", recipe.activation_format == ActivationFormat::kInt8);
    if (op->kind() == ir::OpKind::kAttention && recipe.attention_scales == ScaleSource::kTensor)
      for (const char* operand : {"q", "k", "v"}) add(*op, operand, true);
  }
  return sites;
}

ActivationScale activation_scale(const Range& range, ActivationFormat format) {
  if (format == ActivationFormat::kInt8) {
    const float scale = f32::div(f32::max(f32::neg(range.low), range.high), 127);
    return {scale > 0 ? scale : 1, 0};
  }
  const Quantization affine = affine_u8(range.low, range.high);
  return {affine.scale, affine.zero_point};
}

}  // namespace tally::passes
