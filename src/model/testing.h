// Small machines for tests, built line by line.
//   TestMachine t;
//   const auto numa = t.numa(0);
//   const auto gpu = t.endpoint(DeviceKind::gpu, t.pcie_switch(t.root_port(t.bridge(numa))));
// Only tests include this.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "model/machine.h"
#include "model/settle.h"

namespace railgauge::model {

// The same numbers everywhere for the same seed.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(engine_() % n); }

 private:
  std::mt19937 engine_;
};

inline SourceRef from(Machine& machine, const std::string& name, Trust trust = Trust::kernel) {
  return machine.sources.add(name, trust);
}

// Rates in round figures, so that expectations can be worked out in the head.
inline Catalogue round_catalogue() {
  Catalogue out;
  double lane = 0.25;
  for (int g = 1; g <= 6; ++g, lane *= 2)
    out.pcie.push_back(
        {g, PcieSpeed::of_generation(g)->megatransfers, gigabytes_per_second(lane), "round"});
  for (int v = 1; v <= 4; ++v) out.nvlink.push_back({v, gigabytes_per_second(25), "round"});
  GpuBoard h100;
  h100.name = "H100 SXM";
  h100.name_contains = "H100";
  h100.compute_capability = 90;
  h100.nvlink_version = 4;
  h100.nvlink_count = 18;
  h100.pcie_generation = 5;
  h100.source = "round";
  GpuBoard v100;
  v100.name = "V100 SXM2";
  v100.name_contains = "V100";
  v100.compute_capability = 70;
  v100.nvlink_version = 2;
  v100.nvlink_count = 6;
  v100.pcie_generation = 3;
  v100.source = "round";
  out.boards = {h100, v100};
  out.sockets.push_back({"GenuineIntel", 6, 143, 143, "UPI", 4, gigabytes_per_second(24), "round"});
  return out;
}

class TestMachine {
 public:
  Machine machine;

  DeviceId package() { return machine.add(DeviceKind::package, sysfs()); }
  DeviceId numa(int index, std::optional<DeviceId> package = {}) {
    const DeviceId id = child(DeviceKind::numa_node, package);
    machine[id].index.claim(index, sysfs());
    return id;
  }
  DeviceId host_bridge(std::optional<DeviceId> numa) {
    return child(DeviceKind::host_bridge, numa);
  }
  DeviceId port(DeviceKind kind, DeviceId parent) {
    const DeviceId id = child(kind, parent);
    trained(id, 5, 16);
    return id;
  }
  DeviceId root_port(DeviceId bridge) { return port(DeviceKind::root_port, bridge); }
  // Upstream port only; downstream ports come with the endpoints.
  DeviceId pcie_switch(DeviceId parent) { return port(DeviceKind::pcie_switch, parent); }
  DeviceId below(DeviceId pcie_switch) { return port(DeviceKind::switch_port, pcie_switch); }

  DeviceId endpoint(DeviceKind kind, std::optional<DeviceId> parent) {
    const DeviceId id = child(kind, parent);
    machine[id].index.claim(counts_[kind]++, sysfs());
    trained(id, 5, 16);
    return id;
  }
  DeviceId gpu(std::optional<DeviceId> parent, const char* name = "NVIDIA H100 80GB HBM3") {
    const DeviceId id = endpoint(DeviceKind::gpu, parent);
    machine[id].name.claim(name, sysfs());
    machine[id].gpu->compute_capability.claim(contains(name, "V100") ? 70 : 90, sysfs());
    return id;
  }
  DeviceId nic(std::optional<DeviceId> parent) { return endpoint(DeviceKind::nic, parent); }

  // What both directions of training say; possible is Gen5 x16 unless told otherwise.
  void trained(DeviceId id, int generation, int width) {
    auto& pci = machine[id].pci;
    pci.emplace();
    pci->link.current_speed.claim(*PcieSpeed::of_generation(generation), sysfs());
    pci->link.current_width.claim(width, sysfs());
    pci->link.max_speed.claim(*PcieSpeed::of_generation(5), sysfs());
    pci->link.max_width.claim(16, sysfs());
  }

  void nvlink(DeviceId a, DeviceId b, int width) {
    Link link;
    link.a = a;
    link.b = b;
    link.kind = LinkKind::nvlink;
    link.source = sysfs();
    link.width.claim(width, sysfs());
    link.width_possible.claim(width, sysfs());
    machine.links.push_back(link);
  }
  void cell(DeviceId a, DeviceId b, const char* word, std::uint32_t line = 1) {
    machine.pair(a, b).smi.claim(*PathClass::parse(word),
                                 from(machine, "topo.txt", Trust::tool).at_line(line));
  }

  void settle() { model::settle(machine, round_catalogue()); }

  // The texts of the remarks at or above a level.
  std::vector<std::string> remarks(RemarkLevel level = RemarkLevel::note) const {
    std::vector<std::string> out;
    for (const Remark& r : machine.remarks)
      if (r.level >= level) out.push_back(r.text);
    return out;
  }
  SourceRef sysfs() { return from(machine, "sysfs"); }

 private:
  DeviceId child(DeviceKind kind, std::optional<DeviceId> parent) {
    const DeviceId id = machine.add(kind, sysfs());
    machine[id].parent = parent;
    if (parent) machine[id].parent_source = sysfs();
    return id;
  }

  std::map<DeviceKind, int> counts_;
};

// A matrix alone: rows of words, devices named GPU0 … or NIC0 …, affinity of a GPU after "|".
//   matrix_machine({"GPU0 X PIX|0", "NIC0 PIX X"})
inline TestMachine matrix_machine(const std::vector<std::string>& rows) {
  TestMachine t;
  const auto topo = from(t.machine, "topo.txt", Trust::tool);
  for (const auto& row : rows) {
    const bool gpu = row.starts_with("GPU");
    const DeviceId id = t.machine.add(gpu ? DeviceKind::gpu : DeviceKind::nic, topo);
    const auto number = parse_int(split_blank(row).front().substr(3));
    t.machine[id].index.claim(static_cast<int>(*number), topo);
    const auto bar = row.find('|');
    if (gpu && bar != std::string::npos)
      t.machine[id].gpu->numa_affinity.claim(row.substr(bar + 1), topo);
  }
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    const auto cells = split_blank(std::string_view(rows[i]).substr(0, rows[i].find('|')));
    for (std::uint32_t j = 1; j < cells.size(); ++j)
      if (j - 1 != i && cells[j] != ".") t.cell({i}, {j - 1}, std::string(cells[j]).c_str(), i + 2);
  }
  return t;
}

}  // namespace railgauge::model
