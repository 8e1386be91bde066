// The other end of a link that only its own device speaks of.
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

bool has_link_facts(const Device& device) {
  if (!device.pci || device.pci->physical_function) return false;
  const LinkEnd& link = device.pci->link;
  return link.current_width || link.current_speed;
}

}  // namespace

void settle_lone_endpoints(Machine& machine) {
  for (const DeviceId id : machine.all()) {
    const DeviceKind kind = machine[id].kind;
    if (kind != DeviceKind::gpu && kind != DeviceKind::nic) continue;
    if (machine[id].parent || !has_link_facts(machine[id])) continue;
    const SourceRef source = machine.sources.add("inferred: the port above", Trust::inferred);
    const DeviceId port = machine.add(DeviceKind::pcie_bridge, source);
    machine[id].parent = port;
    machine[id].parent_source = source;
  }
}

}  // namespace railgauge::model
