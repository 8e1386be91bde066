// ena. Source of every row: the string tables of the kernel's
// drivers/net/ethernet/amazon/ena/ena_ethtool.c, which names queues "queue_0_tx_cnt". The
// allowances are what an instance type may send and receive; the driver's words are the field's.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array rows{
    CounterRow{"queue_{q}_rx_cnt", "rx_packets", Adding::queues},
    CounterRow{"queue_{q}_rx_bytes", "rx_bytes", Adding::queues},
    CounterRow{"queue_{q}_tx_cnt", "tx_packets", Adding::queues},
    CounterRow{"queue_{q}_tx_bytes", "tx_bytes", Adding::queues},
    CounterRow{"rx_drops", "rx_dropped"},
    CounterRow{"tx_drops", "tx_dropped"},
    CounterRow{"bw_in_allowance_exceeded", "bw_in_allowance_exceeded"},
    CounterRow{"bw_out_allowance_exceeded", "bw_out_allowance_exceeded"},
    CounterRow{"pps_allowance_exceeded", "pps_allowance_exceeded"},
    CounterRow{"conntrack_allowance_exceeded", "conntrack_allowance_exceeded"},
    CounterRow{"linklocal_allowance_exceeded", "linklocal_allowance_exceeded"},
};

}  // namespace

std::span<const CounterRow> ena_counter_rows() { return rows; }

}  // namespace railgauge::observe
