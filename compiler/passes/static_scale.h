// SPDX-License-Identifier: Apache-2.0
// What the two static rewrites share: a site's calibrated scale, and the op that applies it.
#pragma once

#include "compiler/ir/builder.h"
#include "compiler/passes/calibration.h"

namespace tally::passes {

// An error where the site has no calibrated range, or a calibration is missing altogether.
Expected<ActivationScale> static_scale(const ir::Op& op, std::string_view operand,
                                       ActivationFormat format, const Calibration* calibration);

ir::Value* quantize_static(ir::Builder& builder, ir::Value* x, const ActivationScale& scale,
                           ActivationFormat format);

}  // namespace tally::passes
