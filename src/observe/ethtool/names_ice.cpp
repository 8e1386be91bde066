// ice. Source of every row: ice_gstrings_vsi_stats and ice_gstrings_pf_stats of the kernel's
// drivers/net/ethernet/intel/ice/ice_ethtool.c. ".nic" is the port; ice_update_vsi_stats() reports
// its rx_dropped.nic as the network device's rx_missed_errors.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array rows{
    CounterRow{"rx_bytes", "rx_bytes"},
    CounterRow{"tx_bytes", "tx_bytes"},
    CounterRow{"rx_unicast", "rx_packets", Adding::parts},
    CounterRow{"rx_multicast", "rx_packets", Adding::parts},
    CounterRow{"rx_broadcast", "rx_packets", Adding::parts},
    CounterRow{"tx_unicast", "tx_packets", Adding::parts},
    CounterRow{"tx_multicast", "tx_packets", Adding::parts},
    CounterRow{"tx_broadcast", "tx_packets", Adding::parts},
    CounterRow{"rx_dropped", "rx_dropped"},
    CounterRow{"tx_errors", "tx_errors"},
    CounterRow{"rx_alloc_fail", "rx_allocation_failures", Adding::parts},
    CounterRow{"rx_pg_alloc_fail", "rx_allocation_failures", Adding::parts},
    CounterRow{"rx_bytes.nic", "rx_bytes_phy"},
    CounterRow{"tx_bytes.nic", "tx_bytes_phy"},
    CounterRow{"rx_unicast.nic", "rx_packets_phy", Adding::parts},
    CounterRow{"rx_multicast.nic", "rx_packets_phy", Adding::parts},
    CounterRow{"rx_broadcast.nic", "rx_packets_phy", Adding::parts},
    CounterRow{"tx_unicast.nic", "tx_packets_phy", Adding::parts},
    CounterRow{"tx_multicast.nic", "tx_packets_phy", Adding::parts},
    CounterRow{"tx_broadcast.nic", "tx_packets_phy", Adding::parts},
    CounterRow{"tx_errors.nic", "tx_errors_phy"},
    CounterRow{"rx_dropped.nic", "rx_discards_phy"},
    CounterRow{"tx_dropped_link_down.nic", "tx_discards_phy"},
    CounterRow{"rx_crc_errors.nic", "rx_crc_errors"},
    CounterRow{"rx_oversize.nic", "rx_oversize"},
    CounterRow{"rx_undersize.nic", "rx_undersize"},
    CounterRow{"rx_fragments.nic", "rx_fragments"},
    CounterRow{"rx_jabber.nic", "rx_jabbers"},
    CounterRow{"mac_local_faults.nic", "local_faults"},
    CounterRow{"mac_remote_faults.nic", "remote_faults"},
    // XOFF asks the other end to stop, XON lets it go on.
    CounterRow{"link_xoff_rx.nic", "rx_pause_frames"},
    CounterRow{"link_xoff_tx.nic", "tx_pause_frames"},
    CounterRow{"link_xon_rx.nic", "rx_resume_frames"},
    CounterRow{"link_xon_tx.nic", "tx_resume_frames"},
    CounterRow{"rx_priority_{n}_xoff.nic", "rx_pause_frames_priority_{n}"},
    CounterRow{"tx_priority_{n}_xoff.nic", "tx_pause_frames_priority_{n}"},
    CounterRow{"rx_priority_{n}_xon.nic", "rx_resume_frames_priority_{n}"},
    CounterRow{"tx_priority_{n}_xon.nic", "tx_resume_frames_priority_{n}"},
};

}  // namespace

std::span<const CounterRow> ice_counter_rows() { return rows; }

}  // namespace railgauge::observe
