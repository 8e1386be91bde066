// What is known of the host: its software, firmware, settings and limits. Nothing about devices.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/counter.h"
#include "model/fact.h"
#include "model/limit.h"
#include "model/pci.h"

namespace railgauge::model {

using NamedFacts = std::map<std::string, Fact<std::string>, std::less<>>;

struct HostFacts {
  Fact<std::string> hostname;
  Fact<std::string> kernel;
  Fact<std::string> os;       // "Ubuntu 22.04.4 LTS"
  Fact<std::string> product;  // DMI: "DGXH100"
  Fact<std::string> board;    // DMI: maker and model of the main board
  Fact<std::string> bios_vendor;
  Fact<std::string> bios_version;
  Fact<std::string> bios_date;   // as the firmware writes it: "12/29/2023"
  Fact<std::string> driver;      // NVIDIA driver version
  Fact<bool> open_driver;        // NVIDIA's open kernel modules
  Fact<std::string> cuda;        // highest CUDA the driver supports
  Fact<std::string> ofed;        // "MLNX_OFED_LINUX-23.10-0.5.5.0"; absent with the kernel's own
  Fact<std::string> hypervisor;  // "none" on bare metal, "kvm" …
  Fact<std::string> container;   // "none", "docker", "podman", "kubernetes" …
  Fact<double> uptime_seconds;
  Fact<std::uint64_t> kernel_log_lines;  // looked at: a log without events is clean, not unread
  // Kernel arguments we know, each as written ("iommu=pt"); the value of any other is not kept.
  Fact<std::vector<std::string>> kernel_arguments;
  Fact<std::string> iommu;         // "off", or the kinds of its domains: "DMA-FQ", "identity"
  Fact<std::string> cpu_governor;  // "performance"; "performance ×190, powersave ×2" when mixed
  Fact<std::string> smt;           // "on", "off", "notsupported" …
  Fact<bool> numa_balancing;
  Fact<std::string> transparent_huge_pages;  // "always", "madvise", "never"
  Fact<std::uint64_t> huge_pages_bytes;      // reserved, all sizes
  Fact<std::uint64_t> huge_pages_free_bytes;
  Fact<std::uint64_t> memory_bytes;
  Fact<std::uint64_t> memory_available_bytes;
  Fact<std::uint64_t> shm_bytes;  // size of /dev/shm
  Fact<std::uint64_t> shm_used_bytes;
  Fact<Limit> locked_memory_limit_bytes;  // soft limit of the process that looked
  Fact<Limit> open_files_limit;
  Fact<std::string> cpus_allowed;        // of the process that looked: "0-47"
  Fact<std::string> numa_nodes_allowed;  // "0-1"
  Fact<std::string> cgroup_cpus;
  Fact<Limit> cgroup_memory_limit_bytes;
  Fact<std::string> peer_memory;  // version of the registered peer memory client (nv_mem), if any
  NamedFacts sysctls;             // "net.core.rmem_max"
  NamedFacts libraries;           // "libnccl" = "2.28.9": found in the usual places
  NamedFacts services;            // "nvidia-fabricmanager" = "running"
  friend bool operator==(const HostFacts&, const HostFacts&) = default;
};

// A loaded kernel module.
struct KernelModule {
  std::string name;           // with underscores, as the kernel writes it: "nvidia_peermem"
  Fact<std::string> version;  // where it has one
  NamedFacts parameters;
  SourceRef source;
  friend bool operator==(const KernelModule&, const KernelModule&) = default;
};

// One environment variable of the list that is looked at, or one line of nccl.conf.
struct Variable {
  std::string name;
  std::string value;
  SourceRef source;
  friend bool operator==(const Variable&, const Variable&) = default;
};

// One interrupt line of /proc/interrupts that belongs to a device.
struct Interrupt {
  int number = 0;
  std::string label;  // "mlx5_comp3@pci:0000:18:00.0"
  Fact<PciAddress> device;
  std::map<int, Counter> cpus;  // interrupts taken, by CPU; CPUs that took none are left out
  Fact<std::string> affinity;   // CPUs it may go to, list form
  friend bool operator==(const Interrupt&, const Interrupt&) = default;
};

}  // namespace railgauge::model
