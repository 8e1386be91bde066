#include <array>

#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr std::array<LiveSource, 5> all{{
    {"sysfs", capture_sysfs, sample_sysfs, sysfs_present, read_sysfs},
    {"rdma", capture_rdma, sample_rdma, rdma_present, read_rdma},
    {"ethtool", capture_ethtool, sample_ethtool, ethtool_present, read_ethtool},
    {"hwloc", capture_hwloc, nullptr, hwloc_present, read_hwloc},
    {"nvml", capture_nvml, sample_nvml, nvml_present, read_nvml},
}};

}  // namespace

std::span<const LiveSource> live_sources() { return all; }

}  // namespace railgauge::observe
