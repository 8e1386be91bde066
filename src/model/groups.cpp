#include "model/groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/path_finder.h"
#include "model/tree_roles.h"
#include "model/union_find.h"

namespace railgauge::model {
namespace {

bool joins_gpus(const Link& link) {
  if (link.kind != LinkKind::nvlink && link.kind != LinkKind::xgmi) return false;
  return !link.width || *link.width > 0;
}

bool is_gpu(const Machine& machine, DeviceId id) { return machine[id].kind == DeviceKind::gpu; }

bool is_nvswitch(const Machine& machine, DeviceId id) {
  return machine[id].kind == DeviceKind::nvswitch;
}

// Links to a CPU (NVLink of POWER9) do not lead on to other GPUs.
bool in_fabric(const Machine& machine, DeviceId id) {
  return is_gpu(machine, id) || is_nvswitch(machine, id);
}

// What each device reaches over one link of the fabric.
using Neighbours = std::map<DeviceId, std::set<DeviceId>>;

Neighbours fabric(const Machine& machine) {
  Neighbours out;
  for (const Link& link : machine.links) {
    if (!joins_gpus(link) || !in_fabric(machine, link.a) || !in_fabric(machine, link.b)) continue;
    out[link.a].insert(link.b);
    out[link.b].insert(link.a);
  }
  return out;
}

bool joined(const Machine& machine, const Neighbours& near, DeviceId a, DeviceId b) {
  const auto& of_a = near.at(a);
  const auto& of_b = near.at(b);
  if (of_a.contains(b)) return true;
  return std::any_of(of_a.begin(), of_a.end(),
                     [&](DeviceId id) { return is_nvswitch(machine, id) && of_b.contains(id); });
}

}  // namespace

std::vector<NvLinkDomain> nvlink_domains(const Machine& machine) {
  const Neighbours near = fabric(machine);
  UnionFind sets(machine.devices.size());
  for (const auto& [a, others] : near)
    for (const DeviceId b : others) sets.join(a.value, b.value);
  std::map<std::uint32_t, NvLinkDomain> domains;
  for (const auto& [id, others] : near) {
    NvLinkDomain& domain = domains[sets.find(id.value)];
    if (is_gpu(machine, id)) domain.gpus.push_back(id);
    domain.switched |= is_nvswitch(machine, id);
  }
  std::vector<NvLinkDomain> out;
  for (auto& [root, domain] : domains) {
    if (domain.gpus.size() < 2) continue;
    domain.all_to_all = true;
    for (std::size_t i = 0; i < domain.gpus.size(); ++i)
      for (std::size_t j = i + 1; j < domain.gpus.size(); ++j)
        domain.all_to_all &= joined(machine, near, domain.gpus[i], domain.gpus[j]);
    out.push_back(std::move(domain));
  }
  std::sort(out.begin(), out.end(), [](const NvLinkDomain& a, const NvLinkDomain& b) {
    return a.gpus.front() < b.gpus.front();
  });
  return out;
}

namespace {

bool is_member(DeviceKind kind) {
  return kind == DeviceKind::gpu || kind == DeviceKind::nic || kind == DeviceKind::nvme;
}

using Rate = Reading<BytesPerSecond>;

Rate demand_of(const Machine& machine, const std::vector<DeviceId>& members,
               const std::map<DeviceId, std::size_t>& uplinks) {
  BytesPerSecond sum;
  for (const DeviceId id : members) {
    const auto found = uplinks.find(id);
    if (found == uplinks.end())
      return Rate::not_reported("the link of " + machine[id].id + " is unknown");
    const Link& link = machine.links[found->second];
    if (!link.as_found) return Rate::not_reported(machine[id].id + ": " + link.as_found.why());
    sum = sum + *link.as_found;
  }
  return sum;
}

}  // namespace

std::vector<SwitchGroup> switch_groups(const Machine& machine) {
  std::map<DeviceId, std::size_t> uplinks;
  for (std::size_t i = 0; i < machine.links.size(); ++i)
    if (machine.links[i].kind == LinkKind::pcie) uplinks.try_emplace(machine.links[i].a, i);
  std::map<DeviceId, std::vector<DeviceId>> members;
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    // Virtual functions share the link of their card.
    if (!is_member(device.kind) || (device.pci && device.pci->physical_function)) continue;
    const auto chain = ancestry(machine, id);
    for (std::size_t i = 1; i < chain.size(); ++i)
      if (is_switch(machine, chain[i])) members[chain[i]].push_back(id);
  }
  std::vector<SwitchGroup> out;
  for (auto& [id, below] : members) {
    SwitchGroup group;
    group.pcie_switch = id;
    group.members = std::move(below);
    if (const auto found = uplinks.find(id); found != uplinks.end()) group.uplink = found->second;
    group.demand = demand_of(machine, group.members, uplinks);
    if (group.uplink && group.demand) {
      const Rate& uplink = machine.links[*group.uplink].as_found;
      group.shared = uplink && *group.demand > *uplink;
    }
    out.push_back(std::move(group));
  }
  return out;
}

namespace {

// Where a device stands among its kind: by number, by address, as read.
std::tuple<int, PciAddress, DeviceId> position(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  constexpr int last = 1 << 20;
  return {device.index.value_or(last), device.address.value_or(PciAddress{0xffffffff, 0, 0, 0}),
          id};
}

}  // namespace

std::vector<NicDistance> nics_by_distance(const Machine& machine, DeviceId gpu) {
  std::vector<NicDistance> out;
  const PathFinder finder(machine);
  for (const DeviceId nic : machine.of_kind(DeviceKind::nic))
    if (const auto distance = finder.smi_class(gpu, nic)) out.push_back({nic, *distance});
  std::sort(out.begin(), out.end(), [&](const NicDistance& a, const NicDistance& b) {
    return std::tuple(a.distance.kind, position(machine, a.nic)) <
           std::tuple(b.distance.kind, position(machine, b.nic));
  });
  return out;
}

std::vector<DeviceId> nearest_nics(const Machine& machine, DeviceId gpu) {
  std::vector<DeviceId> out;
  const auto nics = nics_by_distance(machine, gpu);
  for (const NicDistance& nic : nics)
    if (nic.distance.kind == nics.front().distance.kind) out.push_back(nic.nic);
  return out;
}

namespace {

// The node a device sits in: by its place in the tree, else by its own word.
std::optional<int> node_of(const Machine& machine, DeviceId id) {
  for (const DeviceId up : ancestry(machine, id)) {
    const Device& device = machine[up];
    if (device.kind == DeviceKind::numa_node && device.index) return *device.index;
  }
  const Device& device = machine[id];
  if (device.numa_node && *device.numa_node >= 0) return *device.numa_node;
  return std::nullopt;
}

std::optional<DeviceId> node_device(const Machine& machine, DeviceId id) {
  for (const DeviceId up : ancestry(machine, id))
    if (machine[up].kind == DeviceKind::numa_node) return up;
  return std::nullopt;
}

}  // namespace

Reading<bool> numa_aligned(const Machine& machine, DeviceId a, DeviceId b) {
  // Nodes without a number are still the same one or not.
  const auto above_a = node_device(machine, a);
  const auto above_b = node_device(machine, b);
  if (above_a && above_b) return *above_a == *above_b;
  const auto of_a = node_of(machine, a);
  const auto of_b = node_of(machine, b);
  if (of_a && of_b) return *of_a == *of_b;
  return Reading<bool>::not_reported("the NUMA node of " + machine[of_a ? b : a].id +
                                     " is unknown");
}

std::vector<GpudirectPair> gpudirect_pairs(const Machine& machine) {
  std::vector<GpudirectPair> out;
  const PathFinder finder(machine);
  const auto nics = machine.of_kind(DeviceKind::nic);
  for (const DeviceId gpu : machine.of_kind(DeviceKind::gpu))
    for (const DeviceId nic : nics) {
      GpudirectPair pair{gpu, nic, false, {}};
      const auto distance = finder.smi_class(gpu, nic);
      if (!distance)
        pair.why_not = "distance unknown: " + distance.why();
      else if (distance->kind > SmiClass::pxb)
        pair.why_not = distance->text() + " is further than PXB, NCCL's default limit";
      else
        pair.eligible = true;
      out.push_back(std::move(pair));
    }
  return out;
}

}  // namespace railgauge::model
