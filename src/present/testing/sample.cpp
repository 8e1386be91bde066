#include "present/testing/sample_machines.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace railgauge::present::testing {

using model::DeviceId;
using model::DeviceKind;
using model::LinkKind;
using model::Trust;

namespace {

// GB/s of one lane, by generation: PCI-SIG rates after 128b/130b coding (Gen3 to Gen5).
double lane_rate(int generation) {
  static constexpr std::array<double, 6> rates{0, 0.25, 0.5, 0.985, 1.969, 3.938};
  return rates[static_cast<std::size_t>(generation)];
}

}  // namespace

Sample::Sample()
    : here(machine.sources.add("sample", Trust::kernel)),
      inferred(machine.sources.add("tree from the matrix", Trust::inferred)) {
  machine.name = "node07";
  machine.host.hostname.claim("node07", here);
}

DeviceId Sample::package(int index) {
  const DeviceId id = machine.add(DeviceKind::package, here);
  machine[id].id = fmt::format("package{}", index);
  machine[id].index.claim(index, here);
  machine[id].cpu->model_name.claim("Intel(R) Xeon(R) Platinum 8480C", here);
  machine[id].cpu->core_count.claim(56, here);
  return id;
}

DeviceId Sample::numa(DeviceId package, int index) {
  const DeviceId id = machine.add(DeviceKind::numa_node, here);
  machine[id].id = fmt::format("numa{}", index);
  machine[id].index.claim(index, here);
  machine[id].parent = package;
  machine[id].numa_node.claim(index, here);
  machine[id].cpu->cpus.claim(index == 0 ? "0-55,112-167" : "56-111,168-223", here);
  machine[id].cpu->memory_bytes.claim(std::uint64_t{1} << 40, here);
  inside(id);
  return id;
}

DeviceId Sample::bridge(DeviceKind kind, DeviceId parent, const std::string& id,
                        const std::string& address) {
  const DeviceId made = machine.add(kind, here);
  machine[made].id = id;
  machine[made].parent = parent;
  machine[made].pci.emplace();
  if (const auto parsed = model::PciAddress::parse(address))
    machine[made].address.claim(*parsed, here);
  if (kind == DeviceKind::pcie_switch) machine[made].name.claim("PEX89104 [PEX 89104]", here);
  return made;
}

DeviceId Sample::gpu(DeviceId parent, int index, const std::string& address, int node) {
  const DeviceId id = bridge(DeviceKind::gpu, parent, fmt::format("gpu{}", index), address);
  machine[id].gpu.emplace();
  machine[id].index.claim(index, here);
  machine[id].name.claim("NVIDIA H100 80GB HBM3", here);
  machine[id].numa_node.claim(node, here);
  machine[id].gpu->cpu_affinity.claim(node == 0 ? "0-55,112-167" : "56-111,168-223", here);
  machine[id].gpu->numa_affinity.claim(std::to_string(node), here);
  return id;
}

DeviceId Sample::nic(DeviceId parent, int index, const std::string& address, int node) {
  const std::string name = fmt::format("mlx5_{}", index);
  const DeviceId id = bridge(DeviceKind::nic, parent, name, address);
  machine[id].nic.emplace();
  machine[id].index.claim(index, here);
  machine[id].name.claim("MT2910 Family [ConnectX-7]", here);
  machine[id].numa_node.claim(node, here);
  machine[id].nic->rdma_device.claim(name, here);
  machine[id].nic->netdev.claim(fmt::format("ibp{}s0", 24 + index), here);
  model::NicPort port;
  port.state.claim("ACTIVE", here);
  port.link_layer.claim("InfiniBand", here);
  port.rate.claim(gigabits_per_second(400), here);
  machine[id].nic->ports.push_back(std::move(port));
  return id;
}

model::Link& Sample::pcie(DeviceId child, int generation, int width, int possible) {
  model::Link link;
  link.a = child;
  link.b = *machine[child].parent;
  link.kind = LinkKind::pcie;
  link.width.claim(width, here);
  link.width_possible.claim(possible, here);
  link.speed.claim(*model::PcieSpeed::of_generation(generation), here);
  link.speed_possible.claim(*model::PcieSpeed::of_generation(generation), here);
  link.as_found = gigabytes_per_second(lane_rate(generation) * width);
  link.nominal = gigabytes_per_second(lane_rate(generation) * possible);
  link.source = here;
  machine.links.push_back(std::move(link));
  return machine.links.back();
}

model::Link& Sample::inside(DeviceId child) {
  model::Link link;
  link.a = child;
  link.b = *machine[child].parent;
  link.kind = LinkKind::internal;
  link.source = here;
  machine.links.push_back(std::move(link));
  return machine.links.back();
}

model::Link& Sample::bond(LinkKind kind, DeviceId a, DeviceId b, int width, int possible,
                          int version, double gigabytes_per_link) {
  model::Link link;
  link.a = a;
  link.b = b;
  link.kind = kind;
  link.width.claim(width, here);
  link.width_possible.claim(possible, here);
  if (version > 0) link.version.claim(version, here);
  link.as_found = gigabytes_per_second(gigabytes_per_link * width);
  link.nominal = gigabytes_per_second(gigabytes_per_link * possible);
  link.source = here;
  machine.links.push_back(std::move(link));
  return machine.links.back();
}

}  // namespace railgauge::present::testing
