#include <gtest/gtest.h>

#include "observe/ib_text/ibdev2netdev.h"
#include "observe/ib_text/ibqueryerrors.h"
#include "observe/ib_text/rdma_counters.h"
#include "observe/ib_text/show_gids.h"
#include "observe/reader.h"

namespace railgauge::observe {
namespace {

std::uint64_t counter(const model::NicPort& port, const char* name) {
  const auto found = port.counters.find(name);
  return found == port.counters.end() ? 987654321u : *found->second.value;
}

TEST(ShowGids, TableThatStartsAtIndexFour) {
  const std::string text =
      "DEV     PORT    INDEX   GID                                     IPv4            VER     "
      "DEV\n"
      "---     ----    -----   ---                                     ------------    ---     "
      "---\n"
      "mlx5_0  1       4       0000:0000:0000:0000:0000:ffff:0a00:0015 10.0.0.21       v1      "
      "net1\n"
      "mlx5_0  1       5       0000:0000:0000:0000:0000:ffff:0a00:0015 10.0.0.21       v2      "
      "net1\n"
      "mlx5_0  1       6       fe80:0000:0000:0000:0000:00ff:fe00:0001                 v1\n"
      "n_gids_found=3\n";
  ASSERT_TRUE(looks_like_show_gids(text));
  const auto m = read_show_gids({"gids.txt", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 1u);
  const auto& port = m.devices[0].nic->ports.at(0);
  EXPECT_EQ(*port.netdev, "net1");
  ASSERT_EQ(port.gids.size(), 3u);
  EXPECT_EQ(port.gids[0].index, 4);
  EXPECT_EQ(*port.gids[0].type, "RoCE v1");
  EXPECT_EQ(*port.gids[1].type, "RoCE v2");
  EXPECT_EQ(*port.gids[1].gid, "0000:0000:0000:0000:0000:ffff:0a00:0015");
  EXPECT_EQ(*port.gids[1].netdev, "net1");
  EXPECT_FALSE(port.gids[2].netdev);
  EXPECT_EQ(m.sources.text(port.gids[1].type.source()), "gids.txt:4");
}

TEST(ShowGids, RowThatWasCutIsSaid) {
  const auto m = read_show_gids({"x",
                                 "DEV PORT INDEX GID IPv4 VER DEV\n"
                                 "mlx5_0 1 0 fe80:0000:0000:0000:0000:00ff:fe00:0001 v2 eth0\n"
                                 "mlx5_0 1 1 fe80:00\n"})
                     .value();
  ASSERT_EQ(m.remarks.size(), 1u);
  EXPECT_EQ(m.remarks[0].source.line, 3u);
  EXPECT_FALSE(looks_like_show_gids("a 1 2 b\n"));
}

TEST(Ibqueryerrors, CountersOfAPortByItsGuid) {
  const std::string text =
      "Errors for \"node07 mlx5_0\"\n"
      "   GUID 0x506b4b0300a1b2c3 port ALL: [LinkDownedCounter == 25]\n"
      "   GUID 0x506b4b0300a1b2c3 port 1: [LinkDownedCounter == 25] [PortRcvErrors == 26] "
      "[PortXmitWait == 14681376621] [PortRcvData == 1000 (3.906K)]\n"
      "Errors for 0xe41d2d0300aa0000 \"MF0;leaf1:MQM8700/U1\"\n"
      "   GUID 0xe41d2d0300aa0000 port 17: [SymbolErrorCounter == 3]\n";
  ASSERT_TRUE(looks_like_ibqueryerrors(text));
  const auto m = read_ibqueryerrors({"x", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 2u);
  EXPECT_EQ(*m.devices[0].nic->guid, "506b:4b03:00a1:b2c3");
  EXPECT_EQ(*m.devices[0].name, "node07 mlx5_0");
  ASSERT_EQ(m.devices[0].nic->ports.size(), 1u);
  const auto& port = m.devices[0].nic->ports[0];
  EXPECT_EQ(counter(port, "link_downed"), 25u);
  EXPECT_EQ(counter(port, "port_receive_errors"), 26u);
  EXPECT_EQ(counter(port, "transmit_wait"), 14681376621u);
  EXPECT_EQ(counter(port, "port_receive_bytes"), 4000u);
  EXPECT_EQ(m.devices[1].kind, model::DeviceKind::other);  // a switch is no adapter
  EXPECT_EQ(m.devices[1].nic->ports.at(0).number, 17);
}

TEST(Ibqueryerrors, BracketThatIsNoCounterIsSaid) {
  const auto m = read_ibqueryerrors({"x", "GUID 0x1 port 1: [PortRcvErrors == 26] [Cut"}).value();
  ASSERT_EQ(m.remarks.size(), 1u);
  EXPECT_EQ(m.remarks[0].text, "expected a counter like \"[PortRcvErrors == 26]\", found \"[Cut\"");
  EXPECT_EQ(counter(m.devices.at(0).nic->ports.at(0), "port_receive_errors"), 26u);
}

TEST(RdmaCounters, PastedHwCountersAreOnePortOfAnAdapterWithoutName) {
  const std::string text =
      "local_ack_timeout_err: 2705\nnp_cnp_sent: 1333\nimplied_nak_seq_err: 0\n"
      "new_counter: 4\nlifespan: 12\n";
  ASSERT_TRUE(looks_like_rdma_counters(text));
  const auto m = read_rdma_counters({"hw.txt", text}).value();
  ASSERT_EQ(m.devices.size(), 1u);
  const auto& port = m.devices[0].nic->ports.at(0);
  EXPECT_EQ(counter(port, "local_ack_timeouts"), 2705u);
  EXPECT_EQ(counter(port, "congestion_notifications_sent"), 1333u);
  EXPECT_EQ(counter(port, "implied_nak_sequence_errors"), 0u);
  EXPECT_EQ(*port.driver_counters.at("new_counter").value, 4u);
  EXPECT_EQ(m.devices[0].attributes.at(0).key, "port1.hw_counters_lifespan_ms");
  EXPECT_FALSE(looks_like_rdma_counters("rx_prio3_pause: 4\n"));
}

TEST(RdmaLink, StateAndStatisticsOfTheSamePort) {
  const std::string text =
      "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth0 netdev_index 3\n"
      "link mlx5_1/1 subnet_prefix fe80:0000:0000:0000 lid 13399 sm_lid 49151 lmc 0 state ACTIVE\n"
      "link mlx5_0/1 rx_write_requests 7 out_of_sequence 12 lifespan 10 rp_cnp_handled 5\n";
  ASSERT_TRUE(looks_like_rdma_link(text));
  const auto m = read_rdma_link({"x", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 2u);
  const auto& port = m.devices[0].nic->ports.at(0);
  EXPECT_EQ(*port.state, "ACTIVE");
  EXPECT_EQ(*port.physical_state, "LinkUp");
  EXPECT_EQ(*m.devices[0].nic->netdev, "eth0");
  EXPECT_EQ(counter(port, "out_of_sequence"), 12u);
  EXPECT_EQ(counter(port, "congestion_notifications_handled"), 5u);
  EXPECT_EQ(*m.devices[1].nic->ports.at(0).lid, 13399);
}

TEST(Ibdev2netdev, PlainAndVerboseLines) {
  const std::string text =
      "mlx5_0 port 1 ==> eth0 (Up)\nmlx5_bond_0 port 1 ==> bond0 (Down)\n"
      "0000:17:00.0 mlx5_2 (MT4129 - MCX75310AAS-NEAT) NVIDIA ConnectX-7 fw 28.39.1002 port 1 "
      "(ACTIVE) ==> ibs1 (Up)\n";
  ASSERT_TRUE(looks_like_ibdev2netdev(text));
  const auto m = read_ibdev2netdev({"x", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 3u);
  EXPECT_EQ(*m.devices[0].nic->netdev, "eth0");
  EXPECT_EQ(*m.devices[0].nic->ports.at(0).netdev_state, "up");
  EXPECT_EQ(*m.devices[1].nic->ports.at(0).netdev_state, "down");
  EXPECT_EQ(m.devices[2].address->text(), "0000:17:00.0");
  EXPECT_EQ(*m.devices[2].nic->rdma_device, "mlx5_2");
  EXPECT_EQ(*m.devices[2].nic->hca_type, "MT4129");
  EXPECT_EQ(*m.devices[2].nic->firmware, "28.39.1002");
  EXPECT_EQ(*m.devices[2].nic->ports.at(0).state, "ACTIVE");
}

TEST(RdmaTools, EachTextIsRecognisedByItsOwnReaderAlone) {
  const std::pair<const char*, InputKind> texts[] = {
      {"CA 'mlx5_0'\n\tPort 1:\n", InputKind::ibstat},
      {"hca_id:\tmlx5_0\n\tfw_ver:\t1\n", InputKind::ibv_devinfo},
      {"mlx5_0 port 1 ==> eth0 (Up)\n", InputKind::ibdev2netdev},
      {"GUID 0x1 port 1: [PortRcvErrors == 26]\n", InputKind::ibqueryerrors},
      {"local_ack_timeout_err: 2705\n", InputKind::rdma_counters},
      {"     rx_prio3_pause: 1523\n", InputKind::ethtool_statistics},
      {"link mlx5_0/1 state ACTIVE\n", InputKind::rdma_link},
      {"mlx5_0/ports/1/counters/symbol_error: 0\n", InputKind::sysfs_dump},
      {"Pause parameters for eth0:\nRX:\ton\n", InputKind::ethtool_pause},
  };
  for (const auto& [text, kind] : texts) {
    const auto found = sniff(text);
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_EQ(found[0]->kind, kind) << text;
  }
}

}  // namespace
}  // namespace railgauge::observe
