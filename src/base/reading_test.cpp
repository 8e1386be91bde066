#include "base/reading.h"

#include <gtest/gtest.h>

namespace railgauge {
namespace {

TEST(Reading, UnknownIsNotAValue) {
  const Reading<int> unknown;
  EXPECT_FALSE(unknown);
  EXPECT_EQ(unknown.why(), "not reported");
  EXPECT_NE(unknown, Reading<int>(0));
}

TEST(Reading, RefusedSaysWhy) {
  const auto refused = Reading<int>::failed("permission denied");
  EXPECT_TRUE(refused.is_failed());
  EXPECT_EQ(refused.why(), "permission denied");
  EXPECT_EQ(refused.value_or(7), 7);
}

}  // namespace
}  // namespace railgauge
