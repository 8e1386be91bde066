#include <array>

#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr std::array<LiveSource, 5> all{{
    {"sysfs", capture_sysfs, sample_sysfs, sysfs_present, read_sysfs},
    {"rdma", capture_rdma, nullptr, rdma_present, read_rdma},
    {"hwloc", capture_hwloc, nullptr, hwloc_present, read_hwloc},
    {"commands", capture_commands, nullptr, commands_present, read_commands},
    {"nvml", capture_nvml, sample_nvml, nvml_present, read_nvml},
}};

}  // namespace

std::span<const LiveSource> live_sources() { return all; }

}  // namespace railgauge::observe
