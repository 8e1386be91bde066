#include "judge/rules/gpu_nic_distances.h"

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "model/path_finder.h"

namespace railgauge::judge {

using namespace model;

namespace {

constexpr std::uint16_t nvidia_networking = 0x15b3;

bool is_down(const NicFacts& nic) {
  return !nic.ports.empty() &&
         std::all_of(nic.ports.begin(), nic.ports.end(),
                     [](const NicPort& port) { return port.state && *port.state == "DOWN"; });
}

}  // namespace

std::vector<DeviceId> training_nics(const Machine& machine) {
  std::set<DeviceId> in_matrix;
  for (const Pair& pair : machine.pairs)
    if (pair.smi)
      for (const DeviceId id : {pair.a, pair.b}) in_matrix.insert(id);
  std::vector<DeviceId> rdma;
  std::vector<DeviceId> listed;
  std::vector<DeviceId> others;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const Device& device = machine[id];
    const NicFacts& nic = *device.nic;
    if (device.pci && device.pci->physical_function && !in_matrix.contains(id)) continue;
    if (is_down(nic)) continue;
    if (nic.rdma_device) rdma.push_back(id);
    if (in_matrix.contains(id) || nic.nccl_device) listed.push_back(id);
    if (device.pci && device.pci->id && device.pci->id->vendor == nvidia_networking)
      others.push_back(id);
  }
  // A matrix lists what NVIDIA's driver takes for RDMA adapters, with or without their names.
  if (!listed.empty()) return listed;
  return rdma.empty() ? others : rdma;
}

std::vector<GpuNics> gpu_nic_distances(const Machine& machine) {
  std::vector<GpuNics> out;
  const auto nics = training_nics(machine);
  if (nics.empty()) return out;
  const PathFinder finder(machine);
  for (const DeviceId gpu : machine.of_kind(DeviceKind::gpu)) {
    GpuNics row;
    row.gpu = gpu;
    for (const DeviceId nic : nics)
      if (const auto distance = finder.smi_class(gpu, nic)) row.nics.emplace_back(nic, *distance);
    if (row.nics.empty()) continue;
    row.best = std::min_element(row.nics.begin(), row.nics.end(), [](const auto& a, const auto& b) {
                 return a.second < b.second;
               })->second;
    for (const auto& [nic, distance] : row.nics)
      if (distance == row.best) row.nearest.push_back(nic);
    out.push_back(std::move(row));
  }
  return out;
}

bool gpus_hang_on_c2c(const Machine& machine) {
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::c2c) return true;
  for (const Device& device : machine.devices) {
    if (device.cpu && device.cpu->architecture && *device.cpu->architecture == "arm64" &&
        device.cpu->vendor && *device.cpu->vendor == "NVIDIA")
      return true;
    if (!device.gpu) continue;
    if (device.gpu->gpu_numa_id) return true;
    const std::string name = device.name.value_or("");
    for (const char* chip : {"GB200", "GB300", "GH200", "GB10"})
      if (contains(name, chip)) return true;
  }
  return false;
}

}  // namespace railgauge::judge
