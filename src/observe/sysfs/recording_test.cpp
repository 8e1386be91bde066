// What is read live and what is read from the packed recording must be the same machine.
#include <gtest/gtest.h>

#include "observe/archive/archive.h"
#include "observe/sources.h"
#include "observe/sysfs/fake_machines.h"

namespace railgauge::observe {
namespace {

TEST(SysfsRecording, PackedAndUnpackedReadsTheSame) {
  const FakeTree tree;
  build_gpu_server(tree, true);
  tree.link("sys/class/net/ibs0", "../../devices/pci0000:15/0000:15:01.0/net/ibs0");
  tree.file("sys/devices/pci0000:15/0000:15:01.0/net/ibs0/mtu", "4092\n");
  tree.link("sys/devices/pci0000:15/0000:15:01.0/net/ibs0/device", "../../../0000:15:01.0");
  Recording live;
  live.name = "node07";
  capture_sysfs(tree.root(), live);
  capture_rdma(tree.root(), live);
  const auto packed = pack(live);
  ASSERT_TRUE(packed) << packed.error().text();
  const auto unpacked = unpack(*packed, "node07");
  ASSERT_TRUE(unpacked) << unpacked.error().text();
  for (const auto& [path, entry] : live.entries) {
    const Entry* same = unpacked->find(path);
    ASSERT_NE(same, nullptr) << path;
    EXPECT_EQ(*same, entry) << path;
  }
  EXPECT_EQ(read_sysfs(live).value(), read_sysfs(*unpacked).value());
  EXPECT_EQ(read_rdma(live).value(), read_rdma(*unpacked).value());
}

TEST(SysfsRecording, RefusalsSurvivePacking) {
  const FakeTree tree;
  tree.directory("sys/devices/pci0000:00/0000:00:01.0/class");
  tree.file("sys/devices/pci0000:00/0000:00:01.0/vendor", "0x10de\n");
  Recording live;
  live.name = "node07";
  capture_sysfs(tree.root(), live);
  const auto unpacked = unpack(pack(live).value(), "node07");
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(read_sysfs(live).value(), read_sysfs(*unpacked).value());
}

TEST(SysfsRecording, CapturingTwiceGivesTheSameRecording) {
  const FakeTree tree;
  build_flat_guest(tree);
  Recording first;
  Recording second;
  capture_sysfs(tree.root(), first);
  capture_sysfs(tree.root(), second);
  EXPECT_EQ(first.entries, second.entries);
}

}  // namespace
}  // namespace railgauge::observe
