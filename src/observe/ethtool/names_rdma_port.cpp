// /sys/class/infiniband/*/ports/*/counters of every driver, and ibqueryerrors' names of the same.
// Source of every row: the kernel's drivers/infiniband/core/sysfs.c, whose PORT_PMA_ATTR states
// each counter's bits, and Documentation/ABI/stable/sysfs-class-infiniband, which states that data
// counters are in words of four octets. A counter of few bits stops at its largest value.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::uint64_t bits_4 = 15;
constexpr std::uint64_t bits_8 = 255;
constexpr std::uint64_t bits_16 = 65535;

constexpr CounterRow stops(const char* name, const char* common, std::uint64_t largest) {
  return {name, common, Adding::one, 1, largest};
}
constexpr CounterRow words(const char* name, const char* common) {
  return {name, common, Adding::one, 4, 0};
}

constexpr std::array rows{
    stops("symbol_error", "symbol_errors", bits_16),
    stops("link_error_recovery", "link_error_recovery", bits_8),
    stops("link_downed", "link_downed", bits_8),
    stops("port_rcv_errors", "port_receive_errors", bits_16),
    stops("port_rcv_remote_physical_errors", "port_receive_remote_physical_errors", bits_16),
    stops("port_rcv_switch_relay_errors", "port_receive_switch_relay_errors", bits_16),
    stops("port_xmit_discards", "transmit_discards", bits_16),
    stops("port_xmit_constraint_errors", "transmit_constraint_errors", bits_8),
    stops("port_rcv_constraint_errors", "receive_constraint_errors", bits_8),
    stops("local_link_integrity_errors", "local_link_integrity_errors", bits_4),
    stops("excessive_buffer_overrun_errors", "excessive_buffer_overrun_errors", bits_4),
    stops("VL15_dropped", "vl15_dropped", bits_16),
    words("port_xmit_data", "port_transmit_bytes"),
    words("port_rcv_data", "port_receive_bytes"),
    CounterRow{"port_xmit_packets", "port_transmit_packets"},
    CounterRow{"port_rcv_packets", "port_receive_packets"},
    CounterRow{"port_xmit_wait", "transmit_wait"},  // ticks with data to send and no credit
    CounterRow{"unicast_xmit_packets", "port_transmit_unicast_packets"},
    CounterRow{"unicast_rcv_packets", "port_receive_unicast_packets"},
    CounterRow{"multicast_xmit_packets", "port_transmit_multicast_packets"},
    CounterRow{"multicast_rcv_packets", "port_receive_multicast_packets"},
    // The fields of PortCounters as libibmad prints them.
    stops("SymbolErrorCounter", "symbol_errors", bits_16),
    stops("LinkErrorRecoveryCounter", "link_error_recovery", bits_8),
    stops("LinkDownedCounter", "link_downed", bits_8),
    stops("PortRcvErrors", "port_receive_errors", bits_16),
    stops("PortRcvRemotePhysicalErrors", "port_receive_remote_physical_errors", bits_16),
    stops("PortRcvSwitchRelayErrors", "port_receive_switch_relay_errors", bits_16),
    stops("PortXmitDiscards", "transmit_discards", bits_16),
    stops("PortXmitConstraintErrors", "transmit_constraint_errors", bits_8),
    stops("PortRcvConstraintErrors", "receive_constraint_errors", bits_8),
    stops("LocalLinkIntegrityErrors", "local_link_integrity_errors", bits_4),
    stops("ExcessiveBufferOverrunErrors", "excessive_buffer_overrun_errors", bits_4),
    stops("VL15Dropped", "vl15_dropped", bits_16),
    words("PortXmitData", "port_transmit_bytes"),
    words("PortRcvData", "port_receive_bytes"),
    CounterRow{"PortXmitPkts", "port_transmit_packets"},
    CounterRow{"PortRcvPkts", "port_receive_packets"},
    CounterRow{"PortXmitWait", "transmit_wait"},
};

}  // namespace

std::span<const CounterRow> rdma_port_counter_rows() { return rows; }

}  // namespace railgauge::observe
