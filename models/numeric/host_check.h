// SPDX-License-Identifier: Apache-2.0
// Refuses a host whose floating point is not IEEE binary32 to nearest with subnormals, as f32.h
// needs it.
#pragma once

#include "models/base/error.h"

namespace tally {

// Fails if this thread rounds another way, flushes subnormals or contracts a*b + c.
Status check_host_arithmetic();

}  // namespace tally
