// SPDX-License-Identifier: Apache-2.0
#include "reports/host.h"

#include <sys/resource.h>
#include <sys/utsname.h>

namespace tally {
namespace {

std::string isa_text() {
  utsname name{};
  std::string text = uname(&name) == 0 ? name.machine : "unknown";
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return text + " avx512f";
  if (__builtin_cpu_supports("avx2")) return text + " avx2";
#endif
  return text;
}

}  // namespace

Host HostMeter::measure() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
  return {wall.count(), std::int64_t{usage.ru_maxrss} * 1024, isa_text()};
}

}  // namespace tally
