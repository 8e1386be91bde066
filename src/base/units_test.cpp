#include "base/units.h"

#include <gtest/gtest.h>

namespace railgauge {
namespace {

TEST(Units, RatesHaveThreeDigitsAtMost) {
  EXPECT_EQ(text(gigabytes_per_second(63.015)), "63 GB/s");
  EXPECT_EQ(text(gigabytes_per_second(31.5)), "31.5 GB/s");
  EXPECT_EQ(text(gigabytes_per_second(0.9846)), "985 MB/s");
  EXPECT_EQ(text(gigabits_per_second(400)), "50 GB/s");
  EXPECT_EQ(text(gigabytes_per_second(450)), "450 GB/s");
}

TEST(Units, SizesUsePowersOf1024) {
  EXPECT_EQ(text_of_bytes(512), "512 B");
  EXPECT_EQ(text_of_bytes(64ull << 20), "64 MiB");
  EXPECT_EQ(text_of_bytes(1536), "1.5 KiB");
}

}  // namespace
}  // namespace railgauge
