// bnxt_en. Source of every row: the string tables of the kernel's
// drivers/net/ethernet/broadcom/bnxt/bnxt_ethtool.c. Its plain rx_bytes is the port's; what the
// host got is counted by ring alone. bnxt_get_ring_stats() reports ring discards as
// rx_missed_errors, which the kernel defines as lack of buffers in the host. Classes ("_cos0") are
// not priorities and keep their own names.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array rows{
    CounterRow{"[{q}]: rx_ucast_packets", "rx_packets", Adding::queues},
    CounterRow{"[{q}]: rx_mcast_packets", "rx_packets", Adding::queues},
    CounterRow{"[{q}]: rx_bcast_packets", "rx_packets", Adding::queues},
    CounterRow{"[{q}]: rx_ucast_bytes", "rx_bytes", Adding::queues},
    CounterRow{"[{q}]: rx_mcast_bytes", "rx_bytes", Adding::queues},
    CounterRow{"[{q}]: rx_bcast_bytes", "rx_bytes", Adding::queues},
    CounterRow{"[{q}]: tx_ucast_packets", "tx_packets", Adding::queues},
    CounterRow{"[{q}]: tx_mcast_packets", "tx_packets", Adding::queues},
    CounterRow{"[{q}]: tx_bcast_packets", "tx_packets", Adding::queues},
    CounterRow{"[{q}]: tx_ucast_bytes", "tx_bytes", Adding::queues},
    CounterRow{"[{q}]: tx_mcast_bytes", "tx_bytes", Adding::queues},
    CounterRow{"[{q}]: tx_bcast_bytes", "tx_bytes", Adding::queues},
    CounterRow{"rx_total_ring_discards", "rx_discards_no_buffer"},
    CounterRow{"rx_total_frames", "rx_packets_phy"},
    CounterRow{"tx_total_frames", "tx_packets_phy"},
    CounterRow{"rx_bytes", "rx_bytes_phy"},
    CounterRow{"tx_bytes", "tx_bytes_phy"},
    CounterRow{"rx_fcs_err_frames", "rx_crc_errors"},
    CounterRow{"rx_pcs_symbol_err", "rx_symbol_errors"},
    CounterRow{"rx_corrected_bits", "rx_corrected_bits"},
    CounterRow{"rx_fec_uncorrectable_blocks", "rx_fec_uncorrectable_blocks"},
    CounterRow{"rx_stat_discard", "rx_discards_phy"},
    CounterRow{"tx_stat_discard", "tx_discards_phy"},
    CounterRow{"tx_stat_error", "tx_errors_phy"},
    CounterRow{"rx_ovrsz_frames", "rx_oversize"},
    CounterRow{"rx_undrsz_frames", "rx_undersize"},
    CounterRow{"rx_runt_frames", "rx_fragments"},
    CounterRow{"rx_jbr_frames", "rx_jabbers"},
    CounterRow{"rx_buffer_passed_threshold", "rx_buffer_passed_threshold"},
    CounterRow{"link_down_events", "link_down_events"},
    CounterRow{"rx_pause_frames", "rx_pause_frames"},
    CounterRow{"tx_pause_frames", "tx_pause_frames"},
    CounterRow{"rx_pfc_ena_frames_pri{n}", "rx_pause_frames_priority_{n}"},
    CounterRow{"tx_pfc_ena_frames_pri{n}", "tx_pause_frames_priority_{n}"},
    CounterRow{"pfc_pri{n}_rx_duration_us", "rx_pause_duration_us_priority_{n}"},
    CounterRow{"pfc_pri{n}_tx_duration_us", "tx_pause_duration_us_priority_{n}"},
    CounterRow{"pfc_pri{n}_rx_transitions", "rx_pause_transitions_priority_{n}"},
    CounterRow{"pfc_pri{n}_tx_transitions", "tx_pause_transitions_priority_{n}"},
    CounterRow{"rx_bytes_pri{n}", "rx_bytes_priority_{n}"},
    CounterRow{"tx_bytes_pri{n}", "tx_bytes_priority_{n}"},
    CounterRow{"rx_packets_pri{n}", "rx_packets_priority_{n}"},
    CounterRow{"tx_packets_pri{n}", "tx_packets_priority_{n}"},
};

}  // namespace

std::span<const CounterRow> bnxt_counter_rows() { return rows; }

}  // namespace railgauge::observe
