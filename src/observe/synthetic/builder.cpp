#include "observe/synthetic/builder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;

constexpr int deepest_tree = 12;
constexpr std::size_t most_devices = 2000;

model::PciPort port_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::root_port: return model::PciPort::root_port;
    case DeviceKind::pcie_switch: return model::PciPort::switch_upstream;
    case DeviceKind::switch_port: return model::PciPort::switch_downstream;
    case DeviceKind::pcie_bridge: return model::PciPort::pci_bridge;
    default: return model::PciPort::endpoint;
  }
}

void claim_link(model::LinkEnd& end, const PcieLink& able, const PcieLink& now,
                model::SourceRef source) {
  end.max_speed.claim(able.speed, source);
  end.max_width.claim(able.width, source);
  end.current_speed.claim(now.speed, source);
  end.current_width.claim(now.width, source);
}

PcieLink lesser(const PcieLink& a, const PcieLink& b) {
  return {std::min(a.speed, b.speed), std::min(a.width, b.width)};
}

}  // namespace

void Builder::tree(YamlRow& top) {
  for (YamlRow& entry : top.rows("tree")) {
    entry.only({"for", "host_bridge", "numa", "below"});
    if (!entry.has("for")) {
      host_bridge(entry, Cells());
      continue;
    }
    for (const YAML::Node& row : entry.node()["for"]) {
      std::vector<std::string> cells;
      for (const YAML::Node& cell : row) cells.push_back(cell.as<std::string>(""));
      host_bridge(entry, Cells(std::move(cells)));
    }
  }
}

void Builder::host_bridge(YamlRow& row, const Cells& cells) {
  const std::string bus = cells.fill(row.text("host_bridge"));
  const auto node = parse_int(cells.fill(row.text("numa")));
  const auto found = node ? nodes_.find(static_cast<int>(*node)) : nodes_.end();
  if (found == nodes_.end()) return row.complain("\"numa\" is none of the nodes above");
  if (split(bus, ':').size() != 2) return row.complain("\"host_bridge\" must look like 0000:15");
  numa_ = found->first;
  const DeviceId id = machine_.add(DeviceKind::host_bridge, at(row));
  machine_[id].name.claim("pci" + bus, at(row));
  machine_[id].numa_node.claim(numa_, at(row));
  machine_[id].parent = found->second;
  machine_[id].parent_source = at(row);
  below(row, cells, id, 0);
}

void Builder::below(YamlRow& row, const Cells& cells, DeviceId parent, int depth) {
  if (depth > deepest_tree || machine_.devices.size() > most_devices)
    return row.complain("the tree is too deep or too large");
  for (YamlRow& child : row.rows("below")) function(child, cells, parent, depth);
}

void Builder::function(YamlRow& row, const Cells& cells, DeviceId parent, int depth) {
  row.only({"part", "at", "now", "acs", "below"});
  const std::string name = cells.fill(row.text("part"));
  const auto part = parts_.find(name);
  if (part == parts_.end()) return row.complain(fmt::format("no part is called \"{}\"", name));
  const std::string word = cells.fill(row.text("at"));
  const auto address = model::PciAddress::parse(word);
  if (!address) return row.complain(fmt::format("{} is not a PCI address", quoted(word)));

  source_ = at(row);
  // A switch without an id is one that only a file states: its ports are not visible.
  const bool hidden = part_of_.count(parent) != 0 && !part_of_.at(parent)->id;
  if (machine_[parent].kind == DeviceKind::pcie_switch && !hidden)
    parent = add_switch_port(parent, *part_of_.at(parent));
  const DeviceId id = add_function(part->second, part->second.kind, *address, parent);
  if (part->second.link) {
    const auto upper = part_of_.find(parent);
    PcieLink possible = *part->second.link;
    if (upper != part_of_.end() && upper->second->link)
      possible = lesser(possible, *upper->second->link);
    const std::string now = cells.fill(row.text_or("now", ""));
    const auto current = now.empty() ? possible : parse_pcie_link(now);
    if (!current) return row.complain("\"now\" must look like \"gen4 x8\"");
    if (part->second.kind != DeviceKind::root_port)
      claim_link(machine_[id].pci->link, *part->second.link, *current, source_);
    model::Device& above = machine_[parent];
    if (above.kind == DeviceKind::root_port || above.kind == DeviceKind::switch_port)
      claim_link(above.pci->link, *part_of_.at(parent)->link, *current, source_);
  }
  if (is_pcie_bridge(machine_[parent].kind) && !hidden)
    machine_[parent].pci->secondary_bus.claim(address->bus, source_);
  below(row, cells, id, depth + 1);
}

DeviceId Builder::add_switch_port(DeviceId pcie_switch, const Part& part) {
  model::PciAddress address = *machine_[pcie_switch].address;
  const int number = ports_used_[pcie_switch]++;
  address.bus = static_cast<std::uint8_t>(address.bus + 1);
  address.device = static_cast<std::uint8_t>(number & 31);
  address.function = 0;
  machine_[pcie_switch].pci->secondary_bus.claim(address.bus, source_);
  return add_function(part, DeviceKind::switch_port, address, pcie_switch);
}

DeviceId Builder::add_function(const Part& part, DeviceKind kind, const model::PciAddress& address,
                               DeviceId parent) {
  const DeviceId id = machine_.add(kind, source_);
  part_of_[id] = &part;
  model::Device& device = machine_[id];
  device.parent = parent;
  device.parent_source = source_;
  device.address.claim(address, source_);
  device.numa_node.claim(numa_, source_);
  device.pci.emplace();
  device.pci->port.claim(port_of(kind), source_);
  describe(device, part);
  return id;
}

void Builder::describe(model::Device& device, const Part& part) {
  if (!part.name.empty()) device.name.claim(part.name, source_);
  if (part.id) device.pci->id.claim(*part.id, source_);
  if (part.subsystem) device.pci->subsystem.claim(*part.subsystem, source_);
  device.pci->pci_class.claim(part.pci_class, source_);
  if (!part.driver.empty()) device.pci->driver.claim(part.driver, source_);
  if (device.gpu && part.memory_bytes != 0)
    device.gpu->memory_bytes.claim(part.memory_bytes, source_);
  if (device.nic) {
    model::NicPort port;
    port.state.claim("ACTIVE", source_);
    if (part.rate) port.rate.claim(*part.rate, source_);
    if (!part.link_layer.empty()) port.link_layer.claim(part.link_layer, source_);
    device.nic->ports.push_back(port);
  }
}

}  // namespace railgauge::observe
