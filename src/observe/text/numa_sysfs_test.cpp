#include "observe/text/numa_sysfs.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

TEST(NumaSysfs, GrepOfSysfsIsRead) {
  const std::string text =
      "/sys/devices/system/node/node0/cpulist:0-15,32-47\n/sys/devices/system/node/node1/"
      "cpulist:16-31\n"
      "/sys/devices/system/node/node0/distance:10 21\n/sys/devices/system/node/node1/distance:21 "
      "10\n";
  ASSERT_TRUE(looks_like_numa_sysfs(text));
  const auto m = read_numa_sysfs({"x", text});
  ASSERT_TRUE(m.has_value());
  ASSERT_EQ(m->devices.size(), 2u);
  EXPECT_TRUE(m->remarks.empty());
  EXPECT_EQ(*m->devices[0].cpu->cpus, "0-15,32-47");
  EXPECT_EQ(*m->devices[1].cpu->distances, (std::vector<int>{21, 10}));
  EXPECT_EQ(*m->devices[1].index, 1);
}

TEST(NumaSysfs, NumactlIsRead) {
  const auto m = read_numa_sysfs(
      {"x",
       "available: 2 nodes (0-1)\nnode 0 cpus: 0 1 2 3 8\nnode 0 size: 2 MB\nnode 0 free: 1 MB\n"
       "node 1 cpus:\nnode 1 size: 0 MB\nnode distances:\nnode   0   1 \n  0:  10  32 \n  1:  32  "
       "10 \n"});
  ASSERT_TRUE(m.has_value());
  EXPECT_TRUE(m->remarks.empty());
  EXPECT_EQ(*m->devices[0].cpu->cpus, "0-3,8");
  EXPECT_EQ(*m->devices[0].cpu->memory_bytes, 2u << 20);
  EXPECT_FALSE(m->devices[1].cpu->cpus.known());
  EXPECT_EQ(*m->devices[1].cpu->distances, (std::vector<int>{32, 10}));
}

TEST(NumaSysfs, LinesThatDoNotParseAreSaid) {
  const auto m = read_numa_sysfs({"x", "/sys/devices/system/node/node0/cpulist:all\n"});
  ASSERT_TRUE(m.has_value());
  ASSERT_EQ(m->remarks.size(), 1u);
  EXPECT_EQ(m->remarks[0].source.line, 1u);
  EXPECT_FALSE(read_numa_sysfs({"x", "nothing"}).has_value());
}

}  // namespace
}  // namespace railgauge::observe
