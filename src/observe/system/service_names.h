// Daemons that GPU and RDMA machines depend on, by the name the kernel shows in /proc/PID/comm,
// which is cut after 15 characters. Of other processes nothing is kept.
#pragma once

#include <array>
#include <string_view>

namespace railgauge::observe {

struct ServiceName {
  std::string_view comm;
  std::string_view service;
};

inline constexpr std::array<ServiceName, 27> service_names{{
    {"nv-fabricmanage", "nvidia-fabricmanager"},
    {"nvidia-fabricma", "nvidia-fabricmanager"},
    {"nvidia-persiste", "nvidia-persistenced"},
    {"nvidia-imex", "nvidia-imex"},
    {"nvidia-cuda-mps", "nvidia-cuda-mps"},
    {"nvlsm", "nvlsm"},
    {"nv-hostengine", "dcgm"},
    {"dcgm-exporter", "dcgm-exporter"},
    {"nvsm_core", "nvsm"},
    {"irqbalance", "irqbalance"},
    {"opensm", "opensm"},
    {"ibacm", "ibacm"},
    {"srp_daemon", "srp_daemon"},
    {"rdma-ndd", "rdma-ndd"},
    {"numad", "numad"},
    {"tuned", "tuned"},
    {"cpupower", "cpupower"},
    {"slurmd", "slurmd"},
    {"kubelet", "kubelet"},
    {"containerd", "containerd"},
    {"dockerd", "dockerd"},
    {"crio", "crio"},
    {"chronyd", "chronyd"},
    {"ptp4l", "ptp4l"},
    {"lldpd", "lldpd"},
    {"lldpad", "lldpad"},
    {"rasdaemon", "rasdaemon"},
}};

}  // namespace railgauge::observe
