// SPDX-License-Identifier: Apache-2.0
// Work on numbered items by several threads, taken in ascending order.
#pragma once

#include <cstdint>
#include <functional>

#include "models/base/error.h"

namespace tally::measure {

using Progress = std::function<void(std::int64_t done, std::int64_t total)>;

// Calls work(thread, item) for items 0 to count - 1. The first error by item number among those
// that ran is returned, and no further item is begun after one. `progress` is told from one thread
// at a time.
Status for_each_item(std::int64_t count, int threads,
                     const std::function<Status(int thread, std::int64_t item)>& work,
                     const Progress& progress = {});

}  // namespace tally::measure
