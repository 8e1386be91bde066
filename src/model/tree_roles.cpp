#include "model/tree_roles.h"

namespace railgauge::model {
namespace {

// The role where the bridge itself says it; pcie_bridge where it does not.
DeviceKind stated_role(const Device& bridge) {
  if (bridge.kind != DeviceKind::pcie_bridge) return bridge.kind;
  if (!bridge.pci || !bridge.pci->port) return bridge.kind;
  switch (*bridge.pci->port) {
    case PciPort::root_port: return DeviceKind::root_port;
    case PciPort::switch_upstream: return DeviceKind::pcie_switch;
    case PciPort::switch_downstream: return DeviceKind::switch_port;
    default: return bridge.kind;
  }
}

}  // namespace

DeviceKind bridge_role(const Machine& machine, DeviceId bridge) {
  const auto chain = ancestry(machine, bridge);
  DeviceKind above = DeviceKind::other;
  for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
    const Device& device = machine[*it];
    DeviceKind role = is_pcie_bridge(device.kind) ? stated_role(device) : device.kind;
    if (role == DeviceKind::pcie_bridge) {
      if (above == DeviceKind::host_bridge)
        role = DeviceKind::root_port;
      else if (above == DeviceKind::pcie_switch)
        role = DeviceKind::switch_port;
      else
        role = DeviceKind::pcie_switch;
    }
    above = role;
  }
  return above;
}

}  // namespace railgauge::model
