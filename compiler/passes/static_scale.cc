// SPDX-License-Identifier: Apache-2.0
#include "compiler/passes/static_scale.h"

namespace tally::passes {

Expected<ActivationScale> static_scale(const ir::Op& op, std::string_view operand,
                                       ActivationFormat format, const Calibration* calibration) {
  if (calibration == nullptr) return fail("static scales need calibration data (--calibrate SET)");
  const auto range = calibration->ranges.find(site(op, operand));
  if (range == calibration->ranges.end())
    return fail("the calibration has no range for '{}'", site(op, operand));
  return activation_scale(range->second, format);
}

ir::Value* quantize_static(ir::Builder& builder, ir::Value* x, const ActivationScale& scale,
                           ActivationFormat format) {
  const ir::Format element = format == ActivationFormat::kInt8 ? ir::Format::kI8 : ir::Format::kU8;
  return builder.value(
      ir::OpKind::kQuantizeStatic, {x},
      {{"scale", scale.scale}, {"zero_point", scale.zero_point}, {"format", element}},
      x->name() + ".q");
}

}  // namespace tally::passes
