// NUMA nodes and packages: the part of the tree that is not PCIe.
#include <map>

#include "base/strings.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

constexpr int max_numa_node = 1023;  // Linux: CONFIG_NODES_SHIFT is at most 10

// "1" is one node; "0-1" and "0,3-9" say no single one.
std::optional<int> single_node(const Fact<std::string>& affinity) {
  if (!affinity) return std::nullopt;
  const auto node = parse_int(trim(*affinity));
  if (!node || *node < 0 || *node > max_numa_node) return std::nullopt;
  return static_cast<int>(*node);
}

// True when the list form ("0-47,96-143") holds the CPU.
bool list_holds(std::string_view list, std::int64_t cpu) {
  for (const auto part : split(list, ',')) {
    const auto ends = split(trim(part), '-');
    const auto first = parse_int(ends.front());
    const auto last = parse_int(ends.back());
    if (first && last && *first <= cpu && cpu <= *last) return true;
  }
  return false;
}

std::optional<std::int64_t> first_cpu(const Device& device) {
  if (!device.cpu || !device.cpu->cpus) return std::nullopt;
  const auto part = split(*device.cpu->cpus, ',').front();
  return parse_int(trim(split(part, '-').front()));
}

void hang(Device& device, DeviceId parent, SourceRef source) {
  device.parent = parent;
  device.parent_source = source;
}

// A device's own word, else that of something below it, by device.
std::vector<Fact<int>> numa_words(const Machine& machine) {
  std::vector<Fact<int>> out(machine.devices.size());
  for (std::uint32_t i = 0; i < out.size(); ++i) out[i] = machine.devices[i].numa_node;
  for (std::uint32_t i = 0; i < out.size(); ++i) {
    if (!machine.devices[i].numa_node) continue;
    for (auto up = machine.devices[i].parent; up && !out[up->value]; up = machine[*up].parent)
      out[up->value] = machine.devices[i].numa_node;
  }
  return out;
}

void hang_below_numa(Machine& machine) {
  const auto words = numa_words(machine);
  std::map<int, DeviceId> nodes;
  const auto all_nodes = machine.of_kind(DeviceKind::numa_node);
  for (const DeviceId id : all_nodes)
    if (machine[id].index) nodes.try_emplace(*machine[id].index, id);
  for (const DeviceId id : machine.all()) {
    Device& device = machine[id];
    if (device.parent || device.kind == DeviceKind::numa_node || device.kind == DeviceKind::package)
      continue;
    if (const auto& word = words[id.value]) {
      const auto found = nodes.find(*word);
      if (found == nodes.end()) continue;
      // A host bridge belongs to its node; for anything else steps between are missing.
      SourceRef source = word.source();
      if (device.kind != DeviceKind::host_bridge)
        source = machine.sources.add("inferred from the NUMA node", Trust::inferred);
      hang(device, found->second, source);
    } else if (all_nodes.size() == 1 && device.kind == DeviceKind::host_bridge) {
      hang(device, all_nodes.front(),
           machine.sources.add("inferred: there is one NUMA node", Trust::inferred));
    }
  }
}

void hang_below_packages(Machine& machine) {
  const auto packages = machine.of_kind(DeviceKind::package);
  if (packages.empty()) return;
  for (const DeviceId id : machine.of_kind(DeviceKind::numa_node)) {
    Device& node = machine[id];
    if (node.parent) continue;
    if (packages.size() == 1) {
      hang(node, packages.front(),
           machine.sources.add("inferred: there is one package", Trust::inferred));
      continue;
    }
    const auto cpu = first_cpu(node);
    if (!cpu) continue;
    for (const DeviceId package : packages) {
      const auto& facts = machine[package].cpu;
      if (!facts || !facts->cpus || !list_holds(*facts->cpus, *cpu)) continue;
      hang(node, package, facts->cpus.source());
      break;
    }
  }
}

}  // namespace

void settle_numa_nodes(Machine& machine) {
  std::map<int, SourceRef> spoken_of;
  for (Device& device : machine.devices) {
    if (device.gpu)
      if (const auto node = single_node(device.gpu->numa_affinity))
        device.numa_node.claim(*node, device.gpu->numa_affinity.source());
    if (device.kind == DeviceKind::numa_node || !device.numa_node) continue;
    if (*device.numa_node < 0 || *device.numa_node > max_numa_node) continue;
    spoken_of.try_emplace(*device.numa_node, device.numa_node.source());
  }
  for (const DeviceId id : machine.of_kind(DeviceKind::numa_node))
    if (machine[id].index) spoken_of.erase(*machine[id].index);
  for (const auto& [node, source] : spoken_of)
    machine[machine.add(DeviceKind::numa_node, source)].index.claim(node, source);
}

void settle_upper_tree(Machine& machine) {
  hang_below_numa(machine);
  hang_below_packages(machine);
}

}  // namespace railgauge::model
