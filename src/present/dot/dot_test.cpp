#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.h"
#include "present/present.h"
#include "present/testing/sample_machines.h"

namespace railgauge::present {
namespace {

TEST(Dot, ClustersFollowTheTree) {
  const std::string text = dot(testing::dgx(true));
  EXPECT_TRUE(contains(text, "label=\"package0\""));
  EXPECT_TRUE(contains(text, "label=\"numa1\""));
  EXPECT_TRUE(contains(text, "label=\"switch7\""));
  EXPECT_TRUE(contains(text, "label=\"x8 of x16 Gen5 31.5 of 63 GB/s\", color=\"#c62828\""));
  EXPECT_TRUE(contains(text, "-- fabric [label=\"18× NVLink4 450 GB/s\""));
}

TEST(Dot, QuotesAndBackslashesAreEscaped) {
  model::Machine machine = testing::one_gpu();
  machine[*machine.find("gpu0")].id = "a\"b\\";
  EXPECT_TRUE(contains(dot(machine), "a\\\"b\\\\"));
}

TEST(Dot, BracesBalance) {
  const std::string text = dot(testing::cube_mesh());
  EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
}

}  // namespace
}  // namespace railgauge::present
