#include <gtest/gtest.h>

#include "observe/sources.h"
#include "observe/sysfs/fake_machines.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;
using model::PciAddress;

Machine machine_of(const FakeTree& tree) {
  Recording recording;
  capture_sysfs(tree.root(), recording);
  return read_sysfs(recording).value();
}

const model::Device& device_at(const Machine& machine, const char* address) {
  return machine[machine.at(*PciAddress::parse(address)).value()];
}

std::string kinds_up(const Machine& machine, const char* address) {
  std::string out;
  for (const auto id : ancestry(machine, machine.at(*PciAddress::parse(address)).value()))
    out += (out.empty() ? "" : " < ") + std::string(text(machine[id].kind));
  return out;
}

TEST(PciTree, GpuServerIsEightGpusBelowFourSwitches) {
  const FakeTree tree;
  build_gpu_server(tree, true);
  const Machine machine = machine_of(tree);
  EXPECT_EQ(machine.of_kind(DeviceKind::gpu).size(), 8u);
  EXPECT_EQ(machine.of_kind(DeviceKind::nic).size(), 4u);
  EXPECT_EQ(machine.of_kind(DeviceKind::nvme).size(), 4u);
  EXPECT_EQ(machine.of_kind(DeviceKind::pcie_switch).size(), 4u);
  EXPECT_EQ(machine.of_kind(DeviceKind::switch_port).size(), 16u);
  EXPECT_EQ(machine.of_kind(DeviceKind::root_port).size(), 5u);
  EXPECT_EQ(machine.of_kind(DeviceKind::host_bridge).size(), 5u);
  EXPECT_EQ(kinds_up(machine, "0000:18:00.0"),
            "gpu < switch_port < pcie_switch < root_port < host_bridge");
  EXPECT_EQ(kinds_up(machine, "0000:02:00.0"), "other < pcie_bridge < root_port < host_bridge");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(PciTree, FactsOfAGpuNameTheFileTheyComeFrom) {
  const FakeTree tree;
  build_gpu_server(tree, true);
  const Machine machine = machine_of(tree);
  const auto& gpu = device_at(machine, "0000:9a:00.0");
  EXPECT_EQ(*gpu.numa_node, 1);
  EXPECT_EQ(*gpu.pci->driver, "nvidia");
  EXPECT_EQ(*gpu.pci->id, (model::PciId{0x10de, 0x2330}));
  EXPECT_EQ(gpu.pci->link.current_speed->generation(), 5);
  EXPECT_EQ(*gpu.pci->link.max_width, 16);
  EXPECT_EQ(*gpu.pci->max_read_request_bytes, 4096);
  EXPECT_EQ(*gpu.gpu->cpu_affinity, "2-3");
  EXPECT_EQ(machine.sources.text(gpu.numa_node.source()),
            "sys/devices/pci0000:97/0000:97:01.0/0000:98:00.0/0000:99:00.0/0000:9a:00.0/numa_node");
  EXPECT_FALSE(gpu.pci->link.current_width.disputed());
}

TEST(PciTree, AccessControlOfBridgesIsReadFromTheExtendedSpace) {
  const FakeTree tree;
  build_gpu_server(tree, true);
  const Machine machine = machine_of(tree);
  for (const auto id : machine.of_kind(DeviceKind::switch_port)) {
    ASSERT_TRUE(machine[id].pci->acs);
    EXPECT_TRUE(machine[id].pci->acs->request_redirect);
    EXPECT_FALSE(machine[id].pci->acs->upstream_forwarding);
  }
}

TEST(PciTree, BridgesAreReadAsFarAsAccessControlAndOthersTo256Bytes) {
  const FakeTree tree;
  build_gpu_server(tree, true);
  Recording recording;
  capture_sysfs(tree.root(), recording);
  const std::string port = "sys/devices/pci0000:15/0000:15:01.0";
  EXPECT_EQ(recording.find(port + "/config")->bytes.size(), 0x208u);
  EXPECT_EQ(recording.find(port + "/0000:16:00.0/0000:17:00.0/0000:18:00.0/config")->bytes.size(),
            256u);
}

TEST(PciTree, WithoutRootBridgeRolesFollowFromTheirPlaceAndSaySo) {
  const FakeTree with;
  build_gpu_server(with, true);
  const FakeTree without;
  build_gpu_server(without, false);
  const Machine known = machine_of(with);
  const Machine placed = machine_of(without);
  ASSERT_EQ(known.devices.size(), placed.devices.size());
  for (const auto id : known.all()) EXPECT_EQ(known[id].kind, placed[id].kind);
  EXPECT_TRUE(device_at(placed, "0000:16:00.0").pci->port.inferred());
  EXPECT_FALSE(device_at(known, "0000:16:00.0").pci->port.inferred());
  EXPECT_FALSE(device_at(placed, "0000:17:00.0").pci->acs);
}

TEST(PciTree, FlatGuestHasUnknownLinksWithTheKernelsWords) {
  const FakeTree tree;
  build_flat_guest(tree);
  const Machine machine = machine_of(tree);
  const auto& gpu = device_at(machine, "0000:00:04.0");
  EXPECT_EQ(kinds_up(machine, "0000:00:04.0"), "gpu < host_bridge");
  EXPECT_TRUE(gpu.numa_node.reading().is_failed());
  EXPECT_EQ(gpu.numa_node.reading().why(), "the kernel says -1: the firmware gave no proximity");
  EXPECT_EQ(gpu.pci->link.current_speed.reading().why(), "the kernel says \"Unknown\"");
  EXPECT_EQ(gpu.pci->link.current_width.reading().why(), "the kernel says 0: no link");
  EXPECT_EQ(device_at(machine, "0000:00:03.0").kind, DeviceKind::other);
  EXPECT_EQ(device_at(machine, "0000:00:06.0").kind, DeviceKind::nic);
}

TEST(PciTree, RootBusesDeepInTheTreeAreFoundByTheLinksToTheirFunctions) {
  const FakeTree tree;
  const FakeFunction gpu{0x10de, 0x20b0, 0x030200, 0, "16.0 GT/s PCIe", 16, "", {}};
  tree.function("sys/devices/LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/47505500-1/pci0001:00",
                "0001:00:00.0", gpu);
  tree.function("sys/devices/platform/pci0002:00", "0002:00:00.0", gpu);
  const Machine machine = machine_of(tree);
  EXPECT_EQ(kinds_up(machine, "0001:00:00.0"), "gpu < host_bridge");
  EXPECT_EQ(kinds_up(machine, "0002:00:00.0"), "gpu < host_bridge");
}

TEST(PciTree, DrivesBehindAVolumeManagementDeviceHangBelowIt) {
  const FakeTree tree;
  const auto vmd = tree.function("sys/devices/pci0000:16", "0000:16:00.5",
                                 {0x8086, 0x28c0, 0x010400, 0, "Unknown", 255, "vmd", {}});
  const auto port = tree.function(vmd + "/pci10000:01", "10000:01:01.0", FakeFunction{});
  tree.function(port, "10000:02:00.0",
                {0x144d, 0xa824, 0x010802, 0, "16.0 GT/s PCIe", 4, "nvme", {}});
  const Machine machine = machine_of(tree);
  EXPECT_EQ(kinds_up(machine, "10000:02:00.0"),
            "nvme < root_port < host_bridge < other < host_bridge");
}

TEST(PciTree, AddressInTwoDirectoriesIsReadOnceAndRemarked) {
  Recording recording;
  recording.add_file("sys/devices/pci0000:00/0000:00:01.0/vendor", "0x8086\n");
  recording.add_file("sys/devices/pci0000:01/0000:00:01.0/vendor", "0x8086\n");
  recording.add_file("sys/devices/pci0000:01/0000:00:01.0/device", "0x8086\n");
  const Machine machine = read_sysfs(recording).value();
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "0000:00:01.0 was seen before in another directory; this one is not read");
}

}  // namespace
}  // namespace railgauge::observe
