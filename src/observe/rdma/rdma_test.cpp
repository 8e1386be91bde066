#include <gtest/gtest.h>

#include <algorithm>

#include "observe/rdma/port_text.h"
#include "observe/sources.h"
#include "observe/sysfs/fake_tree.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;

const std::string function = "sys/devices/pci0000:15/0000:15:01.0/0000:18:00.0";

// An adapter as the kernel shows it: class entries are links into the function's directory.
void add_adapter(const FakeTree& tree, const std::string& path, const std::string& name) {
  const std::string real = path + "/infiniband/" + name + "/";
  const auto end = path.substr(path.rfind('/') + 1);
  tree.link("sys/class/infiniband/" + name, "../../" + real.substr(4, real.size() - 5));
  tree.file(real + "node_guid", "b83f:d203:00aa:bbcc\n");
  tree.file(real + "fw_ver", "28.39.1002\n");
  tree.file(real + "hca_type", "MT4129\n");
  tree.file(real + "board_id", "NVD0000000022\n");
  tree.file(real + "node_type", "1: CA\n");
  tree.link(real + "device", "../../../" + end);
}

void add_port(const FakeTree& tree, const std::string& path, const std::string& adapter, int number,
              const std::string& state, const std::string& layer, const std::string& netdev) {
  const std::string port =
      path + "/infiniband/" + adapter + "/ports/" + std::to_string(number) + "/";
  tree.file(port + "state", state + "\n");
  tree.file(port + "phys_state", "5: LinkUp\n");
  tree.file(port + "rate", "400 Gb/sec (4X NDR)\n");
  tree.file(port + "link_layer", layer + "\n");
  tree.file(port + "gids/0", "0000:0000:0000:0000:0000:0000:0000:0000\n");
  tree.directory(port + "gid_attrs/ndevs/0");  // reading an empty row fails
  if (netdev.empty()) return;
  tree.file(port + "gids/1", "0000:0000:0000:0000:0000:ffff:0a00:0001\n");
  tree.file(port + "gid_attrs/types/1", "RoCE v2\n");
  tree.file(port + "gid_attrs/ndevs/1", netdev + "\n");
}

void add_netdev(const FakeTree& tree, const std::string& path, const std::string& name,
                const std::string& speed, const std::string& device) {
  const std::string real = path + "/net/" + name + "/";
  tree.link("sys/class/net/" + name, "../../" + real.substr(4, real.size() - 5));
  tree.file(real + "mtu", "9000\n");
  tree.file(real + "operstate", "up\n");
  tree.file(real + "speed", speed + "\n");
  tree.file(real + "type", "1\n");
  tree.file(real + "address", "02:00:00:00:00:01\n");
  tree.link(real + "device", device);
}

Recording captured(const FakeTree& tree) {
  Recording recording;
  capture_rdma(tree.root(), recording);
  return recording;
}

const model::Device& at(const Machine& machine, const char* address) {
  return machine[machine.at(*model::PciAddress::parse(address)).value()];
}

TEST(Rdma, AdapterAndItsNetworkDeviceMeetAtThePciFunction) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_port(tree, function, "mlx5_0", 1, "4: ACTIVE", "Ethernet", "enp24s0np0");
  add_netdev(tree, function, "enp24s0np0", "400000", "../../../0000:18:00.0");
  const Machine machine = read_rdma(captured(tree)).value();
  ASSERT_EQ(machine.devices.size(), 1u);
  const auto& nic = at(machine, "0000:18:00.0");
  EXPECT_EQ(nic.kind, DeviceKind::nic);
  EXPECT_EQ(*nic.nic->rdma_device, "mlx5_0");
  EXPECT_EQ(*nic.nic->netdev, "enp24s0np0");
  EXPECT_EQ(*nic.nic->guid, "b83f:d203:00aa:bbcc");
  EXPECT_EQ(*nic.nic->firmware, "28.39.1002");
  ASSERT_EQ(nic.nic->ports.size(), 1u);
  const auto& port = nic.nic->ports[0];
  EXPECT_EQ(*port.state, "ACTIVE");
  EXPECT_EQ(*port.link_layer, "Ethernet");
  EXPECT_EQ(*port.netdev, "enp24s0np0");
  EXPECT_EQ(*port.mtu, 9000);
  EXPECT_EQ(*port.rate, gigabytes_per_second(50));
  EXPECT_FALSE(port.rate.disputed());
  EXPECT_EQ(machine.sources.text(port.rate.source()), "sys/class/infiniband/mlx5_0/ports/1/rate");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(Rdma, RecordingLooksAsIfClassesHeldDirectories) {
  const FakeTree tree;
  add_netdev(tree, "sys/devices/pci0000:00/0000:00:03.0/virtio2", "eth0", "-1", "../../../virtio2");
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find("sys/class/net/eth0/device")->bytes,
            "../../../devices/pci0000:00/0000:00:03.0/virtio2");
  EXPECT_EQ(recording.find("sys/class/net/eth0"), nullptr);
  const Machine machine = read_rdma(recording).value();
  EXPECT_EQ(*at(machine, "0000:00:03.0").nic->netdev, "eth0");
}

TEST(Rdma, SpeedOfALinkThatIsDownIsUnknown) {
  const FakeTree tree;
  add_netdev(tree, function, "eth0", "-1", "../../../0000:18:00.0");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& rate = at(machine, "0000:18:00.0").nic->ports.at(0).rate;
  EXPECT_TRUE(rate.reading().is_failed());
  EXPECT_EQ(rate.reading().why(),
            "the kernel says -1: the link is down, or its driver reports no speed");
}

TEST(Rdma, RateOfAPortThatIsDownIsNotARate) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_port(tree, function, "mlx5_0", 1, "1: DOWN", "InfiniBand", "");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& port = at(machine, "0000:18:00.0").nic->ports.at(0);
  EXPECT_EQ(*port.state, "DOWN");
  EXPECT_EQ(port.rate.reading().why(),
            "the port is down, its rate \"400 Gb/sec (4X NDR)\" is not negotiated");
}

TEST(Rdma, TwoPortsOfOneFunctionKeepTheirNetworkDevices) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx4_0");
  add_port(tree, function, "mlx4_0", 1, "4: ACTIVE", "InfiniBand", "ib0");
  add_port(tree, function, "mlx4_0", 2, "4: ACTIVE", "Ethernet", "eth1");
  add_netdev(tree, function, "eth1", "400000", "../../../0000:18:00.0");
  add_netdev(tree, function, "ib0", "400000", "../../../0000:18:00.0");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& nic = *at(machine, "0000:18:00.0").nic;
  ASSERT_EQ(nic.ports.size(), 2u);
  EXPECT_EQ(*nic.ports[0].netdev, "ib0");
  EXPECT_EQ(*nic.ports[1].netdev, "eth1");
  EXPECT_EQ(*nic.ports[1].mtu, 9000);
}

TEST(Rdma, NetworkDevicesWithoutRdmaArePortsByTheirDevPort) {
  const FakeTree tree;
  for (const int number : {0, 1}) {
    const std::string name = "eth" + std::to_string(number);
    add_netdev(tree, function, name, "100000", "../../../0000:18:00.0");
    tree.file(function + "/net/" + name + "/dev_port", std::to_string(number) + "\n");
  }
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& nic = *at(machine, "0000:18:00.0").nic;
  ASSERT_EQ(nic.ports.size(), 2u);
  EXPECT_EQ(nic.ports[1].number, 2);
  EXPECT_EQ(*nic.ports[1].netdev, "eth1");
}

TEST(Rdma, BondIsThePortsNetworkDeviceAndItsMemberStaysKnown) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_bond_0");
  add_port(tree, function, "mlx5_bond_0", 1, "4: ACTIVE", "Ethernet", "bond0");
  add_netdev(tree, function, "enp24s0f0np0", "400000", "../../../0000:18:00.0");
  tree.file("sys/class/net/bonding_masters", "bond0\n");
  tree.file("sys/devices/virtual/net/bond0/mtu", "9000\n");
  tree.link("sys/class/net/bond0", "../../devices/virtual/net/bond0");
  const Recording recording = captured(tree);
  EXPECT_FALSE(recording.has_directory("sys/class/net/bond0"));  // nothing stands behind it
  const Machine machine = read_rdma(recording).value();
  const auto& nic = at(machine, "0000:18:00.0");
  EXPECT_EQ(*nic.nic->ports.at(0).netdev, "bond0");
  EXPECT_FALSE(nic.nic->ports.at(0).netdev.disputed());
  EXPECT_EQ(*nic.nic->netdev, "enp24s0f0np0");
  EXPECT_EQ(*nic.nic->ports.at(0).mtu, 9000);
}

TEST(Rdma, ChildOfAPortsNetworkDeviceDoesNotSpeakForThePort) {
  const FakeTree tree;
  add_netdev(tree, function, "ib0", "400000", "../../../0000:18:00.0");
  add_netdev(tree, function, "ib0.8001", "-1", "../../../0000:18:00.0");
  tree.file(function + "/net/ib0.8001/mtu", "2044\n");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& nic = at(machine, "0000:18:00.0");
  ASSERT_EQ(nic.nic->ports.size(), 1u);
  EXPECT_EQ(*nic.nic->ports[0].netdev, "ib0");
  EXPECT_FALSE(nic.nic->ports[0].mtu.disputed());
  EXPECT_EQ(nic.attributes.at(0).value, "ib0.8001");
}

TEST(Rdma, RepresentorsOfVirtualFunctionsAreNotPorts) {
  const FakeTree tree;
  add_netdev(tree, function, "enp24s0np0", "400000", "../../../0000:18:00.0");
  add_netdev(tree, function, "eth5", "-1", "../../../0000:18:00.0");
  tree.file(function + "/net/eth5/phys_port_name", "pf0vf3\n");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& nic = at(machine, "0000:18:00.0");
  ASSERT_EQ(nic.nic->ports.size(), 1u);
  EXPECT_TRUE(std::any_of(nic.attributes.begin(), nic.attributes.end(), [](const auto& a) {
    return a.key == "representor" && a.value == "eth5";
  }));
}

TEST(Rdma, EfaHasNoNetworkDeviceAndItsOwnNames) {
  const FakeTree tree;
  const std::string efa = "sys/devices/pci0000:44/0000:44:01.0/0000:4f:00.0";
  add_adapter(tree, efa, "rdmap79s0");
  add_port(tree, efa, "rdmap79s0", 1, "4: ACTIVE", "Unspecified", "");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& nic = *at(machine, "0000:4f:00.0").nic;
  EXPECT_EQ(*nic.rdma_device, "rdmap79s0");
  EXPECT_FALSE(nic.netdev);
  EXPECT_EQ(*nic.ports.at(0).link_layer, "Unspecified");
}

TEST(Rdma, SoftwareRdmaIsNotAnAdapter) {
  const FakeTree tree;
  tree.file("sys/devices/virtual/infiniband/rxe0/node_guid", "0000:0000:0000:0001\n");
  tree.link("sys/class/infiniband/rxe0", "../../devices/virtual/infiniband/rxe0");
  const Machine machine = read_rdma(captured(tree)).value();
  EXPECT_TRUE(machine.devices.empty());
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "\"rxe0\" is RDMA in software: no device stands behind it");
}

TEST(Rdma, SecondAdapterOfOneFunctionIsRemarked) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_adapter(tree, function, "mlx5_7");
  const Machine machine = read_rdma(captured(tree)).value();
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*at(machine, "0000:18:00.0").nic->rdma_device, "mlx5_0");
  EXPECT_EQ(machine.remarks.size(), 1u);
}

TEST(Rdma, LoopOfLinksIsRefusedAndSaid) {
  const FakeTree tree;
  tree.link("sys/class/infiniband/mlx5_0", "mlx5_0");
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find("sys/class/infiniband/mlx5_0")->kind, Entry::Kind::refused);
  EXPECT_EQ(read_rdma(recording).value().remarks.size(), 1u);
}

TEST(Rdma, PortHasAddressesTableAndCounters) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_port(tree, function, "mlx5_0", 1, "4: ACTIVE", "InfiniBand", "");
  const std::string port = function + "/infiniband/mlx5_0/ports/1/";
  tree.file(port + "lid", "0x17f\n");
  tree.file(port + "sm_lid", "0x0\n");
  tree.file(port + "gids/0", "fe80:0000:0000:0000:b83f:d203:00aa:bbcc\n");
  tree.file(port + "gid_attrs/types/0", "IB/RoCE v1\n");
  tree.file(port + "counters/port_rcv_data", "1000\n");
  tree.file(port + "counters/link_downed", "3\n");
  tree.file(port + "counters/port_xmit_wait", "N/A (no PMA)\n");
  tree.file(port + "hw_counters/local_ack_timeout_err", "2705\n");
  tree.file(port + "hw_counters/lifespan", "12\n");
  tree.file(port + "hw_counters/of_tomorrow", "4\n");
  tree.file(function + "/infiniband/mlx5_0/sys_image_guid", "b83f:d203:00aa:bbcd\n");
  tree.file(function + "/infiniband/mlx5_0/node_desc", "node07 mlx5_0\n");
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find("sys/class/infiniband/mlx5_0/node_desc"), nullptr);  // a hostname
  const Machine machine = read_rdma(recording).value();
  const auto& nic = *at(machine, "0000:18:00.0").nic;
  EXPECT_EQ(*nic.hca_type, "MT4129");
  EXPECT_EQ(*nic.board_id, "NVD0000000022");
  EXPECT_EQ(*nic.system_image_guid, "b83f:d203:00aa:bbcd");
  const auto& facts = nic.ports.at(0);
  EXPECT_EQ(*facts.physical_state, "LinkUp");
  EXPECT_EQ(*facts.rate_words, "4X NDR");
  EXPECT_EQ(*facts.lid, 383);
  EXPECT_FALSE(facts.sm_lid);
  EXPECT_EQ(*facts.guid, "b83f:d203:00aa:bbcc");
  ASSERT_EQ(facts.gids.size(), 1u);
  EXPECT_EQ(*facts.gids[0].type, "IB");
  EXPECT_EQ(*facts.counters.at("port_receive_bytes").value, 4000u);
  EXPECT_EQ(*facts.counters.at("link_downed").value, 3u);
  EXPECT_EQ(*facts.counters.at("local_ack_timeouts").value, 2705u);
  EXPECT_EQ(*facts.driver_counters.at("of_tomorrow").value, 4u);
  EXPECT_EQ(facts.driver_counters.size(), 1u);
  EXPECT_EQ(machine.sources.text(facts.counters.at("link_downed").value.source()),
            "sys/class/infiniband/mlx5_0/ports/1/counters/link_downed");
  EXPECT_TRUE(facts.active_mtu_bytes.reading().is_failed());
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(Rdma, GidTableIsReadToItsEndWithoutEmptyRows) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_port(tree, function, "mlx5_0", 1, "4: ACTIVE", "Ethernet", "eth0");
  const std::string port = function + "/infiniband/mlx5_0/ports/1/";
  for (int row = 2; row < 300; ++row)
    tree.file(port + "gids/" + std::to_string(row),
              row == 11 || row == 255 || row == 256 ? "fe80:0000:0000:0000:0000:00ff:fe00:0001\n"
                                                    : "0000:0000:0000:0000:0000:0000:0000:0000\n");
  tree.file(port + "gid_attrs/types/11", "IB/RoCE v1\n");
  tree.file(port + "gid_attrs/ndevs/11", "eth0.100\n");
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.list("sys/class/infiniband/mlx5_0/ports/1/gids").size(), 3u);
  const Machine machine = read_rdma(recording).value();
  const auto& facts = at(machine, "0000:18:00.0").nic->ports.at(0);
  ASSERT_EQ(facts.gids.size(), 3u);
  EXPECT_EQ(facts.gids[0].index, 1);
  EXPECT_EQ(*facts.gids[0].type, "RoCE v2");
  EXPECT_EQ(facts.gids[1].index, 11);
  EXPECT_EQ(*facts.gids[1].type, "RoCE v1");
  EXPECT_EQ(*facts.gids[1].netdev, "eth0.100");
  EXPECT_EQ(facts.gids[2].index, 255);
  EXPECT_EQ(*facts.netdev, "eth0");
}

TEST(Rdma, MtuOverEthernetFollowsTheNetworkDevicesAndIsMarked) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_port(tree, function, "mlx5_0", 1, "4: ACTIVE", "Ethernet", "eth0");
  add_netdev(tree, function, "eth0", "400000", "../../../0000:18:00.0");
  const Machine machine = read_rdma(captured(tree)).value();
  const auto& mtu = at(machine, "0000:18:00.0").nic->ports.at(0).active_mtu_bytes;
  EXPECT_EQ(*mtu, 4096);  // 9000 is enough
  EXPECT_TRUE(mtu.inferred());
  EXPECT_EQ(machine.sources.text(mtu.source()), "sys/class/net/eth0/mtu");
}

TEST(Rdma, NetworkDeviceHasAddressStateAndStatistics) {
  const FakeTree tree;
  add_netdev(tree, function, "eth0", "400000", "../../../0000:18:00.0");
  tree.file(function + "/net/eth0/statistics/rx_bytes", "700\n");
  tree.file(function + "/net/eth0/statistics/rx_missed_errors", "5\n");
  tree.file(function + "/net/eth0/statistics/collisions", "6\n");  // of hubs
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find("sys/class/net/eth0/statistics/collisions"), nullptr);
  const Machine machine = read_rdma(recording).value();
  const auto& port = at(machine, "0000:18:00.0").nic->ports.at(0);
  EXPECT_EQ(*port.mac, "02:00:00:00:00:01");
  EXPECT_EQ(*port.netdev_state, "up");
  EXPECT_EQ(*port.counters.at("rx_bytes").value, 700u);
  EXPECT_EQ(*port.counters.at("rx_missed_errors").value, 5u);
}

TEST(Rdma, LaterSampleHasCountersAlone) {
  const FakeTree tree;
  add_adapter(tree, function, "mlx5_0");
  add_port(tree, function, "mlx5_0", 1, "4: ACTIVE", "Ethernet", "eth0");
  add_netdev(tree, function, "eth0", "400000", "../../../0000:18:00.0");
  const std::string port = function + "/infiniband/mlx5_0/ports/1/";
  tree.file(port + "counters/symbol_error", "1\n");
  tree.file(port + "hw_counters/out_of_sequence", "2\n");
  tree.file(function + "/net/eth0/statistics/rx_bytes", "3\n");
  const Recording first = captured(tree);
  tree.file(port + "hw_counters/out_of_sequence", "20\n");
  Recording sample;
  sample_rdma(tree.root(), first, sample);
  EXPECT_EQ(sample.entries.size(), 3u);
  const Entry* entry =
      sample.find("sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->bytes, "20\n");
}

TEST(Rdma, MissingClassesAreNotAMachine) {
  const FakeTree tree;
  const Recording recording = captured(tree);
  EXPECT_TRUE(recording.entries.empty());
  EXPECT_FALSE(rdma_present(recording));
  EXPECT_EQ(read_rdma(recording).error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace railgauge::observe
