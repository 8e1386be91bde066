#include "model/counter.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

namespace railgauge::model {
namespace {

Counter counter(std::uint64_t value) {
  Counter made;
  made.value.claim(value, {1, 1, Trust::kernel});
  return made;
}

TEST(Counters, AreAMap) {
  std::map<std::string, std::uint64_t> twin;
  Counters counters;
  for (const std::uint64_t i : {5u, 1u, 9u, 3u, 7u, 1u, 9u, 0u, 8u}) {
    const std::string name = "n" + std::to_string(i);
    twin.emplace(name, i);
    counters[name].value.claim(i, {});
  }
  ASSERT_EQ(counters.size(), twin.size());
  auto expected = twin.begin();
  for (const auto& [name, one] : counters) {
    EXPECT_EQ(name, expected->first);
    EXPECT_EQ(*one.value, (expected++)->second);
  }
  EXPECT_EQ(*counters.at("n7").value, 7u);
  EXPECT_FALSE(counters.contains("n2"));
  EXPECT_THROW(counters.at("n2"), std::out_of_range);
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
