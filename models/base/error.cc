// SPDX-License-Identifier: Apache-2.0
#include "models/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace tally {

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  fmt::print(stderr, "tally: internal error at {}:{}: {} does not hold. {}\n", file, line,
             condition, message);
  std::abort();
}

}  // namespace tally
