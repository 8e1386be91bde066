#include "judge/rules/variables_hardware.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Boards of the GeForce line whose driver refuses peer access over PCIe: by name, or by
// the number alone ("RTX 4090"). Their `nvidia-smi topo -p2p r` says GNS.
bool is_geforce(const std::string& name) {
  if (contains(name, "GeForce")) return true;
  static constexpr std::array marks{"RTX 30", "RTX 40", "RTX 50"};
  return std::any_of(marks.begin(), marks.end(), [&](const char* mark) {
    const auto at = name.find(mark);
    // "RTX 4000 Ada" and "RTX 5000" are professional boards.
    return at != std::string::npos && name.size() >= at + 8 && name.substr(at + 6, 2) != "00";
  });
}

bool is_efa(const Device& device) {
  const auto& nic = *device.nic;
  return (nic.rdma_device &&
          (nic.rdma_device->starts_with("efa") || nic.rdma_device->starts_with("rdmap"))) ||
         (device.pci && device.pci->id && device.pci->id->vendor == 0x1d0f);
}

bool joins_gpus(const Machine& machine, const Link& link) {
  return (link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi) &&
         machine[link.a].gpu.has_value();
}

void look_at_links(const Machine& machine, GpuPicture& out) {
  for (const Link& link : machine.links) {
    if (joins_gpus(machine, link)) out.nvlink = true;
    if (link.kind == LinkKind::nvlink && (machine[link.a].kind == DeviceKind::nvswitch ||
                                          machine[link.b].kind == DeviceKind::nvswitch))
      out.nvlink = out.whole_nvlink = true;
    if (link.kind == LinkKind::c2c) out.coherent = true;
  }
}

void look_at_pairs(const Machine& machine, GpuPicture& out) {
  std::size_t pairs = 0;
  std::size_t joined = 0;
  for (const Pair& pair : machine.pairs) {
    if (!machine[pair.a].gpu || !machine[pair.b].gpu) continue;
    if (pair.p2p_read && *pair.p2p_read != P2pStatus::ok && *pair.p2p_read != P2pStatus::unknown)
      out.refused = true;
    if (!pair.smi) continue;
    ++pairs;
    if (pair.smi->kind == SmiClass::nv) ++joined;
  }
  if (joined > 0) out.nvlink = true;
  if (joined > 0 && joined == pairs) out.whole_nvlink = true;
  if (pairs > 0 && joined == 0 && !out.nvlink && !machine.nvlink_hidden) out.no_nvlink = true;
}

}  // namespace

GpuPicture gpu_picture(const Machine& machine) {
  GpuPicture out;
  std::size_t geforce = 0;
  for (const Device& device : machine.devices) {
    if (device.kind != DeviceKind::gpu) continue;
    ++out.count;
    if (device.name && is_geforce(*device.name)) ++geforce;
    const bool amd =
        (device.pci && device.pci->id && device.pci->id->vendor == 0x1002) ||
        (device.gpu && device.gpu->gcn_architecture) ||
        (device.name && (contains(*device.name, "AMD") || contains(*device.name, "MI3")));
    (amd ? out.amd : out.nvidia) = true;
    if (device.gpu && device.gpu->compute_capability)
      out.least_capability =
          std::min(out.least_capability.value_or(10'000), *device.gpu->compute_capability);
  }
  out.geforce = out.count > 0 && geforce == out.count;
  look_at_links(machine, out);
  look_at_pairs(machine, out);
  return out;
}

AdapterPicture adapter_picture(const Machine& machine) {
  AdapterPicture out;
  std::set<std::string> rdma;
  std::set<std::string> interfaces;
  std::size_t layers = 0;
  bool ethernet = false;
  for (const Device& device : machine.devices) {
    if (device.kind != DeviceKind::nic || !device.nic) continue;
    out.told = true;
    const NicFacts& nic = *device.nic;
    if (is_efa(device)) {
      out.efa = true;
    } else if (nic.rdma_device) {
      rdma.insert(*nic.rdma_device);
    } else {
      // NVIDIA's adapters in lspci; those of a matrix, which lists RDMA devices only.
      const bool identified = device.pci && device.pci->id;
      out.unnamed = out.unnamed || (identified ? device.pci->id->vendor == 0x15b3 : !nic.netdev);
    }
    if (nic.netdev) interfaces.insert(*nic.netdev);
    for (const NicPort& port : nic.ports) {
      if (port.netdev) interfaces.insert(*port.netdev);
      if (!port.link_layer) continue;
      ++layers;
      ethernet = ethernet || *port.link_layer != "InfiniBand";
    }
  }
  for (const NcclRun& run : machine.nccl_runs)
    for (const NcclNic& nic : run.nics) {
      if (nic.network == "Socket") interfaces.insert(nic.name);
      if (nic.network == "IB") rdma.insert(nic.name);
    }
  out.rdma.assign(rdma.begin(), rdma.end());
  out.interfaces.assign(interfaces.begin(), interfaces.end());
  out.infiniband_only = layers > 0 && !ethernet;
  return out;
}

}  // namespace railgauge::judge
