#include "present/outline.h"

#include <algorithm>
#include <string>
#include <utility>

#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Link;
using model::LinkKind;
using model::Machine;

// Real trees have some 15 levels; a hostile one must not exhaust the stack.
constexpr int max_depth = 64;
// Up to this many identical siblings are listed one by one.
constexpr std::size_t handful = 3;

bool always_shown(DeviceKind kind) {
  return kind == DeviceKind::package || kind == DeviceKind::numa_node || kind == DeviceKind::gpu ||
         kind == DeviceKind::nic;
}

bool foldable(DeviceKind kind) {
  return kind == DeviceKind::host_bridge || kind == DeviceKind::root_port ||
         kind == DeviceKind::switch_port || kind == DeviceKind::pcie_bridge;
}

class Builder {
 public:
  Builder(const Machine& machine, bool everything)
      : machine_(machine),
        everything_(everything),
        children_(machine.devices.size()),
        uplink_(machine.devices.size()),
        shown_(machine.devices.size(), everything),
        placed_(machine.devices.size(), false) {
    collect_children();
    collect_uplinks();
    mark_shown();
  }

  Outline build() {
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i)
      if (!machine_.devices[i].parent && shown_[i]) place(out_.roots, {i}, std::nullopt, {}, {}, 0);
    // Devices that hang in a cycle have no root above them; each cycle gets one here.
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i)
      if (!placed_[i] && shown_[i] && in_cycle(i)) place(out_.roots, {i}, std::nullopt, {}, {}, 0);
    if (!everything_) group(out_.roots);
    count_hidden();
    return std::move(out_);
  }

 private:
  void collect_children() {
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i)
      if (const auto parent = machine_.devices[i].parent) children_[parent->value].push_back({i});
  }

  void collect_uplinks() {
    for (std::size_t i = 0; i < machine_.links.size(); ++i) {
      const Link& link = machine_.links[i];
      if (link.kind != LinkKind::pcie && link.kind != LinkKind::internal) continue;
      if (machine_[link.a].parent == link.b) uplink_[link.a.value] = i;
      if (machine_[link.b].parent == link.a) uplink_[link.b.value] = i;
    }
  }

  void mark_shown() {
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i) {
      if (!always_shown(machine_.devices[i].kind)) continue;
      shown_[i] = true;
      for (auto up = machine_.devices[i].parent; up && !shown_[up->value];
           up = machine_[*up].parent)
        shown_[up->value] = true;
    }
  }

  bool in_cycle(std::uint32_t start) const {
    auto at = machine_.devices[start].parent;
    for (std::size_t steps = 0; at && steps < machine_.devices.size(); ++steps) {
      if (at->value == start) return true;
      at = machine_[*at].parent;
    }
    return false;
  }

  std::vector<DeviceId> shown_children(DeviceId id) const {
    std::vector<DeviceId> out;
    for (DeviceId child : children_[id.value])
      if (shown_[child.value] && !placed_[child.value]) out.push_back(child);
    return out;
  }

  // The narrower of two edges of a folded chain; PCIe before what is inside a chip.
  std::optional<std::size_t> tighter(std::optional<std::size_t> a,
                                     std::optional<std::size_t> b) const {
    if (!a || !b) return a ? a : b;
    const Link& one = machine_.links[*a];
    const Link& two = machine_.links[*b];
    if ((one.kind == LinkKind::pcie) != (two.kind == LinkKind::pcie))
      return one.kind == LinkKind::pcie ? a : b;
    if (one.as_found && two.as_found) return *two.as_found < *one.as_found ? b : a;
    return one.as_found ? a : b;
  }

  void place(std::vector<std::size_t>& into, DeviceId id, std::optional<DeviceId> parent,
             std::optional<std::size_t> edge, std::vector<DeviceId> folded, int depth) {
    if (depth > max_depth) {
      ++out_.too_deep;
      return;
    }
    placed_[id.value] = true;
    edge = tighter(edge, parent ? uplink_[id.value] : std::nullopt);
    const auto below = shown_children(id);
    if (!everything_ && below.size() == 1 && foldable(machine_[id].kind)) {
      folded.push_back(id);
      place(into, below.front(), id, edge, std::move(folded), depth + 1);
      return;
    }
    const std::size_t self = out_.nodes.size();
    out_.nodes.push_back({id, std::move(folded), edge, {}, {}});
    into.push_back(self);
    std::vector<std::size_t> nodes;
    for (DeviceId child : below)
      if (!placed_[child.value]) place(nodes, child, id, std::nullopt, {}, depth + 1);
    if (!everything_) group(nodes);
    out_.nodes[self].children = std::move(nodes);
  }

  // Coherent GPUs bring dozens of NUMA nodes that hold nothing but their memory.
  bool is_memory_only(const OutlineNode& node) const {
    const Device& device = machine_[node.device];
    return device.kind == DeviceKind::numa_node && node.children.empty() &&
           !(device.cpu && device.cpu->cpus);
  }

  // A port that is down must not vanish in a row of ports that are up.
  static std::string ports(const Device& device) {
    std::string out;
    for (const auto& port : device.nic->ports) out += port_words(port) + "\n";
    return out;
  }

  static bool same_edge(const Link& a, const Link& b) {
    const EdgeWords one = edge_words(a);
    const EdgeWords two = edge_words(b);
    return one.health != Health::degraded && two.health != Health::degraded &&
           one.text() == two.text();
  }

  bool alike(const OutlineNode& a, const OutlineNode& b) const {
    const Device& one = machine_[a.device];
    const Device& two = machine_[b.device];
    if (is_memory_only(a) && is_memory_only(b)) return true;
    if (one.kind != DeviceKind::nic || two.kind != DeviceKind::nic) return false;
    if (!a.children.empty() || !b.children.empty() || a.edge.has_value() != b.edge.has_value())
      return false;
    const bool virtual_a = one.pci && one.pci->physical_function;
    const bool virtual_b = two.pci && two.pci->physical_function;
    if (virtual_a != virtual_b || one.name.reading() != two.name.reading()) return false;
    if (ports(one) != ports(two)) return false;
    return !a.edge || same_edge(machine_.links[*a.edge], machine_.links[*b.edge]);
  }

  // Replaces every run of more than a handful of identical siblings by its first.
  void group(std::vector<std::size_t>& siblings) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < siblings.size();) {
      std::size_t end = i + 1;
      while (end < siblings.size() && alike(out_.nodes[siblings[i]], out_.nodes[siblings[end]]))
        ++end;
      if (end - i > handful) {
        for (std::size_t k = i; k < end; ++k)
          out_.nodes[siblings[i]].alike.push_back(out_.nodes[siblings[k]].device);
        out.push_back(siblings[i]);
      } else {
        out.insert(out.end(), siblings.begin() + static_cast<std::ptrdiff_t>(i),
                   siblings.begin() + static_cast<std::ptrdiff_t>(end));
      }
      i = end;
    }
    siblings = std::move(out);
  }

  void count_hidden() {
    for (std::uint32_t i = 0; i < machine_.devices.size(); ++i) {
      if (shown_[i]) continue;
      switch (machine_.devices[i].kind) {
        case DeviceKind::nvme: ++out_.hidden_drives; break;
        case DeviceKind::nvswitch:
          // The fabric as one is no PCI function that a tree could show.
          if (machine_.devices[i].address) ++out_.hidden_switches;
          break;
        case DeviceKind::other: ++out_.hidden_functions; break;
        default: ++out_.hidden_bridges; break;
      }
    }
  }

  const Machine& machine_;
  bool everything_;
  std::vector<std::vector<DeviceId>> children_;
  std::vector<std::optional<std::size_t>> uplink_;
  std::vector<bool> shown_;
  std::vector<bool> placed_;
  Outline out_;
};

}  // namespace

Outline outline(const Machine& machine, bool everything) {
  return Builder(machine, everything).build();
}

}  // namespace railgauge::present
