#include "observe/pci_kind.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::PciPort;

// PCI vendor numbers, from the PCI-SIG's list.
constexpr std::uint16_t nvidia = 0x10de;
constexpr std::uint16_t amd_graphics = 0x1002;
constexpr std::uint16_t habana = 0x1da3;
constexpr std::uint16_t intel = 0x8086;

// Old InfiniBand adapters sit in the serial bus class.
constexpr std::uint16_t infiniband_class = 0x0c06;

bool is_gpu(model::PciClass pci_class, std::optional<std::uint16_t> vendor) {
  const bool makes_accelerators = vendor == nvidia || vendor == amd_graphics || vendor == habana;
  // Intel's class 1200 is the neural unit of a laptop CPU, which moves no data between GPUs.
  return (pci_class.is_display() && (makes_accelerators || vendor == intel)) ||
         (pci_class.is_accelerator() && makes_accelerators);
}

}  // namespace

DeviceKind endpoint_kind(const model::PciFacts& pci, std::optional<std::uint16_t> vendor) {
  if (!pci.pci_class) return DeviceKind::other;
  const model::PciClass pci_class = *pci.pci_class;
  if (is_gpu(pci_class, vendor)) return DeviceKind::gpu;
  if (pci_class.is_other_bridge() && vendor == nvidia) return DeviceKind::nvswitch;
  if (pci_class.is_network() || pci_class.base_and_sub() == infiniband_class)
    return DeviceKind::nic;
  return pci_class.is_nvme() ? DeviceKind::nvme : DeviceKind::other;
}

DeviceKind endpoint_kind(const model::PciFacts& pci) {
  return endpoint_kind(pci, pci.id ? std::optional(pci.id->vendor) : std::nullopt);
}

DeviceKind bridge_kind(PciPort port) {
  switch (port) {
    case PciPort::root_port: return DeviceKind::root_port;
    case PciPort::switch_upstream: return DeviceKind::pcie_switch;
    case PciPort::switch_downstream: return DeviceKind::switch_port;
    default: return DeviceKind::pcie_bridge;
  }
}

DeviceKind bridge_kind_by_place(std::optional<DeviceKind> parent, bool has_bridges_below,
                                bool subtractive) {
  if (subtractive) return DeviceKind::pcie_bridge;
  if (!parent || *parent == DeviceKind::host_bridge) return DeviceKind::root_port;
  if (*parent == DeviceKind::pcie_switch) return DeviceKind::switch_port;
  const bool below_a_port = *parent == DeviceKind::root_port || *parent == DeviceKind::switch_port;
  return below_a_port && has_bridges_below ? DeviceKind::pcie_switch : DeviceKind::pcie_bridge;
}

PciPort port_of(DeviceKind bridge) {
  switch (bridge) {
    case DeviceKind::root_port: return PciPort::root_port;
    case DeviceKind::pcie_switch: return PciPort::switch_upstream;
    case DeviceKind::switch_port: return PciPort::switch_downstream;
    default: return PciPort::pci_bridge;
  }
}

}  // namespace railgauge::observe
