#include "observe/reader.h"

#include <algorithm>

#include "observe/benchmark_text/iperf3.h"
#include "observe/benchmark_text/nccl_tests.h"
#include "observe/benchmark_text/nvbandwidth.h"
#include "observe/benchmark_text/perftest.h"
#include "observe/ethtool/ethtool_paste.h"
#include "observe/hang_text/flight_recorder.h"
#include "observe/hang_text/nccl_ras.h"
#include "observe/hang_text/stacks.h"
#include "observe/hang_text/watchdog.h"
#include "observe/hwloc/hwloc_xml.h"
#include "observe/ib_text/ibdev2netdev.h"
#include "observe/ib_text/ibqueryerrors.h"
#include "observe/ib_text/ibstat.h"
#include "observe/ib_text/rdma_counters.h"
#include "observe/ib_text/show_gids.h"
#include "observe/ib_text/sysfs_dump.h"
#include "observe/kernel_log/kernel_log.h"
#include "observe/lspci/lspci.h"
#include "observe/lspci/lspci_hex.h"
#include "observe/lspci/lspci_tree.h"
#include "observe/nccl_log/nccl_log.h"
#include "observe/nccl_xml/nccl_graph_xml.h"
#include "observe/nccl_xml/nccl_topo_xml.h"
#include "observe/nccl_xml/other_xml.h"
#include "observe/nvidia_smi/csv.h"
#include "observe/nvidia_smi/links.h"
#include "observe/nvidia_smi/query.h"
#include "observe/nvidia_smi/query_xml.h"
#include "observe/nvidia_smi/table.h"
#include "observe/settings/dockerfile.h"
#include "observe/settings/manifest.h"
#include "observe/settings/shell_script.h"
#include "observe/system/host_text.h"
#include "observe/text/numa_sysfs.h"
#include "observe/text/rocm_showtopo.h"
#include "observe/text/topo_matrix.h"
#include "observe/text/topo_p2p.h"

namespace railgauge::observe {
namespace {

// Scripts and manifests hold lines like those of `env`, and know more of them.
bool looks_like_environment(std::string_view bytes) {
  return looks_like_host_text<environment_text>(bytes) && !is_shell_script(bytes) &&
         !looks_like_dockerfile(bytes) && !looks_like_manifest(bytes);
}

constexpr Reader all[] = {
    {InputKind::flight_recorder, "PyTorch flight recorder", looks_like_flight_recorder,
     read_flight_recorder},
    {InputKind::nccl_topo_xml, "NCCL topology XML", looks_like_nccl_topo_xml, read_nccl_topo_xml},
    {InputKind::nccl_graph_xml, "NCCL graph XML", looks_like_nccl_graph_xml, read_nccl_graph_xml},
    {InputKind::hwloc_xml, "hwloc (lstopo) XML", looks_like_hwloc_xml, read_hwloc_xml},
    {InputKind::smi_xml, "nvidia-smi -q -x", looks_like_smi_xml, read_smi_xml},
    {InputKind::other_xml, "other XML", looks_like_other_xml, read_other_xml},
    {InputKind::topo_p2p, "nvidia-smi topo -p2p", looks_like_topo_p2p, read_topo_p2p},
    {InputKind::topo_matrix, "nvidia-smi topo -m", looks_like_topo_matrix, read_topo_matrix},
    {InputKind::rocm_showtopo, "rocm-smi --showtopo", looks_like_rocm_showtopo, read_rocm_showtopo},
    {InputKind::lspci_hex, "lspci -xxxx", looks_like_lspci_hex, read_lspci_hex},
    {InputKind::lspci_tree, "lspci -tv", looks_like_lspci_tree, read_lspci_tree},
    {InputKind::lspci, "lspci -vvv", looks_like_lspci, read_lspci},
    {InputKind::numa_sysfs, "NUMA nodes from sysfs or numactl", looks_like_numa_sysfs,
     read_numa_sysfs},
    {InputKind::smi_query, "nvidia-smi -q", looks_like_smi_query, read_smi_query},
    {InputKind::smi_list, "nvidia-smi -L or nvlink", looks_like_smi_list, read_smi_list},
    {InputKind::smi_csv, "nvidia-smi --query-gpu", looks_like_smi_csv, read_smi_csv},
    {InputKind::smi_table, "nvidia-smi", looks_like_smi_table, read_smi_table},
    {InputKind::interrupts, "/proc/interrupts", looks_like_host_text<interrupts_text>,
     read_host_text<interrupts_text>},
    {InputKind::kernel_arguments, "the kernel command line",
     looks_like_host_text<kernel_arguments_text>, read_host_text<kernel_arguments_text>},
    {InputKind::limits, "/proc/self/limits, ulimit -a", looks_like_host_text<limits_text>,
     read_host_text<limits_text>},
    {InputKind::memory_info, "/proc/meminfo", looks_like_host_text<memory_text>,
     read_host_text<memory_text>},
    {InputKind::modules, "lsmod", looks_like_host_text<modules_text>, read_host_text<modules_text>},
    {InputKind::module_info, "modinfo", looks_like_host_text<module_info_text>,
     read_host_text<module_info_text>},
    {InputKind::shared_memory, "df /dev/shm", looks_like_host_text<shared_memory_text>,
     read_host_text<shared_memory_text>},
    {InputKind::governors, "CPU governors", looks_like_host_text<governors_text>,
     read_host_text<governors_text>},
    {InputKind::numactl_show, "numactl -s", looks_like_host_text<numactl_show_text>,
     read_host_text<numactl_show_text>},
    {InputKind::os_release, "/etc/os-release", looks_like_host_text<os_release_text>,
     read_host_text<os_release_text>},
    {InputKind::nvidia_version, "/proc/driver/nvidia/version",
     looks_like_host_text<nvidia_version_text>, read_host_text<nvidia_version_text>},
    {InputKind::shell_script, "a shell script or command line", looks_like_shell_script,
     read_shell_script},
    {InputKind::dockerfile, "a Dockerfile", looks_like_dockerfile, read_dockerfile},
    {InputKind::manifest, "a Kubernetes or compose manifest", looks_like_manifest, read_manifest},
    {InputKind::environment, "env", looks_like_environment, read_host_text<environment_text>},
    {InputKind::kernel_log, "kernel log (dmesg)", looks_like_kernel_log, read_kernel_log_text},
    {InputKind::nccl_log, "NCCL log", looks_like_nccl_log, read_nccl_log},
    {InputKind::ethtool_statistics, "ethtool -S", looks_like_ethtool_statistics,
     read_ethtool_statistics},
    {InputKind::ethtool_driver, "ethtool -i", looks_like_ethtool_driver, read_ethtool_driver},
    {InputKind::ethtool_pause, "ethtool -a", looks_like_ethtool_pause, read_ethtool_pause},
    {InputKind::ibstat, "ibstat", looks_like_ibstat, read_ibstat},
    {InputKind::ibstatus, "ibstatus", looks_like_ibstatus, read_ibstatus},
    {InputKind::ibv_devinfo, "ibv_devinfo", looks_like_ibv_devinfo, read_ibv_devinfo},
    {InputKind::show_gids, "show_gids", looks_like_show_gids, read_show_gids},
    {InputKind::ibqueryerrors, "ibqueryerrors", looks_like_ibqueryerrors, read_ibqueryerrors},
    {InputKind::sysfs_dump, "files of /sys/class/infiniband", looks_like_sysfs_dump,
     read_sysfs_dump},
    {InputKind::rdma_counters, "RDMA hw_counters", looks_like_rdma_counters, read_rdma_counters},
    {InputKind::rdma_link, "rdma link, rdma statistic", looks_like_rdma_link, read_rdma_link},
    {InputKind::ibdev2netdev, "ibdev2netdev", looks_like_ibdev2netdev, read_ibdev2netdev},
    {InputKind::nccl_tests, "nccl-tests", looks_like_nccl_tests, read_nccl_tests},
    {InputKind::nccl_tests_json, "nccl-tests -J", looks_like_nccl_tests_json, read_nccl_tests_json},
    {InputKind::nvbandwidth, "nvbandwidth", looks_like_nvbandwidth, read_nvbandwidth},
    {InputKind::nvbandwidth_json, "nvbandwidth -j", looks_like_nvbandwidth_json,
     read_nvbandwidth_json},
    {InputKind::perftest, "perftest (ib_write_bw)", looks_like_perftest, read_perftest},
    {InputKind::iperf3, "iperf3", looks_like_iperf3, read_iperf3},
    {InputKind::iperf3_json, "iperf3 -J", looks_like_iperf3_json, read_iperf3_json},
    {InputKind::nccl_ras, "NCCL RAS (ncclras)", looks_like_nccl_ras, read_nccl_ras},
    {InputKind::watchdog_log, "PyTorch watchdog", looks_like_watchdog_log, read_watchdog_log},
    {InputKind::stacks, "py-spy dump or gdb backtraces", looks_like_stacks, read_stacks},
};

}  // namespace

std::span<const Reader> readers() { return all; }

std::vector<const Reader*> sniff(std::string_view bytes) {
  std::vector<const Reader*> found;
  for (const Reader& reader : all)
    if (reader.looks_like(bytes)) found.push_back(&reader);
  return found;
}

}  // namespace railgauge::observe
