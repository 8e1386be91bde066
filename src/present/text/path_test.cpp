#include <gtest/gtest.h>

#include "base/strings.h"
#include "present/present.h"
#include "present/testing/sample_machines.h"

namespace railgauge::present {
namespace {

TEST(TextPath, MarksTheNarrowestHop) {
  const auto machine = testing::dgx(true);
  const auto text = text_path(machine, *machine.find("gpu2"), *machine.find("mlx5_2"), Style{});
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_TRUE(contains(*text, "x8 of x16 Gen5 31.5 of 63 GB/s  ← bottleneck")) << *text;
  EXPECT_TRUE(contains(*text, "PIX: at most one PCIe switch")) << *text;
  EXPECT_TRUE(contains(*text, "both on node 0")) << *text;
}

TEST(TextPath, SaysWhenItCrossesTheSockets) {
  const auto machine = testing::dgx(false);
  const auto text = text_path(machine, *machine.find("gpu0"), *machine.find("mlx5_9"), Style{});
  ASSERT_TRUE(text) << text.error().text();
  EXPECT_TRUE(contains(*text, "SYS: through the link between NUMA nodes")) << *text;
  EXPECT_TRUE(contains(*text, "crosses from node 0 to node 1")) << *text;
  EXPECT_TRUE(contains(*text, "between the sockets")) << *text;
}

TEST(TextPath, ADeviceThatIsNotThereIsAnError) {
  const auto machine = testing::one_gpu();
  EXPECT_FALSE(text_path(machine, {999}, {0}, Style{}));
}

}  // namespace
}  // namespace railgauge::present
