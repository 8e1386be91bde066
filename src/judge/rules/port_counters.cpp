#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/rules/families.h"
#include "judge/rules/port_counters_parts.h"

namespace railgauge::judge {

using namespace model;

std::string priority_counter(std::string_view direction, std::string_view what, int priority) {
  return fmt::format("{}_{}_priority_{}", direction, what, priority);
}

bool is_excerpt(const NicPort& port) {
  // A driver's own list has hundreds; the shortest, of netdev statistics, has over twenty.
  constexpr std::size_t least = 20;
  return port.counters.size() + port.driver_counters.size() < least;
}

RoceTraffic roce_traffic(const PortView& view) {
  static constexpr std::array only_roce{"rx_rdma_bytes", "tx_rdma_bytes", "ecn_marked_roce_packets",
                                        "congestion_notifications_sent",
                                        "congestion_notifications_handled"};
  static constexpr std::array on_ethernet{"rx_write_requests", "rx_read_requests",
                                          "local_ack_timeouts", "out_of_sequence"};
  RoceTraffic out;
  for (const char* name : only_roce)
    if (counter(*view.port, name).value_or(0) > 0) return {true, false, name};
  if (is_ethernet(view))
    for (const char* name : on_ethernet)
      if (counter(*view.port, name).value_or(0) > 0) return {true, false, name};
  out.ruled_out =
      counter(*view.port, "rx_rdma_bytes") == 0u && counter(*view.port, "tx_rdma_bytes") == 0u;
  return out;
}

Family port_counters_rules() {
  static const std::vector<Rule> list = together(
      {pause_rules(), loss_rules(), signal_rules(), pcie_stall_rules(), traffic_class_rules()});
  return list;
}

}  // namespace railgauge::judge
