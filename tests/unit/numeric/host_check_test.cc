// SPDX-License-Identifier: Apache-2.0
#include "models/numeric/host_check.h"

#include <gtest/gtest.h>

#include <cfenv>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace tally {
namespace {

TEST(HostCheck, AcceptsThisHost) { EXPECT_TRUE(check_host_arithmetic().has_value()); }

TEST(HostCheck, RefusesOtherRounding) {
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    const Status status = check_host_arithmetic();
    std::fesetround(FE_TONEAREST);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().message, "host floating point does not round to nearest even");
  }
}

#if defined(__SSE2__)
std::string message_with(unsigned control_bit) {
  const unsigned saved = _mm_getcsr();
  _mm_setcsr(saved | control_bit);
  const Status status = check_host_arithmetic();
  _mm_setcsr(saved);
  return status ? "" : status.error().message;
}

TEST(HostCheck, RefusesFlushToZero) {
  EXPECT_EQ(message_with(0x8000), "host floating point flushes subnormal results to zero");
}

TEST(HostCheck, RefusesDenormalsAreZero) {
  EXPECT_EQ(message_with(0x0040), "host floating point reads subnormal operands as zero");
}
#endif

}  // namespace
}  // namespace tally
