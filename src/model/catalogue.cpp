#include "model/catalogue.h"

#include <algorithm>

#include "base/strings.h"

namespace railgauge::model {

const PcieRate* Catalogue::pcie_rate(PcieSpeed speed) const {
  const auto found = std::find_if(pcie.begin(), pcie.end(), [&](const PcieRate& r) {
    return r.megatransfers == speed.megatransfers;
  });
  return found == pcie.end() ? nullptr : &*found;
}

const NvLinkRate* Catalogue::nvlink_rate(int version) const {
  const auto found = std::find_if(nvlink.begin(), nvlink.end(),
                                  [&](const NvLinkRate& r) { return r.version == version; });
  return found == nvlink.end() ? nullptr : &*found;
}

const GpuBoard* Catalogue::board(const Device& gpu) const {
  if (gpu.pci && gpu.pci->id) {
    for (const GpuBoard& b : boards)
      if (std::find(b.pci_ids.begin(), b.pci_ids.end(), *gpu.pci->id) != b.pci_ids.end()) return &b;
  }
  if (gpu.name) {
    for (const GpuBoard& b : boards)
      if (!b.name_contains.empty() && contains(*gpu.name, b.name_contains)) return &b;
  }
  return nullptr;
}

const SocketRate* Catalogue::socket_rate(const CpuFacts& cpu) const {
  if (!cpu.vendor || !cpu.family || !cpu.model) return nullptr;
  const auto found = std::find_if(sockets.begin(), sockets.end(), [&](const SocketRate& r) {
    return r.vendor == *cpu.vendor && r.family == *cpu.family && r.model_min <= *cpu.model &&
           *cpu.model <= r.model_max;
  });
  return found == sockets.end() ? nullptr : &*found;
}

}  // namespace railgauge::model
