// From a driver's own name of a counter to one that is common to all drivers.
//   CounterNames names = CounterNames::of_ethtool("mlx5_core");
//   names.find("rx_prio3_pause_duration")->name      // "rx_pause_duration_us_priority_3"
// The tables stand in names_*.cpp, one per driver, each row with where it comes from. The words:
//   rx_…, tx_…          the network device: rx_bytes, rx_packets, rx_errors, rx_dropped
//   …_phy               at the physical port, RDMA included: rx_bytes_phy, rx_discards_phy
//   …_priority_N        one priority: rx_bytes_…, rx_pause_frames_…, rx_pause_duration_us_…,
//                       rx_pause_transitions_…, rx_discards_…
//   rx_discards_no_buffer   no receive buffer was posted: the host is too slow
//   port_receive_bytes, symbol_errors, link_downed, transmit_wait …   an RDMA port's counters
//   local_ack_timeouts, out_of_sequence, congestion_notifications_sent …   its hw_counters
// Names of the RDMA tables and of the ethtool tables never mean the same common counter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace railgauge::observe {

// How several counters of a driver become one.
enum class Adding : std::uint8_t {
  one,     // one counter is the common one
  parts,   // the common one is the sum of several: unicast, multicast, broadcast
  queues,  // the common one is the sum over the queues; the name holds {q}
};

struct CounterRow {
  const char* driver_name;  // "{n}" stands for a priority, "{q}" for a queue
  const char* common;       // "{n}" again
  Adding adding = Adding::one;
  std::uint64_t factor = 1;   // to bytes
  std::uint64_t largest = 0;  // where the counter stops counting; 0: 2^64-1
};

struct CommonName {
  std::string name;
  const CounterRow* row = nullptr;
};

class CounterNames {
 public:
  // The table of one driver as `ethtool -i` names it. Of a driver that we do not know only the
  // names that the kernel itself has for every network device.
  static CounterNames of_ethtool(std::string_view driver);
  // Of all drivers; a name that two of them use for different things is left out.
  static CounterNames of_any_driver();
  // /sys/class/net/*/statistics.
  static CounterNames of_netdev();
  // counters and hw_counters of /sys/class/infiniband, and the same in ibqueryerrors' spelling.
  static CounterNames of_rdma();

  std::optional<CommonName> find(std::string_view driver_name) const;

 private:
  void add(std::span<const CounterRow> rows);
  std::unordered_map<std::string_view, const CounterRow*> rows_;
};

// The driver whose table knows most of these names; empty when none does, or several alike.
std::string_view driver_of_counters(std::span<const std::string_view> names);

// "rx0_cache_full" is "rx*_cache_full", "[12]: rx_discards" is "[*]: rx_discards"; empty for a
// counter that is not one queue's.
std::string without_queue(std::string_view driver_name);

// The tables.
std::span<const CounterRow> netdev_counter_rows();
std::span<const CounterRow> mlx5_counter_rows();
std::span<const CounterRow> ice_counter_rows();
std::span<const CounterRow> bnxt_counter_rows();
std::span<const CounterRow> ena_counter_rows();
std::span<const CounterRow> rdma_port_counter_rows();
std::span<const CounterRow> rdma_hw_counter_rows();

}  // namespace railgauge::observe
