// Kinds of bridges from their place, for sources that do not tell what a bridge is (hwloc).
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

bool role_unknown(const Device& device) {
  return device.kind == DeviceKind::pcie_bridge && !(device.pci && device.pci->port);
}

void become(Machine& machine, DeviceId id, DeviceKind kind) {
  const SourceRef source =
      machine.sources.add("inferred from the place in the tree", Trust::inferred);
  machine[id].kind = kind;
  machine[id].attributes.push_back({"kind", "inferred from the place in the tree", source});
}

}  // namespace

void settle_bridge_kinds(Machine& machine) {
  std::vector<std::vector<DeviceId>> bridges(machine.devices.size());  // below each device
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!device.parent || !is_pcie_bridge(device.kind)) continue;
    bridges[device.parent->value].push_back(id);
    if (role_unknown(device) && device.address &&
        machine[*device.parent].kind == DeviceKind::host_bridge)
      become(machine, id, DeviceKind::root_port);
  }
  // A link leads to one device, so a bridge below a port with several bridges below is a switch.
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!role_unknown(device) || !device.parent || bridges[id.value].size() < 2 ||
        machine[*device.parent].kind != DeviceKind::root_port)
      continue;
    become(machine, id, DeviceKind::pcie_switch);
    for (const DeviceId below : bridges[id.value])
      if (role_unknown(machine[below])) become(machine, below, DeviceKind::switch_port);
  }
}

}  // namespace railgauge::model
