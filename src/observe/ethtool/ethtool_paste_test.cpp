#include "observe/ethtool/ethtool_paste.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

const model::NicPort& port_of(const model::Machine& machine, std::size_t device = 0) {
  return machine.devices.at(device).nic->ports.at(0);
}

std::uint64_t counter(const model::NicPort& port, const char* name) {
  const auto found = port.counters.find(name);
  return found == port.counters.end() ? 987654321u : *found->second.value;
}

TEST(EthtoolStatistics, WholeListOfOneDeviceIsRead) {
  const std::string text =
      "root@node07:~# ethtool -S enp24s0np0\nNIC statistics:\n     rx_packets: 12\n"
      "     rx_bytes: 3400\n     rx_vport_unicast_packets: 3\n     rx_discards_phy: 4\n"
      "     rx0_packets: 5\n     rx1_packets: 7\n     rx_prio3_pause_duration: 48736\n"
      "     rx_pause_ctrl_phy: 41927\nroot@node07:~# \n";
  ASSERT_TRUE(looks_like_ethtool_statistics(text));
  const auto m = read_ethtool_statistics({"stats.txt", text}).value();
  ASSERT_EQ(m.devices.size(), 1u);
  EXPECT_TRUE(m.remarks.empty());
  EXPECT_EQ(*m.devices[0].nic->netdev, "enp24s0np0");
  const auto& port = port_of(m);
  EXPECT_EQ(*port.netdev, "enp24s0np0");
  EXPECT_EQ(counter(port, "rx_packets"), 12u);
  EXPECT_EQ(counter(port, "rx_bytes"), 3400u);
  EXPECT_EQ(counter(port, "rx_discards_phy"), 4u);
  EXPECT_EQ(counter(port, "rx_pause_duration_us_priority_3"), 48736u);
  EXPECT_EQ(counter(port, "rx_pause_frames"), 41927u);
  EXPECT_EQ(*port.driver_counters.at("rx_vport_unicast_packets").value, 3u);
  EXPECT_EQ(*port.driver_counters.at("rx*_packets").value, 12u);
  EXPECT_EQ(m.sources.text(port.counters.at("rx_bytes").value.source()), "stats.txt:4");
}

TEST(EthtoolStatistics, SomeLinesWithoutHeaderAreOneAdapterNamedByTheInput) {
  const std::string text =
      "$ ethtool -S eth2 | grep prio3\n     rx_prio3_pause: 1523\n\n     tx_prio3_pause: 2847\n";
  const auto m = read_ethtool_statistics({"x", text}).value();
  EXPECT_EQ(*m.devices.at(0).nic->netdev, "eth2");
  EXPECT_EQ(counter(port_of(m), "rx_pause_frames_priority_3"), 1523u);
  EXPECT_EQ(counter(port_of(m), "tx_pause_frames_priority_3"), 2847u);
  const auto unnamed = read_ethtool_statistics({"pause.txt", "rx_prio0_pause: 80\n"}).value();
  EXPECT_FALSE(unnamed.devices.at(0).nic->netdev);
  EXPECT_EQ(*unnamed.devices.at(0).name, "adapter of pause.txt");
  EXPECT_TRUE(unnamed.devices.at(0).name.inferred());
}

TEST(EthtoolStatistics, TwoDevicesInOnePasteStayApart) {
  const std::string text =
      "# ethtool -S eth0\nNIC statistics:\n     rx_out_of_buffer: 1\n# ethtool -S eth1\n"
      "NIC statistics:\n     rx_out_of_buffer: 2\n";
  const auto m = read_ethtool_statistics({"x", text}).value();
  ASSERT_EQ(m.devices.size(), 2u);
  EXPECT_EQ(counter(port_of(m, 0), "rx_discards_no_buffer"), 1u);
  EXPECT_EQ(counter(port_of(m, 1), "rx_discards_no_buffer"), 2u);
}

TEST(EthtoolStatistics, SumsOfIceAreItsPacketsAndThePortsOwn) {
  const std::string text =
      "NIC statistics:\n     rx_unicast: 100\n     rx_multicast: 20\n     rx_broadcast: 3\n"
      "     rx_unicast.nic: 200\n     rx_multicast.nic: 40\n     rx_broadcast.nic: 6\n"
      "     rx_queue_0_packets: 60\n     rx_queue_1_packets: 63\n     link_xoff_rx.nic: 9\n";
  const auto m = read_ethtool_statistics({"x", text}).value();
  EXPECT_EQ(counter(port_of(m), "rx_packets"), 123u);
  EXPECT_EQ(counter(port_of(m), "rx_packets_phy"), 246u);
  EXPECT_EQ(counter(port_of(m), "rx_pause_frames"), 9u);
  EXPECT_EQ(*port_of(m).driver_counters.at("rx_queue_*_packets").value, 123u);
}

TEST(EthtoolStatistics, LineThatIsNoCounterIsSaidWithItsNumber) {
  const auto m =
      read_ethtool_statistics({"x", "NIC statistics:\n     rx_bytes: 7\n     tx_bytes: 1e9\n"})
          .value();
  ASSERT_EQ(m.remarks.size(), 1u);
  EXPECT_EQ(m.remarks[0].source.line, 3u);
  EXPECT_EQ(counter(port_of(m), "rx_bytes"), 987654321u);  // one word alone tells no driver
}

TEST(EthtoolStatistics, OtherListsOfNumbersAreNotStatistics) {
  EXPECT_FALSE(looks_like_ethtool_statistics("cores: 4\nsockets: 2\n"));
  EXPECT_FALSE(looks_like_ethtool_statistics("local_ack_timeout_err: 2705\nnp_cnp_sent: 1333\n"));
  EXPECT_FALSE(read_ethtool_statistics({"x", "nothing"}).has_value());
}

TEST(EthtoolDriver, DriverFirmwareAndFunctionAreRead) {
  const std::string text =
      "# ethtool -i enp24s0np0\ndriver: mlx5_core\nversion: 24.01-0.3.3\n"
      "firmware-version: 28.39.1002 (MT_0000000838)\nexpansion-rom-version: \n"
      "bus-info: 0000:18:00.0\nsupports-statistics: yes\nsupports-test: yes\n";
  ASSERT_TRUE(looks_like_ethtool_driver(text));
  const auto m = read_ethtool_driver({"x", text}).value();
  const auto& device = m.devices.at(0);
  EXPECT_TRUE(m.remarks.empty());
  EXPECT_EQ(device.address->text(), "0000:18:00.0");
  EXPECT_EQ(*device.pci->driver, "mlx5_core");
  EXPECT_EQ(*device.nic->driver_version, "24.01-0.3.3");
  EXPECT_EQ(*device.nic->firmware, "28.39.1002");
  EXPECT_EQ(*device.nic->board_id, "MT_0000000838");
  EXPECT_EQ(*device.nic->netdev, "enp24s0np0");
  EXPECT_FALSE(looks_like_ethtool_driver("driver: gpt-7\nspeed: fast\n"));
}

TEST(EthtoolDriver, FirmwareThatTheDriverDoesNotSayIsUnknown) {
  const auto m = read_ethtool_driver({"x", "driver: virtio_net\nfirmware-version: N/A\n"}).value();
  EXPECT_EQ(m.devices.at(0).nic->firmware.reading().why(), "the driver says \"N/A\"");
}

TEST(EthtoolPause, BothDirectionsAreRead) {
  const auto m = read_ethtool_pause({"x",
                                     "Pause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\ton\n"
                                     "TX:\t\toff\nRX negotiated: on\n"})
                     .value();
  EXPECT_EQ(*port_of(m).pause_rx, "on");
  EXPECT_EQ(*port_of(m).pause_tx, "off");
  EXPECT_TRUE(m.remarks.empty());
  const auto odd =
      read_ethtool_pause({"x", "Pause parameters for eth0:\nRX:\t\tperhaps\n"}).value();
  EXPECT_FALSE(port_of(odd).pause_rx);
  EXPECT_EQ(odd.remarks.at(0).text, "RX pause is on or off, found \"perhaps\"");
}

}  // namespace
}  // namespace railgauge::observe
