// Visits every fact of a device by the name it has in JSON, so that values, sources and conflicts
// are written from one list.
//   each_fact(device, [&](std::string_view part, std::string_view key, const auto& fact) {…});
// `part` is "" for what stands in the device itself, else "pci".
#pragma once

#include <string_view>

#include "model/device.h"

namespace railgauge::present {

template <class Visit>
void each_gpu_fact(const model::GpuFacts& gpu, Visit&& visit) {
  visit("", "uuid", gpu.uuid);
  visit("", "compute_capability", gpu.compute_capability);
  visit("", "memory_bytes", gpu.memory_bytes);
  visit("", "cpu_affinity", gpu.cpu_affinity);
  visit("", "numa_affinity", gpu.numa_affinity);
  visit("", "gpu_numa_id", gpu.gpu_numa_id);
  visit("", "nvlink_count_max", gpu.nvlink_count_max);
  visit("", "fabric_state", gpu.fabric_state);
  visit("", "fabric_status", gpu.fabric_status);
  visit("", "fabric_cluster", gpu.fabric_cluster);
  visit("", "mig_enabled", gpu.mig_enabled);
  visit("", "p_state", gpu.p_state);
  visit("", "sm_clock_mhz", gpu.sm_clock_mhz);
  visit("", "sm_clock_max_mhz", gpu.sm_clock_max_mhz);
  visit("", "memory_clock_mhz", gpu.memory_clock_mhz);
  visit("", "throttle_reasons", gpu.throttle_reasons);
  visit("", "gcn_architecture", gpu.gcn_architecture);
  visit("", "nccl_rank", gpu.rank);
  visit("", "nccl_device", gpu.nccl_device);
  visit("", "gpudirect", gpu.gpudirect);
}

template <class Visit>
void each_nic_fact(const model::NicFacts& nic, Visit&& visit) {
  visit("", "rdma_device", nic.rdma_device);
  visit("", "netdev", nic.netdev);
  visit("", "guid", nic.guid);
  visit("", "firmware", nic.firmware);
  visit("", "nccl_device", nic.nccl_device);
  visit("", "gpudirect", nic.gpudirect);
}

template <class Visit>
void each_cpu_fact(const model::CpuFacts& cpu, Visit&& visit) {
  visit("", "vendor", cpu.vendor);
  visit("", "architecture", cpu.architecture);
  visit("", "model_name", cpu.model_name);
  visit("", "cpu_family", cpu.family);
  visit("", "cpu_model", cpu.model);
  visit("", "cpus", cpu.cpus);
  visit("", "core_count", cpu.core_count);
  visit("", "memory_bytes", cpu.memory_bytes);
  visit("", "numa_distances", cpu.distances);
  visit("", "caches", cpu.caches);
}

template <class Visit>
void each_pci_fact(const model::PciFacts& pci, Visit&& visit) {
  visit("pci", "id", pci.id);
  visit("pci", "subsystem", pci.subsystem);
  visit("pci", "class", pci.pci_class);
  visit("pci", "revision", pci.revision);
  visit("pci", "port_type", pci.port);
  visit("pci", "link_speed", pci.link.current_speed);
  visit("pci", "link_speed_max", pci.link.max_speed);
  visit("pci", "link_width", pci.link.current_width);
  visit("pci", "link_width_max", pci.link.max_width);
  visit("pci", "driver", pci.driver);
  visit("pci", "iommu_group", pci.iommu_group);
  visit("pci", "power_state", pci.power_state);
  visit("pci", "sriov_total_vfs", pci.sriov_total_vfs);
  visit("pci", "sriov_active_vfs", pci.sriov_active_vfs);
  visit("pci", "physical_function", pci.physical_function);
  visit("pci", "aspm", pci.aspm);
  visit("pci", "acs", pci.acs);
  visit("pci", "max_payload_bytes", pci.max_payload_bytes);
  visit("pci", "max_read_request_bytes", pci.max_read_request_bytes);
  visit("pci", "relaxed_ordering", pci.relaxed_ordering);
  visit("pci", "secondary_bus", pci.secondary_bus);
  visit("pci", "subordinate_bus", pci.subordinate_bus);
  visit("pci", "slot", pci.slot);
}

template <class Visit>
void each_fact(const model::Device& device, Visit&& visit) {
  visit("", "name", device.name);
  visit("", "index", device.index);
  visit("", "pci_address", device.address);
  visit("", "numa_node", device.numa_node);
  if (device.gpu) each_gpu_fact(*device.gpu, visit);
  if (device.nic) each_nic_fact(*device.nic, visit);
  if (device.cpu) each_cpu_fact(*device.cpu, visit);
  if (device.pci) each_pci_fact(*device.pci, visit);
}

}  // namespace railgauge::present
