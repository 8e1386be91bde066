// hw_counters of RDMA drivers. Sources: mlx5 drivers/infiniband/hw/mlx5/counters.c; bnxt_re
// hw_counters.c, whose later version renames its counters to mlx5's words, so both are known; irdma
// verbs.c; efa efa_verbs.c. What a driver reports as a state (bnxt_re's active_qps) keeps its name.
#include <array>

#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array rows{
    // mlx5, and bnxt_re of late.
    CounterRow{"duplicate_request", "duplicate_requests"},
    CounterRow{"implied_nak_seq_err", "implied_nak_sequence_errors"},
    CounterRow{"local_ack_timeout_err", "local_ack_timeouts"},
    CounterRow{"out_of_buffer", "rdma_out_of_buffer"},
    CounterRow{"out_of_sequence", "out_of_sequence"},
    CounterRow{"packet_seq_err", "packet_sequence_errors"},
    CounterRow{"req_cqe_error", "requester_completion_errors"},
    CounterRow{"req_cqe_flush_error", "requester_flush_errors"},
    CounterRow{"req_remote_access_errors", "requester_remote_access_errors"},
    CounterRow{"req_remote_invalid_request", "requester_remote_invalid_requests"},
    CounterRow{"req_transport_retries_exceeded", "retries_exceeded"},
    CounterRow{"req_rnr_retries_exceeded", "rnr_retries_exceeded"},
    CounterRow{"resp_cqe_error", "responder_completion_errors"},
    CounterRow{"resp_cqe_flush_error", "responder_flush_errors"},
    CounterRow{"resp_local_length_error", "responder_local_length_errors"},
    CounterRow{"resp_remote_access_errors", "responder_remote_access_errors"},
    CounterRow{"rnr_nak_retry_err", "rnr_nak_retries"},
    CounterRow{"roce_adp_retrans", "adaptive_retransmits"},
    CounterRow{"roce_adp_retrans_to", "adaptive_retransmit_timeouts"},
    CounterRow{"roce_slow_restart", "slow_restarts"},
    CounterRow{"roce_slow_restart_cnps", "slow_restart_congestion_notifications"},
    CounterRow{"roce_slow_restart_trans", "slow_restart_transitions"},
    CounterRow{"rx_atomic_requests", "rx_atomic_requests"},
    CounterRow{"rx_read_requests", "rx_read_requests"},
    CounterRow{"rx_write_requests", "rx_write_requests"},
    CounterRow{"rx_dct_connect", "dct_connects"},
    CounterRow{"rx_icrc_encapsulated", "rx_icrc_errors"},
    CounterRow{"np_cnp_sent", "congestion_notifications_sent"},
    CounterRow{"np_ecn_marked_roce_packets", "ecn_marked_roce_packets"},
    CounterRow{"rp_cnp_handled", "congestion_notifications_handled"},
    CounterRow{"rp_cnp_ignored", "congestion_notifications_ignored"},
    // bnxt_re.
    CounterRow{"to_retransmits", "local_ack_timeouts"},
    CounterRow{"seq_err_naks_rcvd", "packet_sequence_errors"},
    CounterRow{"max_retry_exceeded", "retries_exceeded"},
    CounterRow{"rnr_naks_rcvd", "rnr_nak_retries"},
    CounterRow{"missing_resp", "implied_nak_sequence_errors"},
    CounterRow{"dup_req", "duplicate_requests"},
    CounterRow{"oos_drop_count", "out_of_sequence"},
    CounterRow{"remote_invalid_req_err", "requester_remote_invalid_requests"},
    CounterRow{"remote_access_err", "requester_remote_access_errors"},
    CounterRow{"res_length_mismatch", "responder_local_length_errors"},
    CounterRow{"rx_atomic_req", "rx_atomic_requests"},
    CounterRow{"rx_read_req", "rx_read_requests"},
    CounterRow{"rx_write_req", "rx_write_requests"},
    CounterRow{"rx_out_of_buffer", "rdma_out_of_buffer"},
    CounterRow{"tx_cnp_pkts", "congestion_notifications_sent"},
    CounterRow{"np_cnp_pkts", "congestion_notifications_sent"},
    CounterRow{"rx_cnp_pkts", "congestion_notifications_handled"},
    CounterRow{"rx_ecn_marked_pkts", "ecn_marked_roce_packets"},
    CounterRow{"rx_roce_discards", "rx_rdma_discards"},
    CounterRow{"tx_roce_discards", "tx_rdma_discards"},
    // bnxt_re and efa: what the adapter itself moved, in bytes.
    CounterRow{"rx_bytes", "rx_rdma_device_bytes"},
    CounterRow{"tx_bytes", "tx_rdma_device_bytes"},
    CounterRow{"rx_pkts", "rx_rdma_device_packets"},
    CounterRow{"tx_pkts", "tx_rdma_device_packets"},
    // efa.
    CounterRow{"rx_drops", "rx_rdma_discards"},
    CounterRow{"retrans_pkts", "retransmitted_packets"},
    CounterRow{"retrans_bytes", "retransmitted_bytes"},
    CounterRow{"retrans_timeout_events", "retransmit_timeouts"},
    CounterRow{"unresponsive_remote_events", "unresponsive_remotes"},
    // irdma; the older driver said "iw" and "tcp" before the same words.
    CounterRow{"cnpHandled", "congestion_notifications_handled"},
    CounterRow{"cnpIgnored", "congestion_notifications_ignored"},
    CounterRow{"cnpSent", "congestion_notifications_sent"},
    CounterRow{"RxECNMrkd", "ecn_marked_roce_packets"},
    CounterRow{"RetransSegs", "retransmitted_packets"},
    CounterRow{"tcpRetransSegs", "retransmitted_packets"},
    CounterRow{"InRdmaReads", "rx_read_requests"},
    CounterRow{"iwInRdmaReads", "rx_read_requests"},
    CounterRow{"InRdmaWrites", "rx_write_requests"},
    CounterRow{"iwInRdmaWrites", "rx_write_requests"},
};

}  // namespace

std::span<const CounterRow> rdma_hw_counter_rows() { return rows; }

}  // namespace railgauge::observe
