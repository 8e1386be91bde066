// mlx5_core. Source of every row: the kernel's
// Documentation/networking/device_drivers/ethernet/mellanox/mlx5/counters.rst, which states that
// pause durations are in microseconds, and which counters are the physical port's.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array rows{
    // Software counters, summed over the rings by the driver itself.
    CounterRow{"rx_packets", "rx_packets"},
    CounterRow{"rx_bytes", "rx_bytes"},
    CounterRow{"tx_packets", "tx_packets"},
    CounterRow{"tx_bytes", "tx_bytes"},
    CounterRow{"rx_ecn_mark", "ecn_marked_received"},
    CounterRow{"rx_buff_alloc_err", "rx_allocation_failures"},
    CounterRow{"rx_out_of_buffer", "rx_discards_no_buffer"},
    // RDMA traffic through the adapter's own switch.
    CounterRow{"rx_vport_rdma_unicast_packets", "rx_rdma_packets"},
    CounterRow{"rx_vport_rdma_unicast_bytes", "rx_rdma_bytes"},
    CounterRow{"tx_vport_rdma_unicast_packets", "tx_rdma_packets"},
    CounterRow{"tx_vport_rdma_unicast_bytes", "tx_rdma_bytes"},
    // The physical port.
    CounterRow{"rx_packets_phy", "rx_packets_phy"},
    CounterRow{"tx_packets_phy", "tx_packets_phy"},
    CounterRow{"rx_bytes_phy", "rx_bytes_phy"},
    CounterRow{"tx_bytes_phy", "tx_bytes_phy"},
    CounterRow{"rx_crc_errors_phy", "rx_crc_errors"},
    CounterRow{"rx_symbol_err_phy", "rx_symbol_errors"},
    CounterRow{"rx_pcs_symbol_err_phy", "rx_symbol_errors_uncorrected"},
    CounterRow{"rx_corrected_bits_phy", "rx_corrected_bits"},
    CounterRow{"rx_discards_phy", "rx_discards_phy"},
    CounterRow{"tx_discards_phy", "tx_discards_phy"},
    CounterRow{"tx_errors_phy", "tx_errors_phy"},
    CounterRow{"rx_oversize_pkts_phy", "rx_oversize"},
    CounterRow{"rx_undersize_pkts_phy", "rx_undersize"},
    CounterRow{"rx_fragments_phy", "rx_fragments"},
    CounterRow{"rx_jabbers_phy", "rx_jabbers"},
    CounterRow{"rx_buffer_passed_thres_phy", "rx_buffer_passed_threshold"},
    CounterRow{"link_down_events_phy", "link_down_events"},
    // Pause frames of the port, and global pause (802.3x) with its durations.
    CounterRow{"rx_pause_ctrl_phy", "rx_pause_frames"},
    CounterRow{"tx_pause_ctrl_phy", "tx_pause_frames"},
    CounterRow{"rx_global_pause", "rx_global_pause_frames"},
    CounterRow{"tx_global_pause", "tx_global_pause_frames"},
    CounterRow{"rx_global_pause_duration", "rx_global_pause_duration_us"},
    CounterRow{"tx_global_pause_duration", "tx_global_pause_duration_us"},
    CounterRow{"rx_global_pause_transition", "rx_global_pause_transitions"},
    CounterRow{"tx_pause_storm_warning_events", "tx_pause_storm_warnings"},
    CounterRow{"tx_pause_storm_error_events", "tx_pause_storm_errors"},
    // Priorities.
    CounterRow{"rx_prio{n}_bytes", "rx_bytes_priority_{n}"},
    CounterRow{"rx_prio{n}_packets", "rx_packets_priority_{n}"},
    CounterRow{"tx_prio{n}_bytes", "tx_bytes_priority_{n}"},
    CounterRow{"tx_prio{n}_packets", "tx_packets_priority_{n}"},
    CounterRow{"rx_prio{n}_pause", "rx_pause_frames_priority_{n}"},
    CounterRow{"tx_prio{n}_pause", "tx_pause_frames_priority_{n}"},
    CounterRow{"rx_prio{n}_pause_duration", "rx_pause_duration_us_priority_{n}"},
    CounterRow{"tx_prio{n}_pause_duration", "tx_pause_duration_us_priority_{n}"},
    CounterRow{"rx_prio{n}_pause_transition", "rx_pause_transitions_priority_{n}"},
    CounterRow{"rx_prio{n}_discards", "rx_discards_priority_{n}"},
    CounterRow{"rx_prio{n}_buf_discard", "rx_discards_host_buffer_priority_{n}"},
    CounterRow{"rx_prio{n}_cong_discard", "rx_discards_host_congestion_priority_{n}"},
    CounterRow{"rx_prio{n}_marked", "ecn_marked_priority_{n}"},
    // The PCIe side. The two without "_events" are percentages of the last second and keep their
    // own names.
    CounterRow{"outbound_pci_stalled_rd_events", "pcie_read_stall_seconds"},
    CounterRow{"outbound_pci_stalled_wr_events", "pcie_write_stall_seconds"},
    CounterRow{"outbound_pci_buffer_overflow", "pcie_buffer_overflow_discards"},
    CounterRow{"rx_pci_signal_integrity", "pcie_rx_signal_integrity_errors"},
    CounterRow{"tx_pci_signal_integrity", "pcie_tx_signal_integrity_errors"},
};

}  // namespace

std::span<const CounterRow> mlx5_counter_rows() { return rows; }

}  // namespace railgauge::observe
