// Links and their rates: PCIe, sockets, xGMI, NVLink.
#include "model/settle.h"

#include <gtest/gtest.h>

#include "model/paths.h"
#include "model/settle_testing.h"

namespace railgauge::model {
namespace {

TEST(SettleLinks, PcieTakesTheChildsEndAndTheLowerMaximum) {
  TestMachine t;
  const auto port = t.root_port(t.host_bridge(t.numa(0)));
  const auto gpu = t.gpu(port);
  t.trained(gpu, 5, 8);
  auto& other_end = t.machine[port].pci->link;
  other_end.max_speed = {};
  other_end.max_speed.claim(*PcieSpeed::of_generation(4), t.sysfs());
  t.settle();
  const Link* link = link_of(t.machine, gpu, port, LinkKind::pcie);
  ASSERT_TRUE(link);
  EXPECT_EQ(*link->width, 8);
  EXPECT_EQ(*link->width_possible, 16);
  EXPECT_EQ(link->speed_possible->text(), "Gen4");
  EXPECT_EQ(*link->as_found, gigabytes_per_second(32));
  EXPECT_EQ(*link->nominal, gigabytes_per_second(32));
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning), "gpu0 runs Gen5 x8 of Gen4 x16"));
}

TEST(SettleLinks, SocketsOfAKnownCpuHaveARate) {
  auto t = two_socket_server();
  t.settle();
  const auto packages = t.machine.of_kind(DeviceKind::package);
  const Link* link = link_of(t.machine, packages[0], packages[1], LinkKind::socket);
  ASSERT_TRUE(link);
  EXPECT_EQ(*link->as_found, gigabytes_per_second(96));
}

TestMachine numa_nodes_of_a_known_cpu(int count) {
  TestMachine t;
  for (int i = 0; i < count; ++i) {
    const auto node = t.numa(i);
    auto& cpu = *t.machine[node].cpu;
    cpu.vendor.claim("GenuineIntel", t.sysfs());
    cpu.family.claim(6, t.sysfs());
    cpu.model.claim(143, t.sysfs());
    t.gpu(t.root_port(t.host_bridge(node)));
  }
  t.settle();
  return t;
}

TEST(SettleLinks, TwoNumaNodesWithoutPackagesAreTwoSockets) {
  const auto t = numa_nodes_of_a_known_cpu(2);
  const auto nodes = t.machine.of_kind(DeviceKind::numa_node);
  const Link* link = link_of(t.machine, nodes[0], nodes[1], LinkKind::socket);
  ASSERT_TRUE(link);
  EXPECT_EQ(*link->as_found, gigabytes_per_second(96));
  EXPECT_EQ(link->source.trust, Trust::inferred);
}

TEST(SettleLinks, FourNumaNodesWithoutPackagesHaveNoSocketRate) {
  const auto t = numa_nodes_of_a_known_cpu(4);
  const auto nodes = t.machine.of_kind(DeviceKind::numa_node);
  const Link* link = link_of(t.machine, nodes[0], nodes[3], LinkKind::socket);
  ASSERT_TRUE(link);
  EXPECT_EQ(link->as_found.why(), "which NUMA nodes share a CPU package is not known");
  EXPECT_EQ(link->nominal.why(), "which NUMA nodes share a CPU package is not known");
}

TEST(SettleXgmi, ACellOfRocmSmiIsALinkOfUnknownWidth) {
  TestMachine t;
  const auto a = t.gpu(std::nullopt, "MI300X");
  const auto b = t.gpu(std::nullopt, "MI300X");
  const auto c = t.gpu(std::nullopt, "MI300X");
  t.machine.pair(a, b).rocm_link.claim("XGMI", t.sysfs());
  t.machine.pair(a, c).rocm_link.claim("PCIE", t.sysfs());
  t.settle();
  const Link* link = link_of(t.machine, a, b, LinkKind::xgmi);
  ASSERT_TRUE(link);
  EXPECT_EQ(link->as_found.why(), "xGMI link count unknown: rocm-smi does not say how many links");
  EXPECT_FALSE(link_of(t.machine, a, c, LinkKind::xgmi));
}

TEST(SettleNvlink, ABoardsOwnRateGoesBeforeTheVersions) {
  TestMachine t;
  const auto a = t.gpu(std::nullopt, "NVIDIA RTX A6000");
  const auto b = t.gpu(std::nullopt, "NVIDIA RTX A6000");
  t.nvlink(a, b, 4);
  auto catalogue = round_catalogue();
  GpuBoard a6000;
  a6000.name = a6000.name_contains = "A6000";
  a6000.nvlink_version = 3;
  a6000.nvlink_per_link = gigabytes_per_second(14);
  catalogue.boards.push_back(a6000);
  settle(t.machine, catalogue);
  EXPECT_EQ(*link_of(t.machine, a, b, LinkKind::nvlink)->as_found, gigabytes_per_second(56));
}

TEST(SettleNvlink, AnNvCellWithoutModelSaysWhatIsMissing) {
  auto t = matrix_machine({"GPU0 X NV4|0", "GPU1 NV4 X|0"});
  t.settle();
  const Link* link = link_of(t.machine, {0}, {1}, LinkKind::nvlink);
  ASSERT_TRUE(link);
  EXPECT_EQ(*link->width, 4);
  EXPECT_EQ(link->as_found.why(), "NV4 has no generation: GPU model unknown");
}

TEST(SettleNvlink, MoreLinksThanAGpuHasMeanASwitch) {
  auto t = matrix_machine({"GPU0 X NV12 NV12", "GPU1 NV12 X NV12", "GPU2 NV12 NV12 X"});
  t.settle();
  const auto switches = t.machine.of_kind(DeviceKind::nvswitch);
  ASSERT_EQ(switches.size(), 1u);
  for (std::uint32_t gpu = 0; gpu < 3; ++gpu)
    EXPECT_EQ(*link_of(t.machine, {gpu}, switches[0], LinkKind::nvlink)->width, 12);
  EXPECT_EQ(smi_class(t.machine, {0}, {2})->text(), "NV12");
}

TEST(SettleNvlink, SeveralPortsToOneGpuAreOneBond) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  const auto a = t.gpu(t.root_port(bridge), "Tesla V100-SXM2");
  const auto b = t.gpu(t.root_port(bridge), "Tesla V100-SXM2");
  t.machine[a].address.claim(*PciAddress::parse("1a:00.0"), t.sysfs());
  t.machine[b].address.claim(*PciAddress::parse("1b:00.0"), t.sysfs());
  for (const auto& [self, other] : {std::pair{a, b}, std::pair{b, a}})
    for (int n = 0; n < 3; ++n) {
      NvLinkPort port;
      port.number = n;
      port.active.claim(n < 2, t.sysfs());
      port.version.claim(2, t.sysfs());
      port.remote.claim(*t.machine[other].address, t.sysfs());
      t.machine[self].gpu->nvlinks.push_back(port);
    }
  t.settle();
  const Link* link = link_of(t.machine, a, b, LinkKind::nvlink);
  ASSERT_TRUE(link);
  EXPECT_EQ(*link->width, 2);
  EXPECT_EQ(*link->width_possible, 3);
  EXPECT_EQ(*link->as_found, gigabytes_per_second(50));
  EXPECT_EQ(*link->nominal, gigabytes_per_second(75));
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning), "2 of 3 NVLinks active"));
}

TEST(SettleNvlink, LinksOfAReaderAreNotDoubled) {
  TestMachine t;
  const auto a = t.gpu(std::nullopt);
  const auto b = t.gpu(std::nullopt);
  t.nvlink(a, b, 4);
  t.cell(a, b, "NV4");
  t.settle();
  EXPECT_EQ(std::count_if(t.machine.links.begin(), t.machine.links.end(),
                          [](const Link& link) { return link.kind == LinkKind::nvlink; }),
            1);
  EXPECT_EQ(smi_class(t.machine, a, b)->text(), "NV4");
  EXPECT_TRUE(t.remarks().empty());
}

TEST(SettleLone, ALinkWithoutAPortHasAnInferredOneAboveIt) {
  Machine machine;
  const SourceRef here = from(machine, "lspci.txt", Trust::tool);
  const DeviceId gpu = machine.add(DeviceKind::gpu, here);
  machine[gpu].pci.emplace();
  machine[gpu].pci->link.current_speed.claim(*PcieSpeed::of_generation(4), here);
  machine[gpu].pci->link.current_width.claim(8, here);
  machine[gpu].pci->link.max_width.claim(16, here);
  settle(machine, round_catalogue());
  ASSERT_EQ(machine.links.size(), 1u);
  EXPECT_EQ(*machine.links[0].as_found, gigabytes_per_second(16));
  EXPECT_EQ(machine[machine.links[0].b].seen_in.trust, Trust::inferred);
}

TEST(SettleRates, ARateThatASourceStatesStandsWhereWidthAndSpeedAreUnknown) {
  Machine machine;
  const SourceRef here = from(machine, "lstopo.xml", Trust::tool);
  const DeviceId port = machine.add(DeviceKind::root_port, here);
  const DeviceId nic = machine.add(DeviceKind::nic, here);
  machine[nic].pci.emplace();
  machine[nic].parent = port;
  machine[nic].attributes.push_back({"hwloc.pci_link_speed_gb_per_s", "63.015385", here});
  settle(machine, round_catalogue());
  const auto link = std::find_if(machine.links.begin(), machine.links.end(),
                                 [&](const Link& l) { return l.a == nic; });
  ASSERT_NE(link, machine.links.end());
  EXPECT_EQ(*link->as_found, gigabytes_per_second(63.015385));
  EXPECT_FALSE(link->nominal);
}

}  // namespace
}  // namespace railgauge::model
