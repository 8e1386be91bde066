// Settings of /proc/sys that bear on memory, NUMA, shared memory and networks, in the order of
// their names. Kept under their own names: "net.core.rmem_max".
#pragma once

#include <array>
#include <string_view>

namespace railgauge::observe {

// Paths below /proc/sys.
inline constexpr std::array<std::string_view, 42> sysctl_names{"fs/file-max",
                                                               "fs/nr_open",
                                                               "kernel/dmesg_restrict",
                                                               "kernel/numa_balancing",
                                                               "kernel/perf_event_paranoid",
                                                               "kernel/randomize_va_space",
                                                               "kernel/sched_rt_runtime_us",
                                                               "kernel/shmall",
                                                               "kernel/shmmax",
                                                               "kernel/unprivileged_bpf_disabled",
                                                               "kernel/yama/ptrace_scope",
                                                               "net/core/busy_poll",
                                                               "net/core/busy_read",
                                                               "net/core/default_qdisc",
                                                               "net/core/netdev_budget",
                                                               "net/core/netdev_max_backlog",
                                                               "net/core/optmem_max",
                                                               "net/core/rmem_default",
                                                               "net/core/rmem_max",
                                                               "net/core/rps_sock_flow_entries",
                                                               "net/core/somaxconn",
                                                               "net/core/wmem_default",
                                                               "net/core/wmem_max",
                                                               "net/ipv4/conf/all/accept_local",
                                                               "net/ipv4/conf/all/arp_announce",
                                                               "net/ipv4/conf/all/arp_filter",
                                                               "net/ipv4/conf/all/arp_ignore",
                                                               "net/ipv4/conf/all/rp_filter",
                                                               "net/ipv4/conf/default/rp_filter",
                                                               "net/ipv4/ip_local_port_range",
                                                               "net/ipv4/neigh/default/gc_thresh3",
                                                               "net/ipv4/tcp_congestion_control",
                                                               "net/ipv4/tcp_mtu_probing",
                                                               "net/ipv4/tcp_rmem",
                                                               "net/ipv4/tcp_timestamps",
                                                               "net/ipv4/tcp_wmem",
                                                               "net/ipv6/conf/all/disable_ipv6",
                                                               "vm/compaction_proactiveness",
                                                               "vm/max_map_count",
                                                               "vm/overcommit_memory",
                                                               "vm/swappiness",
                                                               "vm/zone_reclaim_mode"};

}  // namespace railgauge::observe
