#include "observe/ib_text/sysfs_dump.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

TEST(SysfsDump, FilesOfTwoAdaptersBecomeTheirFacts) {
  const std::string text =
      "mlx5_0/board_id: MT_0000000838\nmlx5_0/fw_ver: 28.41.1000\nmlx5_0/hca_type: MT4129\n"
      "mlx5_0/ports/1/counters/port_rcv_data: 1000\n"
      "mlx5_0/ports/1/counters/excessive_buffer_overrun_errors: 15\n"
      "mlx5_0/ports/1/hw_counters/roce_adp_retrans: 3\nmlx5_0/ports/1/hw_counters/lifespan: 12\n"
      "mlx5_0/ports/1/link_layer: InfiniBand\nmlx5_0/ports/1/phys_state: 5: LinkUp\n"
      "mlx5_0/ports/1/rate: 400 Gb/sec (4X NDR)\nmlx5_0/ports/1/state: 4: ACTIVE\n"
      "mlx5_bond_0/ports/1/rate: 200 Gb/sec (2X NDR)\n";
  ASSERT_TRUE(looks_like_sysfs_dump(text));
  const auto m = read_sysfs_dump({"dump.txt", text}).value();
  ASSERT_EQ(m.devices.size(), 2u);
  const auto& nic = *m.devices[0].nic;
  EXPECT_EQ(*nic.rdma_device, "mlx5_0");
  EXPECT_EQ(*nic.board_id, "MT_0000000838");
  EXPECT_EQ(*nic.firmware, "28.41.1000");
  EXPECT_EQ(*nic.hca_type, "MT4129");
  const auto& port = nic.ports.at(0);
  EXPECT_EQ(*port.counters.at("port_receive_bytes").value, 4000u);
  EXPECT_EQ(*port.counters.at("adaptive_retransmits").value, 3u);
  EXPECT_EQ(m.sources.text(port.counters.at("adaptive_retransmits").value.source()), "dump.txt:6");
  EXPECT_EQ(*port.state, "ACTIVE");
  EXPECT_EQ(*port.physical_state, "LinkUp");
  EXPECT_EQ(*port.rate_words, "4X NDR");
  EXPECT_EQ(*m.devices[1].nic->ports.at(0).rate, gigabits_per_second(200));
  ASSERT_EQ(m.remarks.size(), 1u);  // a counter of four bits that is full
  EXPECT_EQ(m.remarks[0].source.line, 5u);
}

TEST(SysfsDump, GrepOfTheRealPathsSaysThePciFunction) {
  const std::string base = "/sys/devices/pci0000:15/0000:15:01.0/0000:18:00.0/infiniband/mlx5_3/";
  const auto m =
      read_sysfs_dump({"x", base + "node_guid:b83f:d203:00aa:bbcc\n" + base +
                                "ports/1/gids/1:0000:0000:0000:0000:0000:ffff:0a00:0001\n" + base +
                                "ports/1/gids/2:0000:0000:0000:0000:0000:0000:0000:0000\n" + base +
                                "ports/1/gid_attrs/types/1:RoCE v2\n" + base +
                                "ports/1/gid_attrs/ndevs/1:eth0\n"})
          .value();
  ASSERT_EQ(m.devices.size(), 1u);
  EXPECT_EQ(m.devices[0].address->text(), "0000:18:00.0");
  EXPECT_EQ(*m.devices[0].nic->guid, "b83f:d203:00aa:bbcc");
  const auto& port = m.devices[0].nic->ports.at(0);
  ASSERT_EQ(port.gids.size(), 1u);
  EXPECT_EQ(port.gids[0].index, 1);
  EXPECT_EQ(*port.gids[0].type, "RoCE v2");
  EXPECT_EQ(*port.netdev, "eth0");
}

TEST(SysfsDump, OddValuesAndPortsAreSaid) {
  const auto m =
      read_sysfs_dump({"x",
                       "mlx5_0/ports/1/counters/symbol_error: none\n"
                       "mlx5_0/ports/999/state: 4: ACTIVE\n"
                       "mlx5_0/ports/1/rate: 10 Gb/sec (4X SDR)\nmlx5_0/ports/1/state: 1: DOWN\n"})
          .value();
  ASSERT_EQ(m.remarks.size(), 2u);
  EXPECT_EQ(m.remarks[0].text, "expected a count, found \"none\"");
  EXPECT_FALSE(m.devices.at(0).nic->ports.at(0).rate);
  EXPECT_FALSE(looks_like_sysfs_dump("a/b: 7\nports/1/x: 3\n"));
}

}  // namespace
}  // namespace railgauge::observe
