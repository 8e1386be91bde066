// A settled machine as an NCCL topology file. Left out: what NCCL has no place for (drives, root
// and downstream ports) and what is unknown, which NCCL fills in from the running system.
#include <fmt/format.h>

#include <algorithm>

#include "present/nccl_xml/nccl_elements.h"
#include "present/present.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::Machine;

// RCCL writes version 2; it differs from NCCL's version 1 by <xgmi>, gcn and arch.
const char* version_of(const Machine& machine) {
  const bool xgmi = std::any_of(machine.links.begin(), machine.links.end(), [](const auto& link) {
    return link.kind == model::LinkKind::xgmi;
  });
  const bool amd = std::any_of(machine.devices.begin(), machine.devices.end(), [](const Device& d) {
    return d.gpu &&
           (d.gpu->gcn_architecture || (d.pci && d.pci->id && d.pci->id->vendor == 0x1002));
  });
  return xgmi || amd ? "2" : "1";
}

void write_device(const NcclWriter& writer, DeviceId id);

void write_below(const NcclWriter& writer, DeviceId id) {
  const auto found = writer.tree.below.find(id);
  if (found == writer.tree.below.end()) return;
  for (const DeviceId child : found->second) write_device(writer, child);
}

// As deep as the machine's own tree.
void write_device(const NcclWriter& writer, DeviceId id) {
  const Device& device = writer.machine[id];
  if (!writer.tree.busid.contains(id)) return write_nic(writer, id);  // a virtual NIC
  writer.out.open("pci", pci_attributes(writer, id));
  if (device.gpu) write_gpu(writer, id);
  if (device.nic) write_nic(writer, id);
  write_below(writer, id);
  for (const auto& attribute : device.attributes)
    if (attribute.key == "nccl.pcilink")
      writer.out.single("pcilink", {{"target", attribute.value}});
  writer.out.close();
}

void write_left_out(const NcclWriter& writer) {
  for (const DeviceId id : writer.tree.without_address) {
    const Device& device = writer.machine[id];
    writer.out.comment(fmt::format("{} is left out: its PCI address is unknown",
                                   device.id.empty() ? model::text(device.kind) : device.id));
  }
}

}  // namespace

std::string nccl_xml(const Machine& machine) {
  const NcclTree tree = nccl_tree(machine);
  XmlLines out;
  const NcclWriter writer{machine, tree, out};
  out.open("system", {{"version", version_of(machine)}});
  write_left_out(writer);
  for (const DeviceId cpu : tree.cpus) {
    out.open("cpu", cpu_attributes(machine, cpu));
    write_below(writer, cpu);
    out.close();
  }
  if (!tree.loose.empty()) {
    out.comment("The NUMA nodes of the following are unknown");
    out.open("cpu", {{"numaid", "-1"}});
    for (const DeviceId id : tree.loose) write_device(writer, id);
    out.close();
  }
  out.close();
  return out.text();
}

}  // namespace railgauge::present
