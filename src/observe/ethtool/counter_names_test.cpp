#include "observe/ethtool/counter_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "observe/ethtool/counter_sheet.h"

namespace railgauge::observe {
namespace {

std::string common(const CounterNames& names, std::string_view driver_name) {
  const auto found = names.find(driver_name);
  return found ? found->name : "-";
}

TEST(CounterNames, DriversSayTheSameInDifferentWords) {
  const auto mlx5 = CounterNames::of_ethtool("mlx5_core");
  const auto ice = CounterNames::of_ethtool("ice");
  const auto bnxt = CounterNames::of_ethtool("bnxt_en");
  EXPECT_EQ(common(mlx5, "rx_prio3_pause"), "rx_pause_frames_priority_3");
  EXPECT_EQ(common(ice, "rx_priority_3_xoff.nic"), "rx_pause_frames_priority_3");
  EXPECT_EQ(common(bnxt, "rx_pfc_ena_frames_pri3"), "rx_pause_frames_priority_3");
  EXPECT_EQ(common(mlx5, "tx_prio7_pause_duration"), "tx_pause_duration_us_priority_7");
  EXPECT_EQ(common(bnxt, "pfc_pri7_tx_duration_us"), "tx_pause_duration_us_priority_7");
  EXPECT_EQ(common(mlx5, "rx_out_of_buffer"), "rx_discards_no_buffer");
  EXPECT_EQ(common(ice, "rx_dropped.nic"), "rx_discards_phy");
}

TEST(CounterNames, OneWordOfTwoDriversIsToldApartByTheDriver) {
  EXPECT_EQ(common(CounterNames::of_ethtool("mlx5_core"), "rx_bytes"), "rx_bytes");
  EXPECT_EQ(common(CounterNames::of_ethtool("bnxt_en"), "rx_bytes"), "rx_bytes_phy");
  EXPECT_EQ(common(CounterNames::of_any_driver(), "rx_bytes"), "-");
  EXPECT_EQ(common(CounterNames::of_any_driver(), "rx_prio0_bytes"), "rx_bytes_priority_0");
  EXPECT_EQ(common(CounterNames::of_ethtool("i40e"), "rx_bytes"), "rx_bytes");
  EXPECT_EQ(common(CounterNames::of_ethtool("i40e"), "port.rx_bytes"), "-");
}

TEST(CounterNames, SizesInNamesAreNoPriorities) {
  const auto mlx5 = CounterNames::of_ethtool("mlx5_core");
  EXPECT_EQ(common(mlx5, "rx_65_to_127_bytes_phy"), "-");
  EXPECT_EQ(common(mlx5, "rx_prio12_bytes"), "-");
  EXPECT_EQ(common(mlx5, "rx_prio_bytes"), "-");
  EXPECT_EQ(common(mlx5, std::string(5000, '7')), "-");
}

TEST(CounterNames, QueuesAreFoundWhereDriversWriteThem) {
  EXPECT_EQ(without_queue("rx0_cache_full"), "rx*_cache_full");
  EXPECT_EQ(without_queue("tx127_nop"), "tx*_nop");
  EXPECT_EQ(without_queue("ch3_poll"), "ch*_poll");
  EXPECT_EQ(without_queue("[12]: rx_discards"), "[*]: rx_discards");
  EXPECT_EQ(without_queue("rx_queue_44_packets"), "rx_queue_*_packets");
  EXPECT_EQ(without_queue("queue_0_tx_doorbells"), "queue_*_tx_doorbells");
  EXPECT_EQ(without_queue("rx-7.packets"), "rx-*.packets");
  EXPECT_EQ(without_queue("rx_64_bytes_phy"), "");
  EXPECT_EQ(without_queue("rx_queue_packets"), "");
}

TEST(CounterNames, DriverIsKnownByItsWords) {
  const std::vector<std::string_view> mlx5{"rx_bytes", "tx_bytes", "rx_out_of_buffer"};
  const std::vector<std::string_view> bnxt{"rx_bytes", "tx_bytes", "rx_good_frames",
                                           "rx_total_ring_discards"};
  const std::vector<std::string_view> either{"rx_bytes"};
  EXPECT_EQ(driver_of_counters(mlx5), "mlx5_core");
  EXPECT_EQ(driver_of_counters(bnxt), "bnxt_en");
  EXPECT_EQ(driver_of_counters(either), "");
  EXPECT_EQ(driver_of_counters({}), "");
}

TEST(CounterNames, TablesHoldEachNameOnceAndBelongToOneSide) {
  std::set<std::string_view> ethtool;
  std::set<std::string_view> rdma;
  const auto check = [](std::span<const CounterRow> rows, std::set<std::string_view>& commons) {
    std::set<std::string_view> seen;
    for (const CounterRow& row : rows) {
      EXPECT_TRUE(seen.insert(row.driver_name).second) << row.driver_name;
      const auto has_number = [](std::string_view text) {
        return text.find("{n}") != std::string_view::npos;
      };
      EXPECT_EQ(has_number(row.driver_name), has_number(row.common)) << row.driver_name;
      EXPECT_GT(row.factor, 0u);
      commons.insert(row.common);
    }
  };
  for (const auto rows : {mlx5_counter_rows(), ice_counter_rows(), bnxt_counter_rows(),
                          ena_counter_rows(), netdev_counter_rows()})
    check(rows, ethtool);
  check(rdma_port_counter_rows(), rdma);
  check(rdma_hw_counter_rows(), rdma);
  for (const auto name : rdma) EXPECT_FALSE(ethtool.contains(name)) << name;
}

struct Taken {
  model::Machine machine;
  model::NicPort port;
  model::SourceRef here = machine.sources.add("x", model::Trust::tool);
};

TEST(CounterSheet, PartsAndQueuesAreAddedUp) {
  Taken t;
  CounterSheet sheet(CounterNames::of_ethtool("bnxt_en"));
  sheet.take("[0]: rx_ucast_packets", 100, t.here.at_line(1));
  sheet.take("[0]: rx_mcast_packets", 10, t.here.at_line(2));
  sheet.take("[1]: rx_ucast_packets", 1, t.here.at_line(3));
  sheet.take("[0]: rx_discards", 7, t.here.at_line(4));
  sheet.take("[1]: rx_discards", 8, t.here.at_line(5));
  sheet.take("rx_good_frames", 9, t.here.at_line(6));
  sheet.write(t.port, t.machine, "eth0");
  EXPECT_EQ(*t.port.counters.at("rx_packets").value, 111u);
  EXPECT_EQ(t.port.counters.at("rx_packets").value.source().line, 1u);
  EXPECT_EQ(*t.port.driver_counters.at("[*]: rx_discards").value, 15u);
  EXPECT_EQ(*t.port.driver_counters.at("rx_good_frames").value, 9u);
  EXPECT_EQ(t.port.driver_counters.size(), 2u);
}

TEST(CounterSheet, DataOfRdmaPortsIsInBytes) {
  Taken t;
  CounterSheet sheet(CounterNames::of_rdma());
  sheet.take("port_rcv_data", 250, t.here);
  sheet.take("port_xmit_data", 0xffff'ffff'ffff'fff0u, t.here);  // times four is no number
  sheet.write(t.port, t.machine, "mlx5_0 port 1");
  EXPECT_EQ(*t.port.counters.at("port_receive_bytes").value, 1000u);
  EXPECT_FALSE(t.port.counters.contains("port_transmit_bytes"));
  EXPECT_EQ(*t.port.driver_counters.at("port_xmit_data").value, 0xffff'ffff'ffff'fff0u);
}

TEST(CounterSheet, CounterThatIsFullSaysSo) {
  Taken t;
  CounterSheet sheet(CounterNames::of_rdma());
  sheet.take("link_downed", 255, t.here);
  sheet.take("symbol_error", 255, t.here);
  sheet.write(t.port, t.machine, "mlx5_1 port 1");
  ASSERT_EQ(t.machine.remarks.size(), 1u);
  EXPECT_EQ(t.machine.remarks[0].text,
            "mlx5_1 port 1: \"link_downed\" is 255, the largest value it can hold: it counts no "
            "further until it is cleared");
}

TEST(CounterSheet, SecondReadingOfTheSameCountersIsAnotherClaim) {
  Taken t;
  CounterSheet sheet(CounterNames::of_ethtool("bnxt_en"));
  for (const std::uint64_t value : {5u, 6u}) {
    sheet.take("[0]: tx_ucast_bytes", value, t.here.at_line(static_cast<std::uint32_t>(value)));
    sheet.take("[1]: tx_ucast_bytes", value, t.here.at_line(static_cast<std::uint32_t>(value)));
  }
  sheet.write(t.port, t.machine, "eth0");
  const auto& claims = t.port.counters.at("tx_bytes").value.claims();
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0].value, 10u);
  EXPECT_EQ(claims[1].value, 12u);
}

}  // namespace
}  // namespace railgauge::observe
