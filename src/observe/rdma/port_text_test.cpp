#include "observe/rdma/port_text.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

TEST(PortText, RatesInTheKernelsWords) {
  EXPECT_EQ(*port_rate("400 Gb/sec (4X NDR)"), gigabits_per_second(400));
  EXPECT_EQ(*port_rate("2.5 Gb/sec (1X SDR)"), gigabits_per_second(2.5));
  EXPECT_FALSE(port_rate("fast"));
  EXPECT_FALSE(port_rate("-40 Gb/sec"));
  EXPECT_EQ(*net_speed("25000"), gigabits_per_second(25));
  EXPECT_TRUE(net_speed("4294967295").is_failed());
  EXPECT_FALSE(net_speed("nan"));
  EXPECT_EQ(*port_state("4: ACTIVE"), "ACTIVE");
  EXPECT_FALSE(port_state("4:"));
  EXPECT_EQ(*port_rate_words("400 Gb/sec (4X NDR)"), "4X NDR");
  EXPECT_FALSE(port_rate_words("400 Gb/sec"));
}

TEST(PortText, WordsOfToolsAreTheKernels) {
  EXPECT_EQ(state_word("PORT_ACTIVE"), "ACTIVE");
  EXPECT_EQ(state_word("Initializing"), "INIT");
  EXPECT_EQ(state_word("Unheard"), "Unheard");
  EXPECT_EQ(physical_state_word("LINK_UP"), "LinkUp");
  EXPECT_EQ(physical_state_word("LinkUp"), "LinkUp");
  EXPECT_EQ(physical_state_word("POLLING"), "Polling");
}

TEST(PortText, AddressesInOneForm) {
  EXPECT_EQ(*gid_text("FE80::AC0:1"), "fe80:0000:0000:0000:0000:0000:0ac0:0001");
  EXPECT_EQ(*gid_text("::ffff:10.0.0.1"), "0000:0000:0000:0000:0000:ffff:0a00:0001");
  EXPECT_TRUE(gid_text("::").is_failed());
  EXPECT_FALSE(gid_text("fe80"));
  EXPECT_FALSE(gid_text(std::string(5000, ':')));
  EXPECT_EQ(*guid_text("0x506b4b0300a1b2c3"), "506b:4b03:00a1:b2c3");
  EXPECT_EQ(*guid_text("506b:4b03:00a1:b2c3"), "506b:4b03:00a1:b2c3");
  EXPECT_TRUE(guid_text("0000:0000:0000:0000").is_failed());
  EXPECT_FALSE(guid_text("mlx5_0"));
  EXPECT_EQ(*port_lid("0x17f"), 383);
  EXPECT_EQ(*port_lid("383"), 383);
  EXPECT_TRUE(port_lid("0").is_failed());
  EXPECT_TRUE(port_lid("65535").is_failed());
  EXPECT_FALSE(port_lid("-1"));
}

TEST(PortText, MtuOfRdmaThatFitsAnEthernetMtu) {
  EXPECT_EQ(roce_mtu(1500), 1024);
  EXPECT_EQ(roce_mtu(4191), 2048);
  EXPECT_EQ(roce_mtu(4192), 4096);
  EXPECT_EQ(roce_mtu(9000), 4096);
  EXPECT_EQ(roce_mtu(68), std::nullopt);
  EXPECT_EQ(*rdma_mtu("4096 (5)"), 4096);
  EXPECT_FALSE(rdma_mtu("1500"));
}

}  // namespace
}  // namespace railgauge::observe
