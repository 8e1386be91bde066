#include "observe/join/match.h"

#include <algorithm>

namespace railgauge::observe {

using namespace model;

namespace {

// Names under which tools speak of the same device. Product names are no identity.
std::vector<std::string> names_of(const Device& device) {
  std::vector<std::string> names;
  if (device.kind == DeviceKind::host_bridge && device.name)
    names.push_back("bridge " + *device.name);
  if (device.gpu && device.gpu->uuid) names.push_back("uuid " + *device.gpu->uuid);
  if (!device.nic) return names;
  if (device.nic->rdma_device) names.push_back("rdma " + *device.nic->rdma_device);
  if (device.nic->netdev) names.push_back("net " + *device.nic->netdev);
  for (const NicPort& port : device.nic->ports)
    if (port.netdev) names.push_back("net " + *port.netdev);
  return names;
}

bool both_have_different_addresses(const Device& a, const Device& b) {
  return a.address && b.address && *a.address != *b.address;
}

// The order in which nvidia-smi and rocm-smi number GPUs, and nvidia-smi numbers RDMA devices.
bool earlier(const Device& a, const Device& b) {
  if (a.kind == DeviceKind::nic && a.nic->rdma_device && b.nic->rdma_device) {
    const std::string& x = *a.nic->rdma_device;
    const std::string& y = *b.nic->rdma_device;
    return x.size() != y.size() ? x.size() < y.size() : x < y;  // mlx5_2 before mlx5_10
  }
  if (a.address && b.address) return *a.address < *b.address;
  return false;
}

// nvidia-smi lists RDMA devices only; where RDMA names are known, other network functions do not
// count.
std::vector<DeviceId> candidates(const Machine& machine, DeviceKind kind,
                                 const std::vector<bool>& taken) {
  std::vector<DeviceId> all = machine.of_kind(kind);
  std::erase_if(all, [&](DeviceId id) { return taken[id.value]; });
  const auto has_rdma = [&](DeviceId id) { return bool(machine[id].nic->rdma_device); };
  if (kind == DeviceKind::nic && std::any_of(all.begin(), all.end(), has_rdma))
    std::erase_if(all, [&](DeviceId id) { return !has_rdma(id); });
  std::stable_sort(all.begin(), all.end(),
                   [&](DeviceId a, DeviceId b) { return earlier(machine[a], machine[b]); });
  return all;
}

}  // namespace

Matcher::Matcher(const Machine& machine, const Machine& part)
    : matches_(part.devices.size()), taken_(machine.devices.size()) {
  by_address(machine, part);
  by_name(machine, part);
  for (const DeviceKind kind : {DeviceKind::package, DeviceKind::numa_node, DeviceKind::gpu})
    by_number(machine, part, kind);
  for (const DeviceKind kind : {DeviceKind::gpu, DeviceKind::nic, DeviceKind::nvswitch})
    by_order(machine, part, kind);
  // A guest's only NUMA node may have no number in one view (NCCL writes numaid="-1").
  if (machine.of_kind(DeviceKind::numa_node).size() == 1 &&
      part.of_kind(DeviceKind::numa_node).size() == 1)
    by_order(machine, part, DeviceKind::numa_node);
}

void Matcher::take(std::size_t part_device, DeviceId device, bool by_index) {
  matches_[part_device] = {device, by_index};
  taken_[device.value] = true;
}

void Matcher::by_address(const Machine& machine, const Machine& part) {
  std::map<PciAddress, DeviceId> known;
  for (const DeviceId id : machine.all())
    if (machine[id].address) known.emplace(*machine[id].address, id);
  for (std::size_t i = 0; i < part.devices.size(); ++i) {
    const Device& device = part.devices[i];
    if (!device.address) continue;
    const auto found = known.find(*device.address);
    if (found != known.end() && !taken_[found->second.value]) take(i, found->second, false);
  }
}

void Matcher::by_name(const Machine& machine, const Machine& part) {
  std::map<std::string, DeviceId> known;
  for (const DeviceId id : machine.all())
    for (const std::string& name : names_of(machine[id])) known.emplace(name, id);
  for (std::size_t i = 0; i < part.devices.size(); ++i) {
    if (matches_[i].device) continue;
    for (const std::string& name : names_of(part.devices[i])) {
      const auto found = known.find(name);
      if (found == known.end() || taken_[found->second.value]) continue;
      if (both_have_different_addresses(machine[found->second], part.devices[i])) continue;
      take(i, found->second, false);
      break;
    }
  }
}

void Matcher::by_number(const Machine& machine, const Machine& part, DeviceKind kind) {
  for (std::size_t i = 0; i < part.devices.size(); ++i) {
    const Device& device = part.devices[i];
    if (matches_[i].device || device.kind != kind || !device.index) continue;
    const auto found = machine.indexed(kind, *device.index);
    if (!found || taken_[found->value]) continue;
    if (both_have_different_addresses(machine[*found], device)) continue;
    // Two matrices count alike; a matrix and a PCI listing may not.
    take(i, *found, kind == DeviceKind::gpu && (machine[*found].address || device.address));
  }
}

// Numbers stand for positions when one side has no numbers: GPU3 is the fourth GPU by PCI address.
void Matcher::by_order(const Machine& machine, const Machine& part, DeviceKind kind) {
  std::vector<std::size_t> loose;
  for (std::size_t i = 0; i < part.devices.size(); ++i)
    if (!matches_[i].device && part.devices[i].kind == kind) loose.push_back(i);
  const std::vector<DeviceId> known = candidates(machine, kind, taken_);
  if (loose.empty() || known.empty()) return;
  const auto part_has_address = [&](std::size_t i) { return bool(part.devices[i].address); };
  const auto known_has_address = [&](DeviceId id) { return bool(machine[id].address); };
  const bool part_addressed = std::any_of(loose.begin(), loose.end(), part_has_address);
  const bool machine_addressed = std::any_of(known.begin(), known.end(), known_has_address);
  if (part_addressed && machine_addressed)
    return;  // different functions, not the same ones unnamed
  std::stable_sort(loose.begin(), loose.end(), [&](std::size_t x, std::size_t y) {
    const Device& a = part.devices[x];
    const Device& b = part.devices[y];
    if (a.index && b.index) return *a.index < *b.index;
    return earlier(a, b);
  });
  // A switch fabric seen as one device and its chips seen one by one are not counted against each
  // other.
  if (loose.size() != known.size() && kind != DeviceKind::nvswitch)
    mismatches_.push_back({kind, known.size(), loose.size()});
  for (std::size_t n = 0; n < std::min(loose.size(), known.size()); ++n)
    take(loose[n], known[n], true);
}

}  // namespace railgauge::observe
