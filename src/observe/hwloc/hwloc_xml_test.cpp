#include "observe/hwloc/hwloc_xml.h"

#include <gtest/gtest.h>
#include <hwloc.h>

#include "base/files.h"
#include "base/strings.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;
using model::PciAddress;

Machine sample(const std::string& name) {
  const std::string path = RAILGAUGE_SOURCE_DIR "/tests/fuzz/hwloc_xml/" + name;
  return read_hwloc_xml({name, read_file(path, 1 << 20).value()}).value();
}

const model::Device& at(const Machine& machine, const char* address) {
  return machine[machine.at(*PciAddress::parse(address)).value()];
}

TEST(HwlocXml, PackagesNodesCoresAndCaches) {
  const Machine machine = sample("format2.xml");
  const auto& package = machine[machine.of_kind(DeviceKind::package).at(0)];
  EXPECT_EQ(*package.cpu->vendor, "AuthenticAMD");
  EXPECT_EQ(*package.cpu->architecture, "x86_64");
  EXPECT_EQ(*package.cpu->family, 25);
  EXPECT_EQ(*package.cpu->core_count, 2);
  EXPECT_EQ(*package.cpu->caches, "L3 32 MiB x1, L2 1 MiB x2");
  const auto& node = machine[machine.of_kind(DeviceKind::numa_node).at(1)];
  EXPECT_EQ(*node.cpu->cpus, "2-3");
  EXPECT_EQ(*node.cpu->memory_bytes, 2147483648u);
  EXPECT_EQ(*node.cpu->distances, (std::vector<int>{32, 10}));
  EXPECT_EQ(node.parent, machine.of_kind(DeviceKind::package).at(1));
  EXPECT_EQ(*machine.host.hostname, "node7");
  EXPECT_EQ(*machine.host.product, "Board X");
}

TEST(HwlocXml, PciTreeHangsFromItsNumaNode) {
  const Machine machine = sample("format2.xml");
  const auto& gpu = at(machine, "1a:00.0");
  EXPECT_EQ(gpu.kind, DeviceKind::gpu);
  EXPECT_EQ(*gpu.numa_node, 0);
  EXPECT_EQ(*gpu.index, 0);  // nvml0, not cuda1
  EXPECT_EQ(*gpu.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(*gpu.gpu->memory_bytes, 1024u * 1024u);
  EXPECT_EQ(gpu.pci->pci_class->code, 0x030200u);
  EXPECT_EQ(*gpu.pci->revision, 0xa1);
  const auto& port = machine[*gpu.parent];
  EXPECT_EQ(port.kind, DeviceKind::pcie_bridge);
  EXPECT_EQ(*port.pci->secondary_bus, 0x16);
  const auto& bridge = machine[*port.parent];
  EXPECT_EQ(bridge.kind, DeviceKind::host_bridge);
  EXPECT_EQ(*bridge.name, "pci0000:15");
  EXPECT_EQ(machine[*bridge.parent].kind, DeviceKind::numa_node);
  EXPECT_EQ(at(machine, "98:00.1").kind, DeviceKind::other);  // display of a management controller
}

TEST(HwlocXml, NicHasItsNamesAndPorts) {
  const Machine machine = sample("format2.xml");
  const auto& nic = at(machine, "98:00.0");
  EXPECT_EQ(*nic.nic->rdma_device, "mlx5_0");
  EXPECT_EQ(*nic.nic->netdev, "ibp152s0");
  EXPECT_EQ(*nic.nic->guid, "a088:c203:00ab:1234");
  ASSERT_EQ(nic.nic->ports.size(), 1u);
  EXPECT_EQ(*nic.nic->ports[0].state, "ACTIVE");
}

TEST(HwlocXml, NvlinkBandwidthIsALinkOfUnknownWidth) {
  const Machine machine = sample("format2.xml");
  ASSERT_EQ(machine.links.size(), 1u);
  EXPECT_EQ(machine.links[0].kind, model::LinkKind::nvlink);
  EXPECT_FALSE(machine.links[0].width);
  EXPECT_DOUBLE_EQ(machine.links[0].as_found->value, 450e9);
}

TEST(HwlocXml, FormatOneIsRead) {
  const Machine machine = sample("format1.xml");
  EXPECT_EQ(machine.of_kind(DeviceKind::package).size(), 2u);
  const auto& node = machine[machine.of_kind(DeviceKind::numa_node).at(0)];
  EXPECT_EQ(*node.cpu->distances, (std::vector<int>{10, 21}));
  EXPECT_EQ(node.parent, machine.of_kind(DeviceKind::package).at(0));
  EXPECT_EQ(*at(machine, "07:00.0").nic->netdev, "eth0");
  EXPECT_EQ(at(machine, "08:00.0").kind, DeviceKind::nic);  // InfiniBand before class 0207
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(HwlocXml, DamageIsRemarkedAndNotGuessed) {
  const Machine machine = sample("damaged.xml");
  std::string all;
  for (const auto& remark : machine.remarks) all += remark.text + "\n";
  for (const char* part : {"\"9.9\" is none of 1, 2, 3", "bridge_pci=\"ff\"", "pci_busid=\"\"",
                           "pci_type=\"03\"", "2 objects but 1 values"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in\n" << all;
}

TEST(HwlocXml, OtherXmlIsRefusedWithTheReason) {
  EXPECT_FALSE(looks_like_hwloc_xml("<system version=\"1\"/>"));
  const auto empty = read_hwloc_xml({"x.xml", "<topology version=\"2.0\"></topology>"});
  ASSERT_FALSE(empty);
  EXPECT_NE(empty.error().text().find("x.xml:1: <topology> holds no <object"), std::string::npos);
}

// hwloc's own view of this machine is the twin of what we read from the XML it exports.
TEST(HwlocLive, RecordingSaysWhatHwlocSays) {
  Recording recording;
  capture_hwloc(Root{}, recording);
  ASSERT_TRUE(hwloc_present(recording));
  const auto machine = read_hwloc(recording);
  ASSERT_TRUE(machine) << machine.error().text();

  hwloc_topology_t topology = nullptr;
  ASSERT_EQ(hwloc_topology_init(&topology), 0);
  ASSERT_EQ(hwloc_topology_load(topology), 0);
  const auto count = [&](hwloc_obj_type_t type) {
    return static_cast<std::size_t>(hwloc_get_nbobjs_by_type(topology, type));
  };
  EXPECT_EQ(machine->of_kind(DeviceKind::package).size(), count(HWLOC_OBJ_PACKAGE));
  const auto nodes = machine->of_kind(DeviceKind::numa_node);
  ASSERT_EQ(nodes.size(), count(HWLOC_OBJ_NUMANODE));
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, i);
    char list[4096];
    hwloc_bitmap_list_snprintf(list, sizeof list, node->cpuset);
    EXPECT_EQ(*(*machine)[nodes[i]].cpu->cpus, list);
    EXPECT_EQ(*(*machine)[nodes[i]].cpu->memory_bytes, node->attr->numanode.local_memory);
  }
  hwloc_topology_destroy(topology);
}

TEST(HwlocLive, OnlyTheRunningSystemIsCaptured) {
  Recording recording;
  capture_hwloc(Root{"/tmp/elsewhere", nullptr, "", nullptr}, recording);
  EXPECT_FALSE(hwloc_present(recording));
  EXPECT_FALSE(read_hwloc(recording));
}

}  // namespace
}  // namespace railgauge::observe
