#include "model/settle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/paths.h"
#include "model/settle_testing.h"

namespace railgauge::model {
namespace {

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

}  // namespace
}  // namespace railgauge::model
