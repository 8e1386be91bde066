#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr LiveSource all[] = {
    {"sysfs", capture_sysfs, sample_sysfs, sysfs_present, read_sysfs},
    {"system", capture_system, sample_system, system_present, read_system},
    {"rdma", capture_rdma, sample_rdma, rdma_present, read_rdma},
    {"ethtool", capture_ethtool, sample_ethtool, ethtool_present, read_ethtool},
    {"hwloc", capture_hwloc, nullptr, hwloc_present, read_hwloc},
    {"commands", capture_commands, nullptr, commands_present, read_commands},
    {"nvml", capture_nvml, sample_nvml, nvml_present, read_nvml},
    {"kernel_log", capture_kernel_log, nullptr, kernel_log_present, read_kernel_log},
};

}  // namespace

std::span<const LiveSource> live_sources() { return all; }

}  // namespace railgauge::observe
