#include "model/counter.h"

#include <gtest/gtest.h>

namespace railgauge::model {
namespace {

Counter counter(std::uint64_t value) {
  Counter made;
  made.value.claim(value, {1, 1, Trust::kernel});
  return made;
}

TEST(Counter, OneReadingHasNoRate) {
  EXPECT_FALSE(counter(3).per_second());
  EXPECT_EQ(counter(3).growth().why(), "read once: a rate needs two samples");
}

TEST(Counter, RateIsFromTheFirstReadingToTheLast) {
  Counter made = counter(3);
  made.later = {{5.0, 4}, {10.0, 5}};
  EXPECT_EQ(*made.growth(), 2u);
  EXPECT_DOUBLE_EQ(*made.per_second(), 0.2);
}

TEST(Counter, OneThatWentBackWasCleared) {
  Counter made = counter(3);
  made.later = {{10.0, 1}};
  EXPECT_TRUE(made.per_second().is_failed());
}

TEST(Counter, NoTimeBetweenSamplesIsNoRate) {
  Counter made = counter(3);
  made.later = {{0.0, 4}};
  EXPECT_EQ(*made.growth(), 1u);
  EXPECT_TRUE(made.per_second().is_failed());
}

}  // namespace
}  // namespace railgauge::model
