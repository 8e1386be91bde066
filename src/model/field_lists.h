// The lists behind fields.h. A new fact is one line here, and joining, JSON and differences know
// it.
#pragma once

#include "model/device.h"
#include "model/fields.h"
#include "model/machine.h"

namespace railgauge::model {

template <>
struct FieldList<Device> {
  static constexpr auto fields = std::tuple{
      field("name", &Device::name, Topic::inventory, Shown::always),
      field("index", &Device::index, Topic::placement, Shown::always),
      field("pci_address", &Device::address, Topic::placement, Shown::always),
      field("numa_node", &Device::numa_node, Topic::placement, Shown::always),
  };
};

template <>
struct FieldList<LinkEnd> {
  static constexpr auto fields = std::tuple{
      field("link_speed_megatransfers_per_second", &LinkEnd::current_speed, Topic::link),
      field("link_speed_max_megatransfers_per_second", &LinkEnd::max_speed, Topic::link),
      field("link_width", &LinkEnd::current_width, Topic::link),
      field("link_width_max", &LinkEnd::max_width, Topic::link),
  };
};

template <>
struct FieldList<PciFacts> {
  static constexpr auto fields = std::tuple{
      field("id", &PciFacts::id, Topic::inventory),
      field("subsystem", &PciFacts::subsystem, Topic::inventory),
      field("class", &PciFacts::pci_class, Topic::inventory),
      field("revision", &PciFacts::revision, Topic::inventory),
      field("port_type", &PciFacts::port, Topic::inventory),
      field("driver", &PciFacts::driver, Topic::driver),
      field("iommu_group", &PciFacts::iommu_group, Topic::settings),
      field("power_state", &PciFacts::power_state, Topic::activity),
      field("sriov_total_vfs", &PciFacts::sriov_total_vfs, Topic::settings),
      field("sriov_active_vfs", &PciFacts::sriov_active_vfs, Topic::settings),
      field("physical_function", &PciFacts::physical_function, Topic::placement),
      field("aspm", &PciFacts::aspm, Topic::settings),
      field("acs", &PciFacts::acs, Topic::settings),
      field("max_payload_bytes", &PciFacts::max_payload_bytes, Topic::settings),
      field("max_read_request_bytes", &PciFacts::max_read_request_bytes, Topic::settings),
      field("relaxed_ordering", &PciFacts::relaxed_ordering, Topic::settings),
      field("secondary_bus", &PciFacts::secondary_bus, Topic::placement),
      field("subordinate_bus", &PciFacts::subordinate_bus, Topic::placement),
      field("slot", &PciFacts::slot, Topic::placement),
  };
  static constexpr std::array counters{
      CounterField<PciFacts>{"aer_correctable", &PciFacts::aer_correctable},
      CounterField<PciFacts>{"aer_nonfatal", &PciFacts::aer_nonfatal},
      CounterField<PciFacts>{"aer_fatal", &PciFacts::aer_fatal},
  };
};

template <>
struct FieldList<CpuFacts> {
  static constexpr auto fields = std::tuple{
      field("vendor", &CpuFacts::vendor, Topic::inventory, Shown::always),
      field("architecture", &CpuFacts::architecture, Topic::inventory, Shown::always),
      field("model_name", &CpuFacts::model_name, Topic::inventory, Shown::always),
      field("cpu_family", &CpuFacts::family, Topic::inventory, Shown::always),
      field("cpu_model", &CpuFacts::model, Topic::inventory, Shown::always),
      field("cpus", &CpuFacts::cpus, Topic::inventory, Shown::always),
      field("core_count", &CpuFacts::core_count, Topic::inventory, Shown::always),
      field("memory_bytes", &CpuFacts::memory_bytes, Topic::inventory, Shown::always),
      field("numa_distances", &CpuFacts::distances, Topic::placement, Shown::always),
      field("caches", &CpuFacts::caches, Topic::inventory, Shown::always),
  };
};

template <>
struct FieldList<NvLinkPort> {
  static constexpr auto fields = std::tuple{
      field("active", &NvLinkPort::active, Topic::link, Shown::always),
      field("version", &NvLinkPort::version, Topic::link, Shown::always),
      field("remote", &NvLinkPort::remote, Topic::link, Shown::always),
      field("remote_kind", &NvLinkPort::remote_kind, Topic::link, Shown::always),
      field("rate_bytes_per_second", &NvLinkPort::rate, Topic::link, Shown::always),
  };
  static constexpr std::array counters{CounterField<NvLinkPort>{"errors", &NvLinkPort::errors}};
};

template <>
struct FieldList<GpuFacts> {
  static constexpr auto fields = std::tuple{
      field("uuid", &GpuFacts::uuid, Topic::identity, Shown::always),
      field("serial", &GpuFacts::serial, Topic::identity),
      field("board_part_number", &GpuFacts::board_part_number, Topic::inventory),
      field("compute_capability", &GpuFacts::compute_capability, Topic::inventory, Shown::always),
      field("memory_bytes", &GpuFacts::memory_bytes, Topic::inventory, Shown::always),
      field("memory_used_bytes", &GpuFacts::memory_used_bytes, Topic::activity),
      field("bar1_bytes", &GpuFacts::bar1_bytes, Topic::settings),
      field("cpu_affinity", &GpuFacts::cpu_affinity, Topic::placement, Shown::always),
      field("numa_affinity", &GpuFacts::numa_affinity, Topic::placement, Shown::always),
      field("gpu_numa_id", &GpuFacts::gpu_numa_id, Topic::placement, Shown::always),
      field("nvlink_count_max", &GpuFacts::nvlink_count_max, Topic::link, Shown::always),
      field("fabric_state", &GpuFacts::fabric_state, Topic::health, Shown::always),
      field("fabric_status", &GpuFacts::fabric_status, Topic::health, Shown::always),
      field("fabric_cluster", &GpuFacts::fabric_cluster, Topic::identity, Shown::always),
      field("mig_enabled", &GpuFacts::mig_enabled, Topic::settings, Shown::always),
      field("vbios", &GpuFacts::vbios, Topic::firmware),
      field("gsp_firmware", &GpuFacts::gsp_firmware, Topic::firmware),
      field("p_state", &GpuFacts::p_state, Topic::activity, Shown::always),
      field("sm_clock_mhz", &GpuFacts::sm_clock_mhz, Topic::activity, Shown::always),
      field("sm_clock_max_mhz", &GpuFacts::sm_clock_max_mhz, Topic::settings, Shown::always),
      field("memory_clock_mhz", &GpuFacts::memory_clock_mhz, Topic::activity, Shown::always),
      field("memory_clock_max_mhz", &GpuFacts::memory_clock_max_mhz, Topic::settings),
      field("throttle_reasons", &GpuFacts::throttle_reasons, Topic::activity, Shown::always),
      field("temperature_celsius", &GpuFacts::temperature_celsius, Topic::activity),
      field("memory_temperature_celsius", &GpuFacts::memory_temperature_celsius, Topic::activity),
      field("power_watts", &GpuFacts::power_watts, Topic::activity),
      field("power_limit_watts", &GpuFacts::power_limit_watts, Topic::settings),
      field("utilization_percent", &GpuFacts::utilization_percent, Topic::activity),
      field("persistence_mode", &GpuFacts::persistence_mode, Topic::settings),
      field("compute_mode", &GpuFacts::compute_mode, Topic::settings),
      field("addressing_mode", &GpuFacts::addressing_mode, Topic::settings),
      field("ecc_enabled", &GpuFacts::ecc_enabled, Topic::settings),
      field("remapped_rows_correctable", &GpuFacts::remapped_rows_correctable, Topic::health),
      field("remapped_rows_uncorrectable", &GpuFacts::remapped_rows_uncorrectable, Topic::health),
      field("remapping_pending", &GpuFacts::remapping_pending, Topic::health),
      field("remapping_failed", &GpuFacts::remapping_failed, Topic::health),
      field("reset_required", &GpuFacts::reset_required, Topic::health),
      field("recovery_action", &GpuFacts::recovery_action, Topic::health),
      field("gcn_architecture", &GpuFacts::gcn_architecture, Topic::inventory, Shown::always),
      field("nccl_rank", &GpuFacts::rank, Topic::settings, Shown::always),
      field("nccl_device", &GpuFacts::nccl_device, Topic::settings, Shown::always),
      field("gpudirect", &GpuFacts::gpudirect, Topic::settings, Shown::always),
  };
  static constexpr std::array counters{
      CounterField<GpuFacts>{"ecc_errors", &GpuFacts::ecc_errors},
      CounterField<GpuFacts>{"pcie_errors", &GpuFacts::pcie_errors},
  };
};

template <>
struct FieldList<Gid> {
  static constexpr auto fields = std::tuple{
      field("gid", &Gid::gid, Topic::identity, Shown::always),
      field("type", &Gid::type, Topic::network, Shown::always),
      field("netdev", &Gid::netdev, Topic::network, Shown::always),
  };
};

template <>
struct FieldList<NicPort> {
  static constexpr auto fields = std::tuple{
      field("state", &NicPort::state, Topic::network, Shown::always),
      field("physical_state", &NicPort::physical_state, Topic::network),
      field("link_layer", &NicPort::link_layer, Topic::network, Shown::always),
      field("rate_bytes_per_second", &NicPort::rate, Topic::network, Shown::always),
      field("rate_words", &NicPort::rate_words, Topic::network),
      field("active_mtu_bytes", &NicPort::active_mtu_bytes, Topic::network),
      field("max_mtu_bytes", &NicPort::max_mtu_bytes, Topic::network),
      field("lid", &NicPort::lid, Topic::identity),
      field("sm_lid", &NicPort::sm_lid, Topic::identity),
      field("guid", &NicPort::guid, Topic::identity),
      field("netdev", &NicPort::netdev, Topic::network, Shown::always),
      field("mac", &NicPort::mac, Topic::identity),
      field("mtu_bytes", &NicPort::mtu, Topic::network, Shown::always),
      field("netdev_state", &NicPort::netdev_state, Topic::network),
      field("pause_rx", &NicPort::pause_rx, Topic::settings),
      field("pause_tx", &NicPort::pause_tx, Topic::settings),
  };
  static constexpr std::array counters{
      CounterField<NicPort>{"counters", &NicPort::counters},
      CounterField<NicPort>{"driver_counters", &NicPort::driver_counters},
  };
};

template <>
struct FieldList<NicFacts> {
  static constexpr auto fields = std::tuple{
      field("rdma_device", &NicFacts::rdma_device, Topic::network, Shown::always),
      field("netdev", &NicFacts::netdev, Topic::network, Shown::always),
      field("guid", &NicFacts::guid, Topic::identity, Shown::always),
      field("system_image_guid", &NicFacts::system_image_guid, Topic::identity),
      field("firmware", &NicFacts::firmware, Topic::firmware, Shown::always),
      field("board_id", &NicFacts::board_id, Topic::inventory),
      field("hca_type", &NicFacts::hca_type, Topic::inventory),
      field("hardware_version", &NicFacts::hardware_version, Topic::inventory),
      field("driver_version", &NicFacts::driver_version, Topic::driver),
      field("nccl_device", &NicFacts::nccl_device, Topic::settings, Shown::always),
      field("gpudirect", &NicFacts::gpudirect, Topic::settings, Shown::always),
  };
};

template <>
struct FieldList<HostFacts> {
  static constexpr auto fields = std::tuple{
      field("hostname", &HostFacts::hostname, Topic::identity, Shown::always),
      field("product", &HostFacts::product, Topic::inventory, Shown::always),
      field("kernel", &HostFacts::kernel, Topic::driver, Shown::always),
      field("driver", &HostFacts::driver, Topic::driver, Shown::always),
      field("cuda", &HostFacts::cuda, Topic::driver, Shown::always),
      field("hypervisor", &HostFacts::hypervisor, Topic::inventory, Shown::always),
      field("os", &HostFacts::os, Topic::driver),
      field("board", &HostFacts::board, Topic::inventory),
      field("bios_vendor", &HostFacts::bios_vendor, Topic::firmware),
      field("bios_version", &HostFacts::bios_version, Topic::firmware),
      field("bios_date", &HostFacts::bios_date, Topic::firmware),
      field("open_driver", &HostFacts::open_driver, Topic::driver),
      field("ofed", &HostFacts::ofed, Topic::driver),
      field("container", &HostFacts::container, Topic::settings),
      field("uptime_seconds", &HostFacts::uptime_seconds, Topic::activity),
      field("kernel_log_lines", &HostFacts::kernel_log_lines, Topic::activity),
      field("kernel_arguments", &HostFacts::kernel_arguments, Topic::settings),
      field("iommu", &HostFacts::iommu, Topic::settings),
      field("cpu_governor", &HostFacts::cpu_governor, Topic::settings),
      field("smt", &HostFacts::smt, Topic::settings),
      field("numa_balancing", &HostFacts::numa_balancing, Topic::settings),
      field("transparent_huge_pages", &HostFacts::transparent_huge_pages, Topic::settings),
      field("huge_pages_bytes", &HostFacts::huge_pages_bytes, Topic::settings),
      field("huge_pages_free_bytes", &HostFacts::huge_pages_free_bytes, Topic::activity),
      field("memory_bytes", &HostFacts::memory_bytes, Topic::inventory),
      field("memory_available_bytes", &HostFacts::memory_available_bytes, Topic::activity),
      field("shm_bytes", &HostFacts::shm_bytes, Topic::settings),
      field("shm_used_bytes", &HostFacts::shm_used_bytes, Topic::activity),
      field("locked_memory_limit_bytes", &HostFacts::locked_memory_limit_bytes, Topic::settings),
      field("open_files_limit", &HostFacts::open_files_limit, Topic::settings),
      field("cpus_allowed", &HostFacts::cpus_allowed, Topic::settings),
      field("numa_nodes_allowed", &HostFacts::numa_nodes_allowed, Topic::settings),
      field("cgroup_cpus", &HostFacts::cgroup_cpus, Topic::settings),
      field("cgroup_memory_limit_bytes", &HostFacts::cgroup_memory_limit_bytes, Topic::settings),
      field("peer_memory", &HostFacts::peer_memory, Topic::driver),
  };
};

template <>
struct FieldList<KernelModule> {
  static constexpr auto fields =
      std::tuple{field("version", &KernelModule::version, Topic::driver)};
};

template <>
struct FieldList<Interrupt> {
  static constexpr auto fields = std::tuple{
      field("device", &Interrupt::device, Topic::placement),
      field("affinity", &Interrupt::affinity, Topic::settings),
  };
};

}  // namespace railgauge::model
