// Links that follow from the tree, and those between packages and NUMA nodes.
#include <algorithm>
#include <map>
#include <set>

#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

// A port faces its child; a switch (its upstream port) faces the root, so it says nothing of the
// links below it.
bool faces_down(DeviceKind kind) {
  return kind == DeviceKind::root_port || kind == DeviceKind::switch_port ||
         kind == DeviceKind::pcie_bridge;
}

LinkKind tree_link_kind(const Device& child) {
  switch (child.kind) {
    case DeviceKind::package:
    case DeviceKind::numa_node:
    case DeviceKind::host_bridge:
    case DeviceKind::root_port:
    case DeviceKind::switch_port: return LinkKind::internal;
    default: break;
  }
  const bool no_link =
      child.pci && child.pci->port &&
      (*child.pci->port == PciPort::root_integrated ||
       *child.pci->port == PciPort::switch_downstream || *child.pci->port == PciPort::root_port);
  return no_link ? LinkKind::internal : LinkKind::pcie;
}

template <class T>
void take_lower(Fact<T>& into, const Fact<T>* a, const Fact<T>* b) {
  const bool has_a = a && a->known();
  const bool has_b = b && b->known();
  if (has_a && has_b) {
    const Fact<T>& low = **b < **a ? *b : *a;
    into.claim(*low, low.source());
  } else if (has_a || has_b) {
    const Fact<T>& one = has_a ? *a : *b;
    into.claim(*one, one.source());
  } else if (a) {
    take(into, *a);
  }
}

void describe_pcie(Link& link, const Device& child, const Device& parent,
                   const Catalogue& catalogue, Sources& sources) {
  const LinkEnd* lower = child.pci ? &child.pci->link : nullptr;
  const LinkEnd* upper = parent.pci && faces_down(parent.kind) ? &parent.pci->link : nullptr;
  if (lower) {
    take(link.width, lower->current_width);
    take(link.speed, lower->current_speed);
  }
  if (upper && !link.width) take(link.width, upper->current_width);
  if (upper && !link.speed) take(link.speed, upper->current_speed);

  LinkEnd sold;  // what the board is sold as stands in where the GPU's own maximum is unknown
  const GpuBoard* board = child.gpu ? catalogue.board(child) : nullptr;
  if (board) {
    const SourceRef source = sources.add("catalogue: " + board->name, Trust::catalogue);
    if (const auto speed = PcieSpeed::of_generation(board->pcie_generation))
      sold.max_speed.claim(*speed, source);
    if (board->pcie_width > 0) sold.max_width.claim(board->pcie_width, source);
  }
  const LinkEnd* able = lower;
  const Fact<PcieSpeed>* speed = able ? &able->max_speed : nullptr;
  const Fact<int>* width = able ? &able->max_width : nullptr;
  if (board && (!speed || !speed->known())) speed = &sold.max_speed;
  if (board && (!width || !width->known())) width = &sold.max_width;
  take_lower(link.speed_possible, speed, upper ? &upper->max_speed : nullptr);
  take_lower(link.width_possible, width, upper ? &upper->max_width : nullptr);
}

}  // namespace

void settle_tree_links(Machine& machine, const Catalogue& catalogue) {
  std::map<std::pair<DeviceId, DeviceId>, std::size_t> known;
  for (std::size_t i = 0; i < machine.links.size(); ++i) {
    const Link& link = machine.links[i];
    if (link.kind != LinkKind::pcie && link.kind != LinkKind::internal) continue;
    known.try_emplace({link.a, link.b}, i);
    known.try_emplace({link.b, link.a}, i);
  }
  for (const DeviceId id : machine.all()) {
    const Device& child = machine[id];
    if (!child.parent) continue;
    const LinkKind kind = tree_link_kind(child);
    const auto [found, missing] = known.try_emplace({id, *child.parent}, machine.links.size());
    if (missing) {
      machine.links.emplace_back();
      Link& link = machine.links.back();
      link.a = id;
      link.b = *child.parent;
      link.kind = kind;
      link.source = child.parent_source;
    }
    Link& link = machine.links[found->second];
    const bool virtual_function = child.pci && child.pci->physical_function;
    if (link.kind == LinkKind::pcie && !virtual_function)
      describe_pcie(link, child, machine[*child.parent], catalogue, machine.sources);
  }
}

namespace {

constexpr std::size_t max_joined = 64;  // NUMA nodes or packages that are joined pairwise

// ACPI distances count 10 as local. Linux calls 20 remote (REMOTE_DISTANCE); nodes of one package
// report 11 to 16.
constexpr int remote_distance = 20;

bool near_by_distance(const Device& a, const Device& b) {
  if (!a.cpu || !a.cpu->distances || !b.index) return false;
  const auto& row = *a.cpu->distances;
  const auto at = static_cast<std::size_t>(std::max(0, *b.index));
  return at < row.size() && row[at] < remote_distance;
}

void join_all(Machine& machine, const std::vector<DeviceId>& devices, LinkKind kind,
              SourceRef source) {
  for (std::size_t i = 0; i < devices.size(); ++i)
    for (std::size_t j = i + 1; j < devices.size(); ++j)
      link_between(machine, devices[i], devices[j], kind, source);
}

// Memory-only nodes (a GPU's own memory, CXL) hold nothing and lie on no path to anything.
std::vector<DeviceId> nodes_with_children(const Machine& machine) {
  std::set<DeviceId> parents;
  for (const Device& device : machine.devices)
    if (device.parent) parents.insert(*device.parent);
  std::vector<DeviceId> out;
  for (const DeviceId id : machine.of_kind(DeviceKind::numa_node)) {
    const auto& cpu = machine[id].cpu;
    if (parents.contains(id) || (cpu && (cpu->cpus || cpu->vendor || cpu->distances)))
      out.push_back(id);
  }
  return out;
}

void join_loose_nodes(Machine& machine, const std::vector<DeviceId>& nodes, SourceRef source) {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = i + 1; j < nodes.size(); ++j) {
      const bool near = near_by_distance(machine[nodes[i]], machine[nodes[j]]);
      link_between(machine, nodes[i], nodes[j], near ? LinkKind::mesh : LinkKind::socket, source);
    }
}

}  // namespace

void settle_socket_links(Machine& machine) {
  auto packages = machine.of_kind(DeviceKind::package);
  std::map<DeviceId, std::vector<DeviceId>> by_package;
  std::vector<DeviceId> loose;
  for (const DeviceId id : nodes_with_children(machine)) {
    if (machine[id].parent)
      by_package[*machine[id].parent].push_back(id);
    else
      loose.push_back(id);
  }
  if (packages.size() > max_joined || loose.size() > max_joined) {
    remark_once(machine, RemarkLevel::warning,
                "more than 64 packages or NUMA nodes: the links between them are left out", {});
    return;
  }
  const bool any = packages.size() + loose.size() > 1 || !by_package.empty();
  if (!any) return;
  const SourceRef source =
      machine.sources.add("inferred: packages and NUMA nodes are joined pairwise", Trust::inferred);
  join_all(machine, packages, LinkKind::socket, source);
  for (const auto& [package, nodes] : by_package)
    if (nodes.size() <= max_joined) join_all(machine, nodes, LinkKind::mesh, source);
  join_loose_nodes(machine, loose, source);
}

}  // namespace railgauge::model
