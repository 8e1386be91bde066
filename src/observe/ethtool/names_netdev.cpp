// What the kernel counts for every network device. Source of every row: struct rtnl_link_stats64 in
// the kernel's include/uapi/linux/if_link.h and
// Documentation/ABI/testing/sysfs-class-net-statistics.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array rows{
    CounterRow{"rx_bytes", "rx_bytes"},
    CounterRow{"tx_bytes", "tx_bytes"},
    CounterRow{"rx_packets", "rx_packets"},
    CounterRow{"tx_packets", "tx_packets"},
    CounterRow{"rx_errors", "rx_errors"},
    CounterRow{"tx_errors", "tx_errors"},
    CounterRow{"rx_dropped", "rx_dropped"},
    CounterRow{"tx_dropped", "tx_dropped"},
    CounterRow{"rx_missed_errors", "rx_missed_errors"},  // no buffers in the host
    CounterRow{"rx_crc_errors", "rx_crc_errors"},
    CounterRow{"rx_fifo_errors", "rx_fifo_errors"},
    CounterRow{"rx_over_errors", "rx_over_errors"},
    CounterRow{"rx_length_errors", "rx_length_errors"},
    CounterRow{"rx_nohandler", "rx_nohandler"},
    CounterRow{"tx_carrier_errors", "tx_carrier_errors"},
    CounterRow{"multicast", "rx_multicast_packets"},
};

}  // namespace

std::span<const CounterRow> netdev_counter_rows() { return rows; }

}  // namespace railgauge::observe
