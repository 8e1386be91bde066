#include "observe/join/merge.h"

#include <algorithm>

namespace railgauge::observe {
namespace {

using namespace model;

template <class T>
void merge_counters(std::map<std::string, Fact<T>>& into,
                    const std::map<std::string, Fact<T>>& from, const Moved& moved) {
  for (const auto& [name, fact] : from) into[name].merge(fact, moved);
}

// The part of `into`, made when missing; nullptr when `from` has none.
template <class Part>
Part* part(std::optional<Part>& into, const std::optional<Part>& from) {
  if (!from) return nullptr;
  if (!into) into.emplace();
  return &*into;
}

std::uint64_t place_key(DeviceId a, DeviceId b) { return std::uint64_t{a.value} << 32 | b.value; }

void merge_end(LinkEnd& into, const LinkEnd& from, const Moved& moved) {
  into.current_speed.merge(from.current_speed, moved);
  into.max_speed.merge(from.max_speed, moved);
  into.current_width.merge(from.current_width, moved);
  into.max_width.merge(from.max_width, moved);
}

void merge_pci(PciFacts& into, const PciFacts& from, const Moved& moved) {
  into.id.merge(from.id, moved);
  into.subsystem.merge(from.subsystem, moved);
  into.pci_class.merge(from.pci_class, moved);
  into.revision.merge(from.revision, moved);
  into.port.merge(from.port, moved);
  merge_end(into.link, from.link, moved);
  into.driver.merge(from.driver, moved);
  into.iommu_group.merge(from.iommu_group, moved);
  into.power_state.merge(from.power_state, moved);
  into.sriov_total_vfs.merge(from.sriov_total_vfs, moved);
  into.sriov_active_vfs.merge(from.sriov_active_vfs, moved);
  into.physical_function.merge(from.physical_function, moved);
  into.aspm.merge(from.aspm, moved);
  into.acs.merge(from.acs, moved);
  into.max_payload_bytes.merge(from.max_payload_bytes, moved);
  into.max_read_request_bytes.merge(from.max_read_request_bytes, moved);
  into.relaxed_ordering.merge(from.relaxed_ordering, moved);
  merge_counters(into.aer_correctable, from.aer_correctable, moved);
  merge_counters(into.aer_nonfatal, from.aer_nonfatal, moved);
  merge_counters(into.aer_fatal, from.aer_fatal, moved);
  into.secondary_bus.merge(from.secondary_bus, moved);
  into.subordinate_bus.merge(from.subordinate_bus, moved);
  into.slot.merge(from.slot, moved);
}

void merge_cpu(CpuFacts& into, const CpuFacts& from, const Moved& moved) {
  into.vendor.merge(from.vendor, moved);
  into.architecture.merge(from.architecture, moved);
  into.model_name.merge(from.model_name, moved);
  into.family.merge(from.family, moved);
  into.model.merge(from.model, moved);
  into.cpus.merge(from.cpus, moved);
  into.core_count.merge(from.core_count, moved);
  into.memory_bytes.merge(from.memory_bytes, moved);
  into.distances.merge(from.distances, moved);
  into.caches.merge(from.caches, moved);
}

void merge_nvlinks(std::vector<NvLinkPort>& into, const std::vector<NvLinkPort>& from,
                   const Moved& moved) {
  for (const NvLinkPort& port : from) {
    auto found = std::find_if(into.begin(), into.end(),
                              [&](const NvLinkPort& p) { return p.number == port.number; });
    if (found == into.end()) found = into.insert(into.end(), NvLinkPort{.number = port.number});
    found->active.merge(port.active, moved);
    found->version.merge(port.version, moved);
    found->remote.merge(port.remote, moved);
    found->remote_kind.merge(port.remote_kind, moved);
    found->rate.merge(port.rate, moved);
    merge_counters(found->errors, port.errors, moved);
  }
}

void merge_gpu(GpuFacts& into, const GpuFacts& from, const Moved& moved) {
  into.uuid.merge(from.uuid, moved);
  into.compute_capability.merge(from.compute_capability, moved);
  into.cpu_affinity.merge(from.cpu_affinity, moved);
  into.numa_affinity.merge(from.numa_affinity, moved);
  into.gpu_numa_id.merge(from.gpu_numa_id, moved);
  merge_nvlinks(into.nvlinks, from.nvlinks, moved);
  into.nvlink_count_max.merge(from.nvlink_count_max, moved);
  into.memory_bytes.merge(from.memory_bytes, moved);
  into.fabric_state.merge(from.fabric_state, moved);
  into.fabric_status.merge(from.fabric_status, moved);
  into.fabric_cluster.merge(from.fabric_cluster, moved);
  into.mig_enabled.merge(from.mig_enabled, moved);
  for (const auto& mig : from.mig_devices)
    if (std::find(into.mig_devices.begin(), into.mig_devices.end(), mig) == into.mig_devices.end())
      into.mig_devices.push_back(mig);
  into.p_state.merge(from.p_state, moved);
  into.sm_clock_mhz.merge(from.sm_clock_mhz, moved);
  into.sm_clock_max_mhz.merge(from.sm_clock_max_mhz, moved);
  into.memory_clock_mhz.merge(from.memory_clock_mhz, moved);
  into.throttle_reasons.merge(from.throttle_reasons, moved);
  into.gcn_architecture.merge(from.gcn_architecture, moved);
  into.rank.merge(from.rank, moved);
  into.nccl_device.merge(from.nccl_device, moved);
  into.gpudirect.merge(from.gpudirect, moved);
}

void merge_nic(NicFacts& into, const NicFacts& from, const Moved& moved) {
  into.rdma_device.merge(from.rdma_device, moved);
  into.netdev.merge(from.netdev, moved);
  into.guid.merge(from.guid, moved);
  into.firmware.merge(from.firmware, moved);
  into.nccl_device.merge(from.nccl_device, moved);
  into.gpudirect.merge(from.gpudirect, moved);
  for (const NicPort& port : from.ports) {
    auto found = std::find_if(into.ports.begin(), into.ports.end(),
                              [&](const NicPort& p) { return p.number == port.number; });
    if (found == into.ports.end())
      found = into.ports.insert(into.ports.end(), NicPort{.number = port.number});
    found->state.merge(port.state, moved);
    found->link_layer.merge(port.link_layer, moved);
    found->rate.merge(port.rate, moved);
    found->netdev.merge(port.netdev, moved);
    found->mtu.merge(port.mtu, moved);
  }
}

}  // namespace

std::optional<DeviceKind> finer_kind(DeviceKind a, DeviceKind b) {
  if (a == b || b == DeviceKind::other) return a;
  if (a == DeviceKind::other) return b;
  if (a == DeviceKind::pcie_bridge && is_pcie_bridge(b)) return b;
  if (b == DeviceKind::pcie_bridge && is_pcie_bridge(a)) return a;
  return std::nullopt;
}

void merge_device(Device& into, const Device& from, const Moved& moved) {
  into.index.merge(from.index, moved);
  into.address.merge(from.address, moved);
  into.name.merge(from.name, moved);
  into.numa_node.merge(from.numa_node, moved);
  if (auto* pci = part(into.pci, from.pci)) merge_pci(*pci, *from.pci, moved);
  if (auto* cpu = part(into.cpu, from.cpu)) merge_cpu(*cpu, *from.cpu, moved);
  if (auto* gpu = part(into.gpu, from.gpu)) merge_gpu(*gpu, *from.gpu, moved);
  if (auto* nic = part(into.nic, from.nic)) merge_nic(*nic, *from.nic, moved);
  for (const Attribute& attribute : from.attributes) {
    const Attribute taken{attribute.key, attribute.value, moved(attribute.source)};
    if (std::find(into.attributes.begin(), into.attributes.end(), taken) == into.attributes.end())
      into.attributes.push_back(taken);
  }
}

void merge_host(HostFacts& into, const HostFacts& from, const Moved& moved) {
  into.hostname.merge(from.hostname, moved);
  into.kernel.merge(from.kernel, moved);
  into.product.merge(from.product, moved);
  into.driver.merge(from.driver, moved);
  into.cuda.merge(from.cuda, moved);
  into.hypervisor.merge(from.hypervisor, moved);
}

void merge_link(Machine& into, const Link& from, const Moved& moved) {
  const DeviceId a = moved(from.a);
  const DeviceId b = moved(from.b);
  auto found = std::find_if(into.links.begin(), into.links.end(), [&](const Link& link) {
    return link.kind == from.kind && ((link.a == a && link.b == b) || (link.a == b && link.b == a));
  });
  if (found == into.links.end()) {
    found = into.links.insert(
        into.links.end(), Link{.a = a, .b = b, .kind = from.kind, .source = moved(from.source)});
  }
  found->width.merge(from.width, moved);
  found->width_possible.merge(from.width_possible, moved);
  found->speed.merge(from.speed, moved);
  found->speed_possible.merge(from.speed_possible, moved);
  found->version.merge(from.version, moved);
  if (!found->as_found) found->as_found = from.as_found;
  if (!found->nominal) found->nominal = from.nominal;
}

PairIndex::PairIndex(const Machine& machine) {
  for (std::size_t i = 0; i < machine.pairs.size(); ++i)
    places_.emplace(place_key(machine.pairs[i].a, machine.pairs[i].b), i);
}

void PairIndex::merge(Machine& into, const Pair& from, const Moved& moved) {
  const DeviceId a = std::min(moved(from.a), moved(from.b));
  const DeviceId b = std::max(moved(from.a), moved(from.b));
  if (a == b) return;
  const auto [place, added] = places_.try_emplace(place_key(a, b), into.pairs.size());
  if (added) {
    into.pairs.emplace_back();
    into.pairs.back().a = a;
    into.pairs.back().b = b;
  }
  Pair& pair = into.pairs[place->second];
  pair.smi.merge(from.smi, moved);
  pair.p2p_read.merge(from.p2p_read, moved);
  pair.p2p_write.merge(from.p2p_write, moved);
  pair.p2p_nvlink.merge(from.p2p_nvlink, moved);
  pair.p2p_atomics.merge(from.p2p_atomics, moved);
  pair.p2p_pcie.merge(from.p2p_pcie, moved);
  pair.rocm_weight.merge(from.rocm_weight, moved);
  pair.rocm_hops.merge(from.rocm_hops, moved);
  pair.rocm_link.merge(from.rocm_link, moved);
}

}  // namespace railgauge::observe
