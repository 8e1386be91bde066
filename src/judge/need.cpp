#include "judge/need.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool any_device(const Machine& machine, DeviceKind kind) {
  return std::any_of(machine.devices.begin(), machine.devices.end(),
                     [kind](const Device& device) { return device.kind == kind; });
}

template <class Check>
bool any_pci(const Machine& machine, Check check) {
  return std::any_of(machine.devices.begin(), machine.devices.end(),
                     [&](const Device& device) { return device.pci && check(*device.pci); });
}

template <class Check>
bool any_gpu(const Machine& machine, Check check) {
  return std::any_of(machine.devices.begin(), machine.devices.end(),
                     [&](const Device& device) { return device.gpu && check(*device.gpu); });
}

template <class Check>
bool any_port(const Machine& machine, Check check) {
  return std::any_of(machine.devices.begin(), machine.devices.end(), [&](const Device& device) {
    return device.nic && std::any_of(device.nic->ports.begin(), device.nic->ports.end(), check);
  });
}

template <class T>
bool told(const Fact<T>& fact) {
  return fact.known();
}

bool has_topology(const Machine& machine) {
  return !machine.pairs.empty() ||
         std::any_of(machine.devices.begin(), machine.devices.end(), [&](const Device& device) {
           return device.kind == DeviceKind::gpu && device.parent.has_value();
         });
}

bool has_variables(const Machine& machine, std::string_view prefix) {
  return std::any_of(
      machine.variables.begin(), machine.variables.end(),
      [prefix](const Variable& variable) { return variable.name.starts_with(prefix); });
}

}  // namespace

NeedWords words(Need need) {
  static constexpr std::array<NeedWords, need_count> table{{
      {"which GPUs there are", "nvidia-smi -q"},
      {"which network adapters there are", "ibv_devinfo -v"},
      {"where GPUs and adapters sit", "nvidia-smi topo -m"},
      {"how GPUs reach each other", "nvidia-smi topo -m"},
      {"the state of each NVLink", "nvidia-smi nvlink -s"},
      {"NVLink error counters", "nvidia-smi nvlink -e"},
      {"PCIe link speed and width", "sudo lspci -vvv"},
      {"PCIe configuration space (ASPM, ACS, read request)", "sudo lspci -vvv"},
      {"PCIe error counters", "sudo railgauge record"},
      {"the kernel log", "sudo dmesg"},
      {"kernel arguments", "cat /proc/cmdline"},
      {"loaded kernel modules", "lsmod"},
      {"limits of the job's processes", "ulimit -a"},
      {"the size of /dev/shm", "df /dev/shm"},
      {"memory and huge pages", "cat /proc/meminfo"},
      {"the CPU frequency governor",
       "grep . /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"},
      {"the CPUs that the job's processes may use", "grep Cpus_allowed_list /proc/self/status"},
      {"interrupts and their CPUs", "cat /proc/interrupts"},
      {"NUMA nodes and their CPUs", "numactl -H"},
      {"the state of RDMA ports", "ibv_devinfo -v"},
      {"GID tables", "show_gids"},
      {"counters of network ports", "ethtool -S INTERFACE"},
      {"counters of network ports, read twice", "railgauge record --interval 10s"},
      {"GPU health: ECC, remapped rows, clocks", "nvidia-smi -q"},
      {"the NVLink fabric's state", "nvidia-smi -q | grep -A 4 Fabric"},
      {"the NVIDIA driver's version", "nvidia-smi"},
      {"a log of NCCL", "NCCL_DEBUG=INFO"},
      {"NCCL's version", "NCCL_DEBUG=VERSION"},
      {"NCCL_ and UCX_ environment variables", "env | grep -E '^(NCCL|UCX)_'"},
      {"a dump of the job that hangs",
       "TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1"},
      {"a benchmark's output", "all_reduce_perf -b 8 -e 8G -f 2 -g 8"},
      {"an NCCL topology file", "NCCL_TOPO_DUMP_FILE=topo.xml"},
      {"an older recording of this machine", "railgauge check --earlier FILE"},
      {"the machine it should be like", "railgauge check --machine NAME"},
      {"the services that run", "systemctl is-active nvidia-fabricmanager"},
  }};
  return table[static_cast<std::size_t>(need)];
}

bool has(const Patient& patient, Need need) {
  const Machine& machine = patient.machine;
  switch (need) {
    case Need::gpus: return any_device(machine, DeviceKind::gpu);
    case Need::nics: return any_device(machine, DeviceKind::nic);
    case Need::topology: return has_topology(machine);
    case Need::gpu_matrix:
      return has(patient, Need::nvlink_state) ||
             std::any_of(machine.pairs.begin(), machine.pairs.end(),
                         [](const Pair& pair) { return pair.smi.known(); });
    case Need::nvlink_state:
      return any_gpu(machine, [](const GpuFacts& gpu) {
        return std::any_of(gpu.nvlinks.begin(), gpu.nvlinks.end(),
                           [](const NvLinkPort& port) { return told(port.active); });
      });
    case Need::nvlink_counters:
      return any_gpu(machine, [](const GpuFacts& gpu) {
        return std::any_of(gpu.nvlinks.begin(), gpu.nvlinks.end(),
                           [](const NvLinkPort& port) { return !port.errors.empty(); });
      });
    case Need::pcie_link:
      return any_pci(machine, [](const PciFacts& pci) {
        return told(pci.link.current_width) || told(pci.link.current_speed);
      });
    case Need::pcie_config:
      return any_pci(machine, [](const PciFacts& pci) {
        return told(pci.aspm) || told(pci.acs) || told(pci.max_read_request_bytes);
      });
    case Need::pcie_errors:
      return any_pci(machine, [](const PciFacts& pci) {
        return !pci.aer_correctable.empty() || !pci.aer_nonfatal.empty() || !pci.aer_fatal.empty();
      });
    case Need::kernel_log: return told(machine.host.kernel_log_lines) || !machine.events.empty();
    case Need::kernel_arguments: return told(machine.host.kernel_arguments);
    case Need::modules: return !machine.modules.empty();
    case Need::limits: return told(machine.host.locked_memory_limit_bytes);
    case Need::shm: return told(machine.host.shm_bytes);
    case Need::memory: return told(machine.host.memory_bytes);
    case Need::governor: return told(machine.host.cpu_governor);
    case Need::affinity: return told(machine.host.cpus_allowed);
    case Need::interrupts: return !machine.interrupts.empty();
    case Need::numa: return any_device(machine, DeviceKind::numa_node);
    case Need::rdma_ports:
      return any_port(machine, [](const NicPort& port) { return told(port.state); });
    case Need::gids:
      return any_port(machine, [](const NicPort& port) { return !port.gids.empty(); });
    case Need::port_counters:
      return any_port(machine, [](const NicPort& port) {
        return !port.counters.empty() || !port.driver_counters.empty();
      });
    case Need::port_samples:
      return any_port(machine, [](const NicPort& port) {
        return std::any_of(port.counters.begin(), port.counters.end(),
                           [](const auto& one) { return !one.second.later.empty(); });
      });
    case Need::gpu_health:
      return any_gpu(machine, [](const GpuFacts& gpu) {
        return told(gpu.ecc_enabled) || told(gpu.sm_clock_mhz) || told(gpu.throttle_reasons) ||
               told(gpu.remapping_failed) || !gpu.ecc_errors.empty();
      });
    case Need::fabric_state:
      return any_gpu(machine, [](const GpuFacts& gpu) { return told(gpu.fabric_state); });
    case Need::driver_version: return told(machine.host.driver);
    case Need::nccl_log: return !machine.nccl_runs.empty();
    case Need::nccl_version:
      return std::any_of(machine.nccl_runs.begin(), machine.nccl_runs.end(),
                         [](const NcclRun& run) { return told(run.version); }) ||
             machine.host.libraries.contains("libnccl");
    case Need::environment:
      return has_variables(machine, "NCCL_") || has_variables(machine, "UCX_");
    case Need::hang_dump: return !machine.hangs.empty();
    case Need::benchmark: return !machine.benchmarks.empty();
    case Need::topology_file: return !machine.topology_files.empty();
    case Need::earlier: return patient.earlier != nullptr;
    case Need::reference: return patient.reference != nullptr;
    case Need::services: return !machine.host.services.empty();
  }
  return false;
}

}  // namespace railgauge::judge
