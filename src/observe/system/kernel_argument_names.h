// Which arguments of the kernel's command line are kept, and how. The line may hold addresses of
// servers, disk identities and even passwords (kickstart, iSCSI, custom init scripts), so what is
// not listed here never enters a recording. '-' and '_' are the same in a name, as the kernel has
// it; a '*' at the end stands for any rest.
#pragma once

#include <array>
#include <string_view>

namespace railgauge::observe {

// Kept as written: they change how devices, CPUs and memory work together.
inline constexpr std::array<std::string_view, 81> kept_arguments{
    // translation of addresses
    "iommu", "iommu.*", "intel_iommu", "amd_iommu", "amd_iommu_*", "arm_smmu.*", "arm_smmu_v3.*",
    "swiotlb", "vfio_pci.*", "vfio_iommu_type1.*", "intremap", "x2apic_phys", "nox2apic",
    // PCI Express
    "pci", "pcie_aspm", "pcie_aspm.*", "pcie_*", "pcie_ports", "pci_aspm", "pcieport.*", "acpi",
    "efi_no_storage_paranoia", "noaer",
    // CPUs: which are left alone, how deep they sleep, how fast they run
    "isolcpus", "nohz", "nohz_full", "rcu_nocbs", "rcu_nocb_poll", "irqaffinity", "kthread_cpus",
    "housekeeping", "idle", "intel_idle.*", "processor.*", "cpuidle.*", "cpufreq.*", "intel_pstate",
    "amd_pstate", "amd_pstate.*", "nosmt", "maxcpus", "nr_cpus", "possible_cpus", "mitigations",
    "spectre_v2", "spec_store_bypass_disable", "retbleed", "pti", "nopti", "tsx", "tsc",
    "clocksource", "skew_tick", "nowatchdog", "nmi_watchdog", "watchdog", "nosoftlockup", "preempt",
    "audit", "selinux", "apparmor",
    // memory
    "numa", "numa_balancing", "hugepages", "hugepagesz", "hugepages_*", "default_hugepagesz",
    "transparent_hugepage", "mem", "memmap", "movable_node", "kernelcore", "init_on_alloc",
    // modules of this field
    "nvidia*", "mlx5_core.*", "mlx4_core.*", "ib_*", "rdma_*", "irdma.*", "cgroup*",
    "systemd.unified_cgroup_hierarchy"};

// Kept as written too: words that say nothing about anybody.
inline constexpr std::array<std::string_view, 14> harmless_arguments{"quiet",
                                                                     "ro",
                                                                     "rw",
                                                                     "splash",
                                                                     "nosplash",
                                                                     "nomodeset",
                                                                     "debug",
                                                                     "single",
                                                                     "nofb",
                                                                     "rhgb",
                                                                     "module_blacklist",
                                                                     "modprobe.blacklist",
                                                                     "rd.driver.blacklist",
                                                                     "panic"};

// Well known, but what they are set to is about this one machine: kept as "root=(hidden)".
inline constexpr std::array<std::string_view, 37> hidden_arguments{"BOOT_IMAGE",
                                                                   "root",
                                                                   "rootfstype",
                                                                   "rootflags",
                                                                   "rootdelay",
                                                                   "initrd",
                                                                   "init",
                                                                   "ip",
                                                                   "console",
                                                                   "earlyprintk",
                                                                   "earlycon",
                                                                   "resume",
                                                                   "resume_offset",
                                                                   "crashkernel",
                                                                   "rd.*",
                                                                   "nfsroot",
                                                                   "netroot",
                                                                   "bootdev",
                                                                   "ifname",
                                                                   "nameserver",
                                                                   "vlan",
                                                                   "bond",
                                                                   "bridge",
                                                                   "team",
                                                                   "ostree",
                                                                   "ds",
                                                                   "ks",
                                                                   "inst.*",
                                                                   "boot",
                                                                   "hostname",
                                                                   "LANG",
                                                                   "vconsole.*",
                                                                   "net.ifnames",
                                                                   "biosdevname",
                                                                   "systemd.*",
                                                                   "security",
                                                                   "lsm"};

}  // namespace railgauge::observe
