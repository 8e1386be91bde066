#include "model/settle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/paths.h"
#include "model/testing.h"

namespace railgauge::model {
namespace {

bool mentions(const std::vector<std::string>& remarks, std::string_view part) {
  return std::any_of(remarks.begin(), remarks.end(),
                     [&](const std::string& r) { return contains(r, part); });
}

const Link* link_of(const Machine& machine, DeviceId a, DeviceId b, LinkKind kind) {
  for (const Link& link : machine.links)
    if (link.kind == kind && ((link.a == a && link.b == b) || (link.a == b && link.b == a)))
      return &link;
  return nullptr;
}

TestMachine two_socket_server() {
  TestMachine t;
  for (int socket = 0; socket < 2; ++socket) {
    const auto package = t.package();
    auto& cpu = *t.machine[package].cpu;
    cpu.vendor.claim("GenuineIntel", t.sysfs());
    cpu.family.claim(6, t.sysfs());
    cpu.model.claim(143, t.sysfs());
    const auto numa = t.numa(socket, package);
    for (int s = 0; s < 2; ++s) {
      const auto sw = t.pcie_switch(t.root_port(t.host_bridge(numa)));
      t.gpu(t.below(sw));
      t.nic(t.below(sw));
    }
  }
  return t;
}

TEST(Settle, TwiceIsTheSameAsOnce) {
  auto server = two_socket_server();
  server.machine[*server.machine.indexed(DeviceKind::gpu, 1)].pci->link.current_width = {};
  auto matrix = matrix_machine({"GPU0 X NV18 PIX SYS|0", "GPU1 NV18 X SYS PXB|1",
                                "NIC0 PIX SYS X SYS", "NIC1 SYS PXB SYS X"});
  auto odd = matrix_machine({"GPU0 X PIX SYS", "GPU1 PIX X PIX", "GPU2 SYS PIX X"});
  for (auto* t : {&server, &matrix, &odd}) {
    t->settle();
    const Machine once = t->machine;
    t->settle();
    EXPECT_EQ(t->machine.devices, once.devices);
    EXPECT_EQ(t->machine.links, once.links);
    EXPECT_EQ(t->machine.remarks, once.remarks);
    EXPECT_TRUE(t->machine == once);
  }
}

TEST(SettleIds, AreUniqueAndUseTheSystemsOwnNames) {
  TestMachine t;
  const auto numa = t.numa(0);
  const auto bridge = t.host_bridge(numa);
  const auto a = t.nic(t.root_port(bridge));
  const auto b = t.nic(t.root_port(bridge));
  const auto c = t.nic(t.root_port(bridge));
  const auto d = t.nic(t.root_port(bridge));
  t.machine[a].nic->rdma_device.claim("mlx5_3", t.sysfs());
  t.machine[b].nic->netdev.claim("ens1f0", t.sysfs());
  t.machine[c].nic->netdev.claim("ens1f0", t.sysfs());
  t.settle();
  EXPECT_EQ(t.machine[a].id, "mlx5_3");
  EXPECT_EQ(t.machine[b].id, "ens1f0");
  EXPECT_EQ(t.machine[c].id, "ens1f0_2");
  EXPECT_EQ(t.machine[d].id, "nic3");
  EXPECT_EQ(t.machine[numa].id, "numa0");
  EXPECT_EQ(t.machine[bridge].id, "hostbridge0");
  std::set<std::string> ids;
  for (const Device& device : t.machine.devices) EXPECT_TRUE(ids.insert(device.id).second);
}

TEST(SettleIds, GpusWithoutIndexAreNumberedByAddress) {
  Machine m;
  const auto source = from(m, "lspci", Trust::tool);
  const auto high = m.add(DeviceKind::gpu, source);
  const auto low = m.add(DeviceKind::gpu, source);
  m[high].address.claim(*PciAddress::parse("0000:9a:00.0"), source);
  m[low].address.claim(*PciAddress::parse("0000:1b:00.0"), source);
  settle(m, round_catalogue());
  EXPECT_EQ(m[low].id, "gpu0");
  EXPECT_EQ(m[high].id, "gpu1");
}

TEST(SettleTree, BusNumbersGiveParentsAndHostBridges) {
  Machine m;
  const auto source = from(m, "lspci", Trust::tool);
  const auto bridge = [&](const char* address, PciPort port, DeviceKind kind, int behind) {
    const auto id = m.add(kind, source);
    m[id].address.claim(*PciAddress::parse(address), source);
    m[id].pci.emplace();
    m[id].pci->port.claim(port, source);
    m[id].pci->secondary_bus.claim(behind, source);
    return id;
  };
  const auto gpu = m.add(DeviceKind::gpu, source);
  m[gpu].address.claim(*PciAddress::parse("0000:18:00.0"), source);
  m[gpu].numa_node.claim(1, source);
  const auto down = bridge("0000:17:00.0", PciPort::switch_downstream, DeviceKind::switch_port, 24);
  const auto up = bridge("0000:16:00.0", PciPort::switch_upstream, DeviceKind::pcie_switch, 23);
  const auto root = bridge("0000:15:01.0", PciPort::root_port, DeviceKind::root_port, 22);
  settle(m, round_catalogue());
  EXPECT_EQ(m[gpu].parent, down);
  EXPECT_EQ(m[down].parent, up);
  EXPECT_EQ(m[up].parent, root);
  const auto host = m[root].parent;
  ASSERT_TRUE(host);
  EXPECT_EQ(*m[*host].name, "pci0000:15");
  ASSERT_TRUE(m[*host].parent);
  EXPECT_EQ(m[*m[*host].parent].id, "numa1");
}

TEST(SettleTree, ACycleIsCutAndReported) {
  TestMachine t;
  const auto a = t.pcie_switch(t.numa(0));
  const auto b = t.pcie_switch(a);
  t.machine[a].parent = b;
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::error), "leads back to itself"));
  EXPECT_LE(ancestry(t.machine, b).size(), 2u);
}

TEST(SettleMatrix, PixSharesASwitchAndSysSeparatesNumaNodes) {
  auto t = matrix_machine(
      {"GPU0 X SYS PIX SYS|0", "GPU1 SYS X SYS PIX|1", "NIC0 PIX SYS X SYS", "NIC1 SYS PIX SYS X"});
  t.settle();
  Machine& m = t.machine;
  EXPECT_EQ(m.of_kind(DeviceKind::pcie_switch).size(), 2u);
  EXPECT_EQ(m[DeviceId{0}].parent, m[DeviceId{2}].parent);
  EXPECT_EQ(m[ancestry(m, {0}).back()].id, "numa0");
  EXPECT_EQ(m[ancestry(m, {3}).back()].id, "numa1");
  const auto& made = m[*m[DeviceId{0}].parent];
  EXPECT_EQ(made.seen_in.trust, Trust::inferred);
  EXPECT_EQ(m.sources.name(made.seen_in), "inferred from topo.txt");
  EXPECT_TRUE(t.remarks().empty());
}

TEST(SettleMatrix, EveryCellOfAHierarchyComesBackFromTheTree) {
  auto t =
      matrix_machine({"GPU0 X PIX PXB PXB PHB NODE SYS|0", "GPU1 PIX X PXB PXB PHB NODE SYS|0",
                      "GPU2 PXB PXB X PIX PHB NODE SYS|0", "GPU3 PXB PXB PIX X PHB NODE SYS|0",
                      "GPU4 PHB PHB PHB PHB X NODE SYS|0", "NIC0 NODE NODE NODE NODE NODE X SYS",
                      "NIC1 SYS SYS SYS SYS SYS SYS X"});
  t.settle();
  for (const Pair& pair : t.machine.pairs)
    EXPECT_EQ(pcie_class(t.machine, pair.a, pair.b), Reading<PathClass>(*pair.smi))
        << t.machine[pair.a].id << " " << t.machine[pair.b].id;
  EXPECT_TRUE(t.remarks().empty());
}

TEST(SettleMatrix, CellsThatFitNoTreeAreNamed) {
  auto t = matrix_machine({"GPU0 X PIX SYS", "GPU1 PIX X PIX", "GPU2 SYS PIX X"});
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning), "gpu0 and gpu2: topo.txt:2 says SYS"));
  EXPECT_EQ(smi_class(t.machine, {0}, {2})->text(), "SYS");
}

TEST(SettleMatrix, ACutMatrixMakesNoNumaNodesOfItsOwn) {
  auto t = matrix_machine(
      {"GPU0 X SYS SYS SYS|0", "GPU1 SYS X . .", "NIC0 SYS . X .", "NIC1 SYS . . X"});
  t.settle();
  EXPECT_EQ(t.machine.of_kind(DeviceKind::numa_node).size(), 1u);
  EXPECT_FALSE(pcie_class(t.machine, {2}, {3}));
  EXPECT_EQ(smi_class(t.machine, {0}, {3})->text(), "SYS");
}

TEST(SettleMatrix, ADeviceWithAPlaceKeepsIt) {
  TestMachine t;
  const auto sw = t.pcie_switch(t.root_port(t.host_bridge(t.numa(0))));
  const auto gpu = t.gpu(t.below(sw));
  const auto nic = t.nic(std::nullopt);
  t.cell(gpu, nic, "PIX");
  t.settle();
  EXPECT_EQ(t.machine[nic].parent, sw);
  EXPECT_EQ(t.machine.of_kind(DeviceKind::pcie_switch).size(), 1u);
}

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

TEST(SettleRemarks, ASlowGenerationInADeepPStateIsBenign) {
  TestMachine t;
  const auto gpu = t.gpu(t.root_port(t.host_bridge(t.numa(0))));
  t.trained(gpu, 1, 16);
  t.machine[gpu].gpu->p_state.claim("P8", t.sysfs());
  t.settle();
  EXPECT_TRUE(t.remarks(RemarkLevel::warning).empty());
  EXPECT_TRUE(mentions(t.remarks(), "may be idle (P8)"));
}

TEST(SettleRemarks, ASlowGenerationIsAWarningOnlyWhenTheGpuIsKnownToWork) {
  for (const char* p_state : {"", "P0"}) {
    TestMachine t;
    const auto gpu = t.gpu(t.root_port(t.host_bridge(t.numa(0))));
    t.trained(gpu, 1, 16);
    if (*p_state) t.machine[gpu].gpu->p_state.claim(p_state, t.sysfs());
    t.settle();
    EXPECT_EQ(t.remarks(RemarkLevel::warning).size(), *p_state ? 1u : 0u);
    EXPECT_EQ(t.remarks().size(), 1u);
  }
}

TEST(SettleRemarks, OneGpuWithoutActiveNvlinksIsAFaultWhereOthersHaveThem) {
  const auto with_ports = [](bool others_active) {
    Machine machine;
    const SourceRef here = from(machine, "nvml", Trust::driver);
    for (int gpu = 0; gpu < 3; ++gpu) {
      Device& device = machine[machine.add(DeviceKind::gpu, here)];
      device.index.claim(gpu, here);
      for (int port = 0; port < 2; ++port) {
        NvLinkPort link;
        link.number = port;
        link.active.claim(others_active && gpu != 1, here);
        device.gpu->nvlinks.push_back(link);
      }
    }
    settle(machine, round_catalogue());
    std::vector<std::string> said;
    for (const Remark& remark : machine.remarks)
      if (contains(remark.text, "not active")) said.push_back(remark.text);
    return said;
  };
  EXPECT_EQ(with_ports(true), (std::vector<std::string>{"gpu1: 2 of 2 NVLinks are not active"}));
  EXPECT_TRUE(with_ports(false).empty());
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

TEST(SettleRemarks, DevicesInTheSameSituationShareOne) {
  TestMachine t;
  const auto bridge = t.host_bridge(t.numa(0));
  for (int i = 0; i < 8; ++i) t.trained(t.gpu(t.root_port(bridge)), 5, i == 5 ? 4 : 8);
  t.settle();
  const auto remarks = t.remarks(RemarkLevel::warning);
  ASSERT_EQ(remarks.size(), 2u);
  EXPECT_EQ(remarks[0],
            "gpu0 … gpu4, gpu6 and gpu7 (7 devices) run Gen5 x8 of Gen5 x16: 32 GB/s of 64 GB/s");
  EXPECT_EQ(remarks[1], "gpu5 runs Gen5 x4 of Gen5 x16: 16 GB/s of 64 GB/s");
}

TEST(SettleRemarks, WhatABoardIsSoldWithIsNoWarningAgainstAFile) {
  TestMachine t;
  const auto gpu = t.gpu(t.numa(0));
  const auto file = from(t.machine, "topo.xml", Trust::file);
  auto& link = t.machine[gpu].pci->link;
  link = {};
  link.current_speed.claim(*PcieSpeed::of_generation(3), file);
  link.current_width.claim(8, file);
  t.settle();
  EXPECT_TRUE(t.remarks(RemarkLevel::warning).empty());
  EXPECT_TRUE(mentions(t.remarks(), "Gen3 x8 of Gen5 x16"));
}

TEST(SettleRemarks, AnEndpointWithoutAParentIsJudgedByItsOwnEnd) {
  TestMachine t;
  t.trained(t.gpu(std::nullopt), 1, 4);
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning),
                       "gpu0 runs Gen1 x4 of Gen5 x16: 1 GB/s of 64 GB/s"));
}

TEST(SettleRemarks, ARefusedLinkSaysWhy) {
  TestMachine t;
  const auto gpu = t.gpu(std::nullopt);
  auto& link = t.machine[gpu].pci->link;
  link = {};
  link.current_speed.refuse("needs root: rerun lspci as root", t.sysfs());
  t.settle();
  EXPECT_EQ(t.remarks(),
            std::vector<std::string>{"gpu0: PCIe link unknown: needs root: rerun lspci as root"});
  EXPECT_TRUE(t.remarks(RemarkLevel::warning).empty());
}

TEST(SettleRoles, BridgesOfUnknownRoleGetItFromTheirPlace) {
  TestMachine t;
  const auto address = [&](DeviceId id, const char* text) {
    t.machine[id].address.claim(*PciAddress::parse(text), t.sysfs());
    return id;
  };
  const auto root =
      address(t.port(DeviceKind::pcie_bridge, t.host_bridge(t.numa(0))), "0000:00:01.0");
  const auto upstream = address(t.port(DeviceKind::pcie_bridge, root), "0000:01:00.0");
  const auto port = address(t.port(DeviceKind::pcie_bridge, upstream), "0000:02:00.0");
  address(t.port(DeviceKind::pcie_bridge, upstream), "0000:02:01.0");
  const auto lone = address(t.port(DeviceKind::pcie_bridge, port), "0000:03:00.0");
  t.settle();
  EXPECT_EQ(t.machine[root].kind, DeviceKind::root_port);
  EXPECT_EQ(t.machine[upstream].kind, DeviceKind::pcie_switch);
  EXPECT_EQ(t.machine[port].kind, DeviceKind::switch_port);
  EXPECT_EQ(t.machine[lone].kind, DeviceKind::pcie_bridge);
  EXPECT_EQ(t.machine[root].attributes.front().source.trust, Trust::inferred);
}

TEST(SettleRemarks, BothSourcesOfADisputeAreNamed) {
  TestMachine t;
  t.numa(0);
  t.numa(1);
  const auto gpu = t.gpu(std::nullopt);
  t.machine[gpu].numa_node.claim(0, t.sysfs());
  t.machine[gpu].gpu->numa_affinity.claim("1", from(t.machine, "topo.txt", Trust::tool).at_line(2));
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(), "gpu0: NUMA node is 0 by sysfs, but 1 by topo.txt:2"));
}

TEST(SettleRemarks, AMatrixThatContradictsTheTreeIsNamed) {
  auto t = two_socket_server();
  const auto gpu = *t.machine.indexed(DeviceKind::gpu, 0);
  const auto nic = *t.machine.indexed(DeviceKind::nic, 0);
  t.cell(gpu, nic, "SYS", 5);
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning),
                       "gpu0 and nic0: topo.txt:5 says SYS, but the tree of all facts gives PIX"));
}

TEST(SettleRemarks, HiddenNvlinkIsNoDispute) {
  auto t = matrix_machine({"GPU0 X NV18|0", "GPU1 NV18 X|0"});
  t.machine.pair({0}, {1}).smi.claim(*PathClass::parse("NODE"),
                                     from(t.machine, "topo-mp.txt", Trust::tool));
  t.settle();
  EXPECT_TRUE(t.remarks().empty());
}

TEST(SettleRemarks, APlaceBelowAnotherNumaNodeIsNamed) {
  TestMachine t;
  const auto port = t.root_port(t.host_bridge(t.numa(0)));
  const auto gpu = t.gpu(port);
  t.numa(1);
  t.machine[gpu].numa_node.claim(1, t.sysfs());
  t.settle();
  EXPECT_TRUE(mentions(t.remarks(RemarkLevel::warning),
                       "gpu0: sysfs says NUMA node 1, but its place in the tree is below numa0"));
  EXPECT_EQ(*t.machine[port].numa_node, 0);
}

}  // namespace
}  // namespace railgauge::model
