// nvidia-smi's classes from the tree and the NVLinks.
#include <algorithm>
#include <map>

#include "model/paths.h"
#include "model/tree_roles.h"

namespace railgauge::model {
namespace {

using Class = Reading<PathClass>;

Class plain(SmiClass kind) { return PathClass{kind, 0}; }
Class unknown(std::string why) { return Class::not_reported(std::move(why)); }

std::optional<DeviceId> first_of_kind(const Machine& machine, const std::vector<DeviceId>& chain,
                                      DeviceKind kind) {
  for (const DeviceId id : chain)
    if (machine[id].kind == kind) return id;
  return std::nullopt;
}

// The device hangs from its NUMA node only because its node is known; what lies between is not.
bool steps_missing(const Machine& machine, const std::vector<DeviceId>& chain) {
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    const Device& device = machine[chain[i]];
    if (machine[chain[i + 1]].kind != DeviceKind::numa_node) continue;
    return device.kind != DeviceKind::host_bridge && device.parent_source.trust <= Trust::inferred;
  }
  return false;
}

int switches_between(const Machine& machine, const std::vector<DeviceId>& a, std::size_t steps_a,
                     const std::vector<DeviceId>& b, std::size_t steps_b) {
  int count = 0;
  for (std::size_t i = 0; i <= steps_a; ++i) count += is_switch(machine, a[i]);
  for (std::size_t i = 0; i < steps_b; ++i) count += is_switch(machine, b[i]);
  return count;
}

Class without_common(const Machine& machine, const std::vector<DeviceId>& a,
                     const std::vector<DeviceId>& b) {
  const auto numa_a = first_of_kind(machine, a, DeviceKind::numa_node);
  const auto numa_b = first_of_kind(machine, b, DeviceKind::numa_node);
  if (numa_a && numa_b) return plain(SmiClass::sys);
  if (first_of_kind(machine, a, DeviceKind::host_bridge) &&
      first_of_kind(machine, b, DeviceKind::host_bridge))
    return unknown("NUMA nodes unknown: NODE or SYS");
  const auto& loose = a.size() == 1 ? machine[a.front()] : machine[b.front()];
  return unknown("the place of " + (loose.id.empty() ? std::string("a device") : loose.id) +
                 " in the PCIe tree is unknown");
}

Class below_numa_node(const Machine& machine, const std::vector<DeviceId>& a,
                      const std::vector<DeviceId>& b) {
  if (steps_missing(machine, a) || steps_missing(machine, b))
    return unknown("same NUMA node, but the PCIe tree between is unknown");
  const bool bridges = first_of_kind(machine, a, DeviceKind::host_bridge) ||
                       first_of_kind(machine, b, DeviceKind::host_bridge);
  // NCCL's files name no host bridge; the CPU is where the two meet, which NCCL calls PHB.
  return plain(bridges ? SmiClass::node : SmiClass::phb);
}

// NVLinks that lead from one GPU straight to the other, and through each switch both are on.
int bonded_nvlinks(const Machine& machine, DeviceId a, DeviceId b) {
  int direct = 0;
  std::map<DeviceId, std::pair<int, int>> by_switch;
  for (const Link& link : machine.links) {
    if (link.kind != LinkKind::nvlink || !link.width) continue;
    for (const auto& [end, other] : {std::pair{link.a, link.b}, std::pair{link.b, link.a}}) {
      if (end == a && other == b) direct += *link.width;
      if (machine[other].kind != DeviceKind::nvswitch) continue;
      if (end == a) by_switch[other].first += *link.width;
      if (end == b) by_switch[other].second += *link.width;
    }
  }
  int through = 0;
  for (const auto& [chip, widths] : by_switch) through += std::min(widths.first, widths.second);
  return direct + through;
}

bool placed_by_matrix(const Machine& machine, DeviceId id) {
  for (const DeviceId up : ancestry(machine, id)) {
    const Device& device = machine[up];
    if (device.parent && device.parent_source.trust <= Trust::inferred &&
        device.kind != DeviceKind::host_bridge && device.kind != DeviceKind::numa_node)
      return true;
  }
  return false;
}

}  // namespace

Class pcie_class(const Machine& machine, DeviceId a, DeviceId b) {
  if (a == b) return plain(SmiClass::self);
  const auto up_a = ancestry(machine, a);
  const auto up_b = ancestry(machine, b);
  for (std::size_t i = 0; i < up_a.size(); ++i) {
    const auto found = std::find(up_b.begin(), up_b.end(), up_a[i]);
    if (found == up_b.end()) continue;
    switch (machine[up_a[i]].kind) {
      case DeviceKind::host_bridge: return plain(SmiClass::phb);
      case DeviceKind::numa_node: return below_numa_node(machine, up_a, up_b);
      case DeviceKind::package: return plain(SmiClass::sys);
      default: break;
    }
    const auto steps_b = static_cast<std::size_t>(found - up_b.begin());
    const bool several = switches_between(machine, up_a, i, up_b, steps_b) > 1;
    return plain(several ? SmiClass::pxb : SmiClass::pix);
  }
  return without_common(machine, up_a, up_b);
}

Class smi_class(const Machine& machine, DeviceId a, DeviceId b) {
  if (a == b) return plain(SmiClass::self);
  if (const int nvlinks = bonded_nvlinks(machine, a, b); nvlinks > 0)
    return PathClass{SmiClass::nv, nvlinks};
  const Pair* pair = machine.find_pair(a, b);
  const bool claimed = pair && pair->smi;
  // A tree inferred from cells is worth less than the cell itself.
  if (claimed && (placed_by_matrix(machine, a) || placed_by_matrix(machine, b))) return *pair->smi;
  const Class by_tree = pcie_class(machine, a, b);
  return by_tree || !claimed ? by_tree : Class(*pair->smi);
}

}  // namespace railgauge::model
