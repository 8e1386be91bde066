// What is odd about a settled machine, in words. A note is for what is benign.
#include <fmt/format.h>

#include "model/path_finder.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

std::string name_of(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  return device.address ? device.id + " (" + device.address->text() + ")" : device.id;
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

void settle_remarks(Machine& machine) {
  remark_links(machine);
  remark_cells(machine);
  remark_places(machine);
  remark_disputes(machine);
}

}  // namespace railgauge::model
