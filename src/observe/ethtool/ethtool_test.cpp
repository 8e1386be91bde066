#include <gtest/gtest.h>

#include "observe/join/join.h"
#include "observe/sources.h"
#include "observe/sysfs/fake_tree.h"

namespace railgauge::observe {
namespace {

Recording recording_of_a_port() {
  Recording recording;
  recording.name = "node07";
  recording.add_link("sys/class/net/eth1/device", "../../../0000:18:00.0");
  recording.add_file("sys/class/net/eth1/dev_port", "1\n");
  recording.add_file("sys/class/net/eth1/mtu", "9000\n");
  recording.add_file("ethtool/eth1/driver.txt",
                     "driver: bnxt_en\nversion: 6.8.0\nfirmware-version: 229.0.136.0/pkg "
                     "229.1.123.0\nexpansion-rom-version: \nbus-info: 0000:18:00.0\n");
  recording.add_file("ethtool/eth1/pause.txt",
                     "Pause parameters for eth1:\nAutonegotiate:\toff\nRX:\t\ton\nTX:\t\ton\n");
  recording.add_file("ethtool/eth1/statistics.txt", "NIC statistics:\n     rx_bytes: 7\n");
  return recording;
}

TEST(Ethtool, SecondPortOfAFunctionGetsItsOwnCounters) {
  const auto machine = read_ethtool(recording_of_a_port()).value();
  ASSERT_EQ(machine.devices.size(), 1u);
  const auto& nic = *machine.devices[0].nic;
  EXPECT_EQ(machine.devices[0].address->text(), "0000:18:00.0");
  ASSERT_EQ(nic.ports.size(), 1u);
  EXPECT_EQ(nic.ports[0].number, 2);
  EXPECT_EQ(*nic.ports[0].pause_rx, "on");
  // The driver is known, so its word means the port.
  EXPECT_EQ(*nic.ports[0].counters.at("rx_bytes_phy").value, 7u);
  EXPECT_EQ(*nic.firmware, "229.0.136.0/pkg 229.1.123.0");
  EXPECT_EQ(machine.sources.text(nic.ports[0].counters.at("rx_bytes_phy").value.source()),
            "ethtool/eth1/statistics.txt:2");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(Ethtool, JoinsWithWhatTheKernelSaysOfTheSamePort) {
  const Recording recording = recording_of_a_port();
  const auto machine = join({read_rdma(recording).value(), read_ethtool(recording).value()});
  ASSERT_EQ(machine.devices.size(), 1u);
  ASSERT_EQ(machine.devices[0].nic->ports.size(), 1u);
  EXPECT_EQ(*machine.devices[0].nic->ports[0].mtu, 9000);
  EXPECT_EQ(*machine.devices[0].nic->ports[0].pause_tx, "on");
}

TEST(Ethtool, RefusedSocketIsSaidOnce) {
  Recording recording;
  recording.add_refused("ethtool",
                        "no socket to ask network drivers through: Operation not permitted");
  ASSERT_TRUE(ethtool_present(recording));
  const auto machine = read_ethtool(recording).value();
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "not read: no socket to ask network drivers through: Operation not permitted");
}

TEST(Ethtool, QuestionADriverDoesNotAnswerIsNothingOdd) {
  Recording recording = recording_of_a_port();
  recording.add_refused("ethtool/eth1/pause.txt", "Operation not supported");
  EXPECT_TRUE(read_ethtool(recording).value().remarks.empty());
}

TEST(Ethtool, TextOfANetworkDeviceThatIsNoPortIsRemarked) {
  Recording recording;
  recording.add_file("ethtool/docker0/statistics.txt", "NIC statistics:\n     rx_bytes: 7\n");
  const auto machine = read_ethtool(recording).value();
  EXPECT_TRUE(machine.devices.empty());
  EXPECT_EQ(machine.remarks.size(), 1u);
}

TEST(Ethtool, AnotherFileTreeHasNoDriversToAsk) {
  const FakeTree tree;
  tree.link("sys/class/net/lo", "../../devices/virtual/net/lo");
  Recording recording = recording_of_a_port();
  const std::size_t before = recording.entries.size();
  capture_ethtool(tree.root(), recording);
  EXPECT_EQ(recording.entries.size(), before);
}

}  // namespace
}  // namespace railgauge::observe
