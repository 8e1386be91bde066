// NVLinks from what GPUs say of their own ports, and what boards are sold with.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/settle_gpu.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

struct Bond {
  int active = 0;
  int all = 0;
  Fact<int> version;
  double rate = 0;  // sum over active ports, as the driver reports it
  bool rate_known = true;
  SourceRef source;
};

void add_port(Bond& bond, const NvLinkPort& port) {
  ++bond.all;
  if (bond.source.index == 0)
    bond.source = port.active ? port.active.source() : port.remote.source();
  if (port.active && !*port.active) return;
  ++bond.active;
  take(bond.version, port.version);
  if (port.rate)
    bond.rate += port.rate->value;
  else
    bond.rate_known = false;
}

// The one device that stands for a switch fabric whose chips nobody lists.
DeviceId fabric(Machine& machine, SourceRef source) {
  const auto there = machine.of_kind(DeviceKind::nvswitch);
  if (!there.empty()) return there.front();
  const DeviceId id = machine.add(
      DeviceKind::nvswitch,
      machine.sources.add("inferred from NVLinks: " + std::string(machine.sources.name(source)),
                          Trust::inferred));
  return id;
}

// The far end of a port; nothing when nobody says.
std::optional<DeviceId> far_end(Machine& machine, const std::map<PciAddress, DeviceId>& at,
                                DeviceId self, const NvLinkPort& port) {
  if (port.remote)
    if (const auto found = at.find(*port.remote); found != at.end() && found->second != self)
      return found->second;
  if (!port.remote_kind) return std::nullopt;
  const SourceRef source = port.remote_kind.source();
  if (*port.remote_kind == DeviceKind::nvswitch) return fabric(machine, source);
  if (*port.remote_kind != DeviceKind::package) return std::nullopt;
  for (const DeviceId id : ancestry(machine, self))
    if (machine[id].kind == DeviceKind::package) return id;
  for (const DeviceId id : ancestry(machine, self))
    if (machine[id].kind == DeviceKind::numa_node) return id;
  return std::nullopt;
}

void add_bond(Machine& machine, DeviceId a, DeviceId b, const Bond& bond) {
  Link& link = link_between(machine, a, b, LinkKind::nvlink, bond.source);
  link.width.claim(bond.active, bond.source);
  const bool to_switch = machine[b].kind == DeviceKind::nvswitch;
  if (!to_switch) link.width_possible.claim(bond.all, bond.source);
  take(link.version, bond.version);
  if (bond.rate_known && bond.active > 0) link.as_found = BytesPerSecond{bond.rate};
}

// GPUs whose links a reader put in already; their ports say the same again.
std::set<DeviceId> linked_by_readers(const Machine& machine) {
  std::set<DeviceId> out;
  for (const Link& link : machine.links)
    if (is_gpu_link(link.kind)) {
      out.insert(link.a);
      out.insert(link.b);
    }
  return out;
}

}  // namespace

void settle_port_links(Machine& machine) {
  std::map<PciAddress, DeviceId> at;
  for (const DeviceId id : machine.all())
    if (machine[id].address) at.try_emplace(*machine[id].address, id);
  const auto linked = linked_by_readers(machine);
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    if (linked.contains(id)) continue;
    std::map<DeviceId, Bond> bonds;
    int lost = 0;
    SourceRef lost_source;
    const auto ports = machine[id].gpu->nvlinks;
    for (const NvLinkPort& port : ports) {
      if (const auto other = far_end(machine, at, id, port)) {
        add_port(bonds[*other], port);
      } else if (port.active && *port.active) {
        ++lost;
        lost_source = port.active.source();
      }
    }
    for (const auto& [other, bond] : bonds) add_bond(machine, id, other, bond);
    if (lost > 0)
      remark_once(
          machine, RemarkLevel::note,
          fmt::format("{} active NVLinks of GPU {} lead to a far end that no source names", lost,
                      machine[id].address ? machine[id].address->text() : std::to_string(id.value)),
          lost_source);
  }
}

void settle_gpu_links(Machine& machine, const Catalogue& catalogue) {
  settle_port_links(machine);
  settle_cell_links(machine, catalogue);
  settle_xgmi_cells(machine);
  for (Link& link : machine.links)
    if (link.kind == LinkKind::nvlink) complete_from_boards(machine, link, catalogue);
}

}  // namespace railgauge::model
