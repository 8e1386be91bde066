#include "observe/ib_text/ibstat.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

TEST(Ibstat, AdapterAndItsPortAreRead) {
  const std::string text =
      "# ibstat\nCA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n"
      "\tFirmware version: 28.39.1002\n\tHardware version: 0\n\tNode GUID: 0xb83fd20300aabbcc\n"
      "\tSystem image GUID: 0xb83fd20300aabbcd\n\tPort 1:\n\t\tState: Active\n"
      "\t\tPhysical state: LinkUp\n\t\tRate: 400\n\t\tBase lid: 383\n\t\tLMC: 0\n\t\tSM lid: 228\n"
      "\t\tCapability mask: 0xa651e848\n\t\tPort GUID: 0xb83fd20300aabbcc\n"
      "\t\tLink layer: InfiniBand\n";
  ASSERT_TRUE(looks_like_ibstat(text));
  const auto m = read_ibstat({"ibstat.txt", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 1u);
  const auto& nic = *m.devices[0].nic;
  EXPECT_EQ(*nic.rdma_device, "mlx5_0");
  EXPECT_EQ(*nic.hca_type, "MT4129");
  EXPECT_EQ(*nic.firmware, "28.39.1002");
  EXPECT_EQ(*nic.hardware_version, "0");
  EXPECT_EQ(*nic.guid, "b83f:d203:00aa:bbcc");
  EXPECT_EQ(*nic.system_image_guid, "b83f:d203:00aa:bbcd");
  ASSERT_EQ(nic.ports.size(), 1u);
  const auto& port = nic.ports[0];
  EXPECT_EQ(*port.state, "ACTIVE");
  EXPECT_EQ(*port.physical_state, "LinkUp");
  EXPECT_EQ(*port.rate, gigabits_per_second(400));
  EXPECT_EQ(*port.lid, 383);
  EXPECT_EQ(*port.sm_lid, 228);
  EXPECT_EQ(*port.guid, "b83f:d203:00aa:bbcc");
  EXPECT_EQ(*port.link_layer, "InfiniBand");
  EXPECT_EQ(m.sources.text(port.rate.source()), "ibstat.txt:12");
}

TEST(Ibstat, PortThatIsDownHasNoRateAndNoLid) {
  const auto m = read_ibstat({"x",
                              "CA 'mlx5_bond_0'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: Down\n"
                              "\t\tPhysical state: Polling\n\t\tRate: 10\n\t\tBase lid: 65535\n"
                              "\t\tSM lid: 0\n\t\tLink layer: InfiniBand\n"})
                     .value();
  const auto& port = m.devices.at(0).nic->ports.at(0);
  EXPECT_EQ(*port.state, "DOWN");
  EXPECT_EQ(*port.physical_state, "Polling");
  EXPECT_EQ(port.rate.reading().why(),
            "the port is down, its rate \"10 Gb/sec\" is not negotiated");
  EXPECT_EQ(port.lid.reading().why(), "65535 is no LID: not yet configured");
  EXPECT_TRUE(m.remarks.empty());
}

TEST(Ibstat, OutputThatFollowsIsNotItsOwn) {
  const auto m = read_ibstat({"x",
                              "CA 'mlx5_0'\n\tPort 1:\n\t\tState: Initializing\n$ nproc\n"
                              "State: Active\nPort 7:\n"})
                     .value();
  ASSERT_EQ(m.devices.at(0).nic->ports.size(), 1u);
  EXPECT_EQ(*m.devices[0].nic->ports[0].state, "INIT");
}

TEST(Ibstat, ValueThatIsNoneIsSaidWithItsLine) {
  const auto m = read_ibstat({"x", "CA 'mlx5_0'\n\tPort 1:\n\t\tBase lid: many\n"}).value();
  ASSERT_EQ(m.remarks.size(), 1u);
  EXPECT_EQ(m.remarks[0].text, "expected a LID like 0x17f, found \"many\"");
  EXPECT_EQ(m.remarks[0].source.line, 3u);
}

TEST(Ibstatus, BondsOverEthernetAreRead) {
  const std::string text =
      "Infiniband device 'mlx5_bond_0' port 1 status:\n"
      "\tdefault gid:\t fe80:0000:0000:0000:0000:00ff:fe00:0001\n\tbase lid:\t 0x0\n"
      "\tsm lid:\t\t 0x0\n\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n"
      "\trate:\t\t 200 Gb/sec (4X HDR)\n\tlink_layer:\t Ethernet\n\n"
      "Infiniband device 'mlx5_bond_1' port 1 status:\n\tstate:\t\t 1: DOWN\n"
      "\trate:\t\t 40 Gb/sec (4X QDR)\n";
  ASSERT_TRUE(looks_like_ibstatus(text));
  const auto m = read_ibstatus({"x", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 2u);
  const auto& port = m.devices[0].nic->ports.at(0);
  EXPECT_EQ(*m.devices[0].nic->rdma_device, "mlx5_bond_0");
  EXPECT_EQ(*port.state, "ACTIVE");
  EXPECT_EQ(*port.physical_state, "LinkUp");
  EXPECT_EQ(*port.rate, gigabits_per_second(200));
  EXPECT_EQ(*port.rate_words, "4X HDR");
  EXPECT_EQ(*port.link_layer, "Ethernet");
  EXPECT_FALSE(port.lid);
  ASSERT_EQ(port.gids.size(), 1u);
  EXPECT_EQ(*port.gids[0].gid, "fe80:0000:0000:0000:0000:00ff:fe00:0001");
  EXPECT_FALSE(m.devices[1].nic->ports.at(0).rate);
}

TEST(IbvDevinfo, InfiniBandAndEthernetFunctionsOfOneGuest) {
  const std::string text =
      "hca_id:\tmlx5_0\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t20.31.1014\n"
      "\tnode_guid:\t\t\t0015:5dff:fe33:ff01\n\tvendor_id:\t\t\t0x119f\n\tvendor_part_id:"
      "\t\t\t4124\n"
      "\thw_ver:\t\t\t\t0x0\n\tboard_id:\t\t\tMT_0000000223\n\tphys_port_cnt:\t\t\t1\n\t\tport:"
      "\t1\n"
      "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t4096 "
      "(5)\n"
      "\t\t\tsm_lid:\t\t\t228\n\t\t\tport_lid:\t\t383\n\t\t\tport_lmc:\t\t0x00\n"
      "\t\t\tlink_layer:\t\tInfiniBand\n\nhca_id:\tmlx5_1\n\tfw_ver:\t\t\t\t14.30.1284\n"
      "\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_DOWN (1)\n\t\t\tactive_mtu:\t\t1024 (3)\n"
      "\t\t\tsm_lid:\t\t\t0\n\t\t\tlink_layer:\t\tEthernet\n";
  ASSERT_TRUE(looks_like_ibv_devinfo(text));
  const auto m = read_ibv_devinfo({"x", text}).value();
  EXPECT_TRUE(m.remarks.empty());
  ASSERT_EQ(m.devices.size(), 2u);
  const auto& first = *m.devices[0].nic;
  EXPECT_EQ(*first.firmware, "20.31.1014");
  EXPECT_EQ(*first.guid, "0015:5dff:fe33:ff01");
  EXPECT_EQ(*first.board_id, "MT_0000000223");
  EXPECT_EQ(*first.ports.at(0).lid, 383);
  EXPECT_EQ(*first.ports.at(0).max_mtu_bytes, 4096);
  const auto& second = m.devices[1].nic->ports.at(0);
  EXPECT_EQ(*second.state, "DOWN");
  EXPECT_EQ(*second.active_mtu_bytes, 1024);
  EXPECT_EQ(*second.link_layer, "Ethernet");
  const auto& attributes = m.devices[0].attributes;
  ASSERT_GE(attributes.size(), 2u);
  EXPECT_EQ(attributes[1].key, "vendor_id");
  EXPECT_EQ(attributes[1].value, "0x119f");
}

TEST(IbvDevinfo, VerboseHasRateAndGidTable) {
  const auto m =
      read_ibv_devinfo({"x",
                        "hca_id:\tmlx5_2\n\tmax_mr_size:\t0xffffffffffffffff\n\t\tport:\t1\n"
                        "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tlink_layer:\t\tEthernet\n"
                        "\t\t\tactive_width:\t\t4X (2)\n"
                        "\t\t\tactive_speed:\t\t100.0 Gbps (128)\n"
                        "\t\t\tphys_state:\t\tLINK_UP (5)\n"
                        "\t\t\tGID[  0]:\t\tfe80::ff:fe00:1, RoCE v1\n"
                        "\t\t\tGID[  3]:\t\t::ffff:10.0.0.1, RoCE v2\n"})
          .value();
  const auto& port = m.devices.at(0).nic->ports.at(0);
  EXPECT_EQ(*port.rate, gigabits_per_second(400));
  EXPECT_EQ(*port.physical_state, "LinkUp");
  ASSERT_EQ(port.gids.size(), 2u);
  EXPECT_EQ(port.gids[1].index, 3);
  EXPECT_EQ(*port.gids[1].gid, "0000:0000:0000:0000:0000:ffff:0a00:0001");
  EXPECT_EQ(*port.gids[1].type, "RoCE v2");
  EXPECT_TRUE(m.remarks.empty());
}

TEST(RdmaTools, TextOfAnotherKindIsRefused) {
  for (const char* text : {"", "nothing", "CA mlx5_0", "hca_id:", "Infiniband device x port y"}) {
    EXPECT_FALSE(read_ibstat({"x", text}).has_value()) << text;
    EXPECT_FALSE(read_ibstatus({"x", text}).has_value()) << text;
    EXPECT_FALSE(read_ibv_devinfo({"x", text}).has_value()) << text;
  }
}

}  // namespace
}  // namespace railgauge::observe
