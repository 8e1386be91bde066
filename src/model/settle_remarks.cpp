// What is odd about a settled machine, in words. A note is for what is benign.
#include <fmt/format.h>

#include <set>

#include "base/strings.h"
#include "model/path_finder.h"
#include "model/settle_gpu.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

std::string name_of(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  return device.address ? device.id + " (" + device.address->text() + ")" : device.id;
}

std::string rates(const Link& link) {
  if (!link.as_found || !link.nominal) return {};
  return ": " + text(*link.as_found) + " of " + text(*link.nominal);
}

// P0 to P2 are working states; deeper ones save power and may lower the PCIe generation.
bool may_be_idle(const Device& device) {
  if (!device.gpu || !device.gpu->p_state) return false;
  const auto& state = *device.gpu->p_state;
  if (state.size() < 2) return false;
  const auto number = parse_int(std::string_view(state).substr(1));
  return number && *number > 2;
}

// Devices above a GPU or NIC: a slow link there costs what this program is about.
std::set<DeviceId> above_gpus_and_nics(const Machine& machine) {
  std::set<DeviceId> out;
  for (const DeviceId id : machine.all()) {
    const DeviceKind kind = machine[id].kind;
    if (kind != DeviceKind::gpu && kind != DeviceKind::nic) continue;
    for (std::optional<DeviceId> up = id; up && out.insert(*up).second; up = machine[*up].parent) {
    }
  }
  return out;
}

void remark_pcie(Machine& machine, const Link& link, const std::set<DeviceId>& matters) {
  const bool narrow =
      link.width && link.width_possible && *link.width > 0 && *link.width < *link.width_possible;
  const bool slow = link.speed && link.speed_possible && *link.speed < *link.speed_possible;
  if (!narrow && !slow) return;
  const Device& device = machine[link.a];
  const auto lanes = [](const Fact<int>& width) {
    return width ? fmt::format(" x{}", *width) : std::string();
  };
  const auto speed = [](const Fact<PcieSpeed>& s) { return s ? s->text() : std::string("PCIe"); };
  std::string text = fmt::format("{} runs {}{} of {}{}{}", name_of(machine, link.a),
                                 speed(link.speed), lanes(link.width), speed(link.speed_possible),
                                 lanes(link.width_possible), rates(link));
  RemarkLevel level = matters.contains(link.a) ? RemarkLevel::warning : RemarkLevel::note;
  if (!narrow && may_be_idle(device)) {
    level = RemarkLevel::note;
    text += "; may be idle (" + *device.gpu->p_state + ")";
  } else if (!narrow && device.gpu && !device.gpu->p_state) {
    text += "; P-state unknown: an idle GPU may lower its generation";
  }
  remark_once(machine, level, text, narrow ? link.width.source() : link.speed.source());
}

void remark_nvlink(Machine& machine, const Link& link) {
  if (!link.width || !link.width_possible || *link.width >= *link.width_possible) return;
  remark_once(machine, RemarkLevel::warning,
              fmt::format("{} and {}: {} of {} NVLinks active{}", name_of(machine, link.a),
                          name_of(machine, link.b), *link.width, *link.width_possible, rates(link)),
              link.width.source());
}

void remark_links(Machine& machine) {
  const auto matters = above_gpus_and_nics(machine);
  const auto links = machine.links;
  for (const Link& link : links) {
    if (link.kind == LinkKind::pcie) remark_pcie(machine, link, matters);
    if (is_gpu_link(link.kind)) remark_nvlink(machine, link);
  }
}

// NVLinks of a GPU over all far ends, where no single link shows the loss.
void remark_port_counts(Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    int down = 0;
    SourceRef source;
    const auto& ports = machine[id].gpu->nvlinks;
    const auto total = ports.size();
    for (const NvLinkPort& port : ports)
      if (port.active && !*port.active) {
        ++down;
        source = port.active.source();
      }
    if (down == 0 || static_cast<std::size_t>(down) == total) continue;  // none in use: no bridge
    remark_once(
        machine, RemarkLevel::warning,
        fmt::format("{}: {} of {} NVLinks are not active", name_of(machine, id), down, total),
        source);
  }
}

constexpr std::size_t max_cells = 4;  // of one machine that are named one by one

bool compatible(SmiClass cell, SmiClass tree, bool host_bridges) {
  if (cell == tree) return true;
  // Without host bridges in the tree, NODE and PHB cannot be told apart.
  return !host_bridges && cell == SmiClass::node && tree == SmiClass::phb;
}

void remark_cells(Machine& machine) {
  const bool host_bridges = !machine.of_kind(DeviceKind::host_bridge).empty();
  std::size_t more = 0;
  std::size_t named = 0;
  const PathFinder finder(machine);
  for (const Pair& pair : machine.pairs) {  // remarks alone are added on the way
    if (!pair.smi) continue;
    const PathClass cell = *pair.smi;
    const bool nv = cell.kind == SmiClass::nv;
    const auto tree = nv ? finder.smi_class(pair.a, pair.b) : finder.pcie_class(pair.a, pair.b);
    if (!tree) continue;
    if (nv ? *tree == cell : compatible(cell.kind, tree->kind, host_bridges)) continue;
    if (++named > max_cells) {
      ++more;
      continue;
    }
    remark_once(
        machine, RemarkLevel::warning,
        fmt::format("{} and {}: {} says {}, but {} {}", machine[pair.a].id, machine[pair.b].id,
                    machine.sources.text(pair.smi.source()), cell.text(),
                    nv ? "the NVLinks give" : "the tree of all facts gives", tree->text()),
        pair.smi.source());
  }
  if (more > 0)
    remark_once(machine, RemarkLevel::warning,
                fmt::format("{} more matrix cells do not fit the tree", more), {});
}

// A device says one NUMA node and hangs below another.
void remark_places(Machine& machine) {
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!device.numa_node || device.numa_node.inferred() || *device.numa_node < 0) continue;
    for (const DeviceId up : ancestry(machine, id)) {
      const Device& node = machine[up];
      if (node.kind != DeviceKind::numa_node || !node.index) continue;
      if (*node.index == *device.numa_node) break;
      remark_once(machine, RemarkLevel::warning,
                  fmt::format("{}: {} says NUMA node {}, but its place in the tree is below {}",
                              name_of(machine, id), machine.sources.text(device.numa_node.source()),
                              *device.numa_node, node.id),
                  device.numa_node.source());
      break;
    }
  }
}

}  // namespace

void settle_remarks(Machine& machine, const Catalogue&) {
  remark_links(machine);
  remark_port_counts(machine);
  remark_cells(machine);
  remark_places(machine);
  remark_disputes(machine);
}

}  // namespace railgauge::model
