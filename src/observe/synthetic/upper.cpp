// CPUs, NUMA nodes, and the numbers that devices get from their order.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "observe/synthetic/builder.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;

std::vector<int> numbers(const YAML::Node& list) {
  std::vector<int> out;
  for (const YAML::Node& item : list) out.push_back(item.as<int>(-1));
  return out;
}

void describe_cpu(model::CpuFacts& cpu, YamlRow& row, model::SourceRef source) {
  row.only({"vendor", "architecture", "family", "model", "name", "cores"});
  cpu.vendor.claim(row.text("vendor"), source);
  cpu.architecture.claim(row.text_or("architecture", "x86_64"), source);
  cpu.family.claim(row.integer("family", {1, 255}), source);
  cpu.model.claim(row.integer("model", {0, 65535}), source);
  cpu.model_name.claim(row.text("name"), source);
  cpu.core_count.claim(row.integer("cores", {1, 512}), source);
}

}  // namespace

void Builder::packages_and_nodes(YamlRow& top) {
  YamlRow cpu = top.row("cpu");
  std::map<int, DeviceId> packages;
  for (YamlRow& row : top.rows("numa")) {
    row.only({"node", "package", "cpus", "memory_gib"});
    const int package = row.integer("package", {0, 15});
    const int node = row.integer("node", {0, 255});
    const std::string cpus = row.text("cpus");
    if (packages.count(package) == 0) {
      const DeviceId id = machine_.add(DeviceKind::package, at(row));
      packages[package] = id;
      machine_[id].index.claim(package, at(row));
      describe_cpu(*machine_[id].cpu, cpu, at(cpu));
      machine_[id].cpu->cpus.claim(cpus, at(row));
    } else {
      model::CpuFacts& facts = *machine_[packages[package]].cpu;
      const std::string all = *facts.cpus + "," + cpus;
      facts.cpus = {};
      facts.cpus.claim(all, at(row));
    }
    const DeviceId id = machine_.add(DeviceKind::numa_node, at(row));
    nodes_[node] = id;
    model::Device& device = machine_[id];
    device.index.claim(node, at(row));
    device.numa_node.claim(node, at(row));
    device.parent = packages[package];
    device.parent_source = at(row);
    device.cpu->cpus.claim(cpus, at(row));
    if (row.has("memory_gib"))
      device.cpu->memory_bytes.claim(
          static_cast<std::uint64_t>(row.integer("memory_gib", {1, 16384})) << 30, at(row));
  }
  if (!top.has("distances")) return;
  std::size_t line = 0;
  const YAML::Node table = top.node()["distances"];
  for (const auto& [node, id] : nodes_) {
    if (line >= table.size()) return top.complain("\"distances\" has too few rows");
    machine_[id].cpu->distances.claim(numbers(table[line++]), at(top));
  }
}

void Builder::number_devices() {
  for (const DeviceKind kind : {DeviceKind::gpu, DeviceKind::nic, DeviceKind::nvswitch}) {
    auto all = machine_.of_kind(kind);
    std::stable_sort(all.begin(), all.end(), [&](DeviceId a, DeviceId b) {
      return *machine_[a].address < *machine_[b].address;
    });
    std::map<std::string, int> of_pattern;  // mlx5_0, mlx5_1 … count across all cards of a driver
    int number = 0;
    for (const DeviceId id : all) {
      model::Device& device = machine_[id];
      device.index.claim(number++, device.seen_in);
      const Part* part = part_of_.at(id);
      const std::string& pattern_of = part->rdma.empty() ? part->netdev : part->rdma;
      const std::string mine = std::to_string(of_pattern[pattern_of]++);
      const auto named = [&](const std::string& pattern) {
        const std::string on_bus = replaced(pattern, "$b", std::to_string(device.address->bus));
        return replaced(replaced(on_bus, "$i", mine), "$f",
                        std::to_string(device.address->function));
      };
      if (!device.nic) continue;
      if (!part->rdma.empty()) device.nic->rdma_device.claim(named(part->rdma), device.seen_in);
      if (part->netdev.empty()) continue;
      device.nic->netdev.claim(named(part->netdev), device.seen_in);
      device.nic->ports.front().netdev.claim(named(part->netdev), device.seen_in);
    }
  }
}

}  // namespace railgauge::observe
