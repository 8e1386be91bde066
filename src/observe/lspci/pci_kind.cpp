#include "observe/lspci/pci_kind.h"

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

DeviceKind bridge_kind(const model::PciFacts& pci) {
  if (!pci.port) return DeviceKind::pcie_bridge;
  switch (*pci.port) {
    case PciPort::root_port: return DeviceKind::root_port;
    case PciPort::switch_upstream: return DeviceKind::pcie_switch;
    case PciPort::switch_downstream: return DeviceKind::switch_port;
    default: return DeviceKind::pcie_bridge;
  }
}

}  // namespace

DeviceKind lspci_kind(const model::PciFacts& pci, std::optional<std::uint16_t> vendor) {
  const bool port =
      pci.port && *pci.port != PciPort::endpoint && *pci.port != PciPort::root_integrated;
  if (!pci.pci_class) return port || pci.secondary_bus ? bridge_kind(pci) : DeviceKind::other;
  const model::PciClass pci_class = *pci.pci_class;
  if (pci_class.is_pci_bridge()) return bridge_kind(pci);
  const bool makes_gpus = vendor == nvidia || vendor == amd_graphics || vendor == habana;
  if (pci_class.is_display() && (makes_gpus || vendor == intel)) return DeviceKind::gpu;
  if (pci_class.is_accelerator() && makes_gpus) return DeviceKind::gpu;
  if (pci_class.is_other_bridge() && vendor == nvidia) return DeviceKind::nvswitch;
  if (pci_class.is_network() || pci_class.base_and_sub() == infiniband_class)
    return DeviceKind::nic;
  return pci_class.is_nvme() ? DeviceKind::nvme : DeviceKind::other;
}

}  // namespace railgauge::observe
