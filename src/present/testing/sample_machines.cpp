#include "present/testing/sample_machines.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace railgauge::present::testing {

using model::DeviceId;
using model::DeviceKind;
using model::LinkKind;
using model::Machine;
using model::Trust;

namespace {

// A root complex with a switch; its downstream ports are added by the caller.
DeviceId add_switch(Sample& sample, DeviceId numa, int number) {
  const int bus = 0x10 + number * 0x10;
  const DeviceId host =
      sample.bridge(DeviceKind::host_bridge, numa, fmt::format("bridge{}", number), "");
  sample.inside(host);
  const DeviceId port = sample.bridge(DeviceKind::root_port, host, fmt::format("port{}", number),
                                      fmt::format("0000:{:02x}:01.0", bus));
  sample.inside(port);
  const DeviceId top = sample.bridge(DeviceKind::pcie_switch, port, fmt::format("switch{}", number),
                                     fmt::format("0000:{:02x}:00.0", bus + 1));
  sample.pcie(top, 5);
  return top;
}

DeviceId add_downstream(Sample& sample, DeviceId top, int number, int slot) {
  const DeviceId port =
      sample.bridge(DeviceKind::switch_port, top, fmt::format("sport{}_{}", number, slot),
                    fmt::format("0000:{:02x}:{:02x}.0", 0x12 + number * 16, slot));
  sample.inside(port);
  return port;
}

std::string address_below(int number, int slot) {
  return fmt::format("0000:{:02x}:00.0", 0x13 + number * 16 + slot);
}

std::vector<DeviceId> two_sockets(Sample& sample) {
  const DeviceId p0 = sample.package(0);
  const DeviceId p1 = sample.package(1);
  const DeviceId n0 = sample.numa(p0, 0);
  const DeviceId n1 = sample.numa(p1, 1);
  sample.bond(LinkKind::socket, p0, p1, 4, 4, 0, 24);
  return {n0, n1};
}

}  // namespace

Machine switched_box(int gpus, int nics_per_switch, bool degraded) {
  Sample sample;
  const auto nodes = two_sockets(sample);
  const int switches = gpus / 2;
  int nic = 0;
  for (int number = 0; number < switches; ++number) {
    const int node = number < switches / 2 ? 0 : 1;
    const DeviceId top = add_switch(sample, nodes[static_cast<std::size_t>(node)], number);
    int slot = 0;
    for (int k = 0; k < nics_per_switch; ++k, ++slot)
      sample.pcie(sample.nic(add_downstream(sample, top, number, slot), nic++,
                             address_below(number, slot), node),
                  5);
    for (int k = 0; k < 2; ++k, ++slot) {
      const int index = number * 2 + k;
      const bool narrow = degraded && index == 2;
      sample.pcie(sample.gpu(add_downstream(sample, top, number, slot), index,
                             address_below(number, slot), node),
                  5, narrow ? 8 : 16);
    }
  }
  return std::move(sample.machine);
}

Machine dgx(bool degraded) {
  Sample sample;
  auto& machine = sample.machine;
  machine.host.product.claim("DGXH100", sample.here);
  machine.host.driver.claim("550.54.15", sample.here);
  machine.host.cuda.claim("12.4", sample.here);
  machine.host.kernel.claim("5.15.0-1042-nvidia", sample.here);
  const auto nodes = two_sockets(sample);
  int nic = 0;
  for (int number = 0; number < 8; ++number) {
    const int node = number < 4 ? 0 : 1;
    const DeviceId top = add_switch(sample, nodes[static_cast<std::size_t>(node)], number);
    sample.pcie(
        sample.nic(add_downstream(sample, top, number, 0), nic++, address_below(number, 0), node),
        5);
    const bool narrow = degraded && number == 2;
    sample.pcie(
        sample.gpu(add_downstream(sample, top, number, 1), number, address_below(number, 1), node),
        5, narrow ? 8 : 16);
    if (number % 4 != 3) continue;
    const DeviceId host =
        sample.bridge(DeviceKind::host_bridge, nodes[static_cast<std::size_t>(node)],
                      fmt::format("bridge{}", 20 + node), "");
    sample.inside(host);
    const DeviceId port =
        sample.bridge(DeviceKind::root_port, host, fmt::format("port{}", 20 + node),
                      fmt::format("0000:a{}:01.0", node));
    sample.inside(port);
    const DeviceId storage = sample.nic(port, nic++, fmt::format("0000:a{}:00.0", 2 + node), node);
    sample.pcie(storage, 4);
    const DeviceId drive = sample.bridge(DeviceKind::nvme, port, fmt::format("nvme{}", node),
                                         fmt::format("0000:a{}:00.0", 4 + node));
    sample.pcie(drive, 4, 4, 4);
  }
  const DeviceId all = machine.add(DeviceKind::nvswitch, sample.here);
  machine[all].id = "nvswitch";
  for (DeviceId gpu : machine.of_kind(DeviceKind::gpu)) {
    const bool short_of_two = degraded && machine[gpu].id == "gpu5";
    sample.bond(LinkKind::nvlink, gpu, all, short_of_two ? 16 : 18, 18, 4, 25);
  }
  if (degraded) {
    machine.remark(model::RemarkLevel::warning,
                   "gpu2 runs x8 of x16 on its link to switch2: 31.5 of 63 GB/s", sample.here);
    machine.remark(model::RemarkLevel::error, "gpu5 has 16 of 18 NVLinks active", sample.here);
    machine.remark(model::RemarkLevel::note, "row GPU1 has 7 of 9 cells", sample.here.at_line(4));
  }
  return std::move(machine);
}

Machine cube_mesh() {
  Sample sample;
  const auto nodes = two_sockets(sample);
  std::vector<DeviceId> gpus;
  for (int number = 0; number < 4; ++number) {
    const int node = number / 2;
    const DeviceId top = add_switch(sample, nodes[static_cast<std::size_t>(node)], number);
    for (int k = 0; k < 2; ++k) {
      gpus.push_back(sample.gpu(add_downstream(sample, top, number, k), number * 2 + k,
                                address_below(number, k), node));
      sample.pcie(gpus.back(), 3);
      sample.machine[gpus.back()].name = {};
      sample.machine[gpus.back()].name.claim("Tesla V100-SXM2-16GB", sample.here);
    }
    sample.pcie(
        sample.nic(add_downstream(sample, top, number, 2), number, address_below(number, 2), node),
        3);
  }
  // DGX-1V: two links on these pairs, one on the others; six per GPU.
  const std::array<std::array<int, 3>, 16> bonds{{{0, 1, 1},
                                                  {0, 2, 1},
                                                  {0, 3, 2},
                                                  {0, 4, 2},
                                                  {1, 2, 2},
                                                  {1, 3, 1},
                                                  {1, 5, 2},
                                                  {2, 3, 2},
                                                  {2, 6, 1},
                                                  {3, 7, 1},
                                                  {4, 5, 1},
                                                  {4, 6, 1},
                                                  {4, 7, 2},
                                                  {5, 6, 2},
                                                  {5, 7, 1},
                                                  {6, 7, 2}}};
  for (const auto& [a, b, count] : bonds)
    sample.bond(LinkKind::nvlink, gpus[static_cast<std::size_t>(a)],
                gpus[static_cast<std::size_t>(b)], count, count, 2, 25);
  return std::move(sample.machine);
}

Machine full_mesh() {
  Machine machine = switched_box(8, 0, false);
  Sample sample;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  sample.machine = std::move(machine);
  for (std::size_t a = 0; a < gpus.size(); ++a)
    for (std::size_t b = a + 1; b < gpus.size(); ++b)
      sample.bond(LinkKind::xgmi, gpus[a], gpus[b], 1, 1, 0, 64);
  return std::move(sample.machine);
}

Machine one_gpu() {
  Sample sample;
  const DeviceId numa = sample.numa(sample.package(0), 0);
  const DeviceId host = sample.bridge(DeviceKind::host_bridge, numa, "bridge0", "");
  const auto port = [&](int number) {
    return sample.bridge(DeviceKind::root_port, host, fmt::format("port{}", number),
                         fmt::format("0000:00:0{}.0", number));
  };
  sample.pcie(sample.gpu(port(1), 0, "0000:01:00.0", 0), 4);
  sample.pcie(sample.nic(port(2), 0, "0000:02:00.0", 0), 3, 8, 8);
  for (int drive = 0; drive < 2; ++drive)
    sample.pcie(sample.bridge(DeviceKind::nvme, port(3 + drive), fmt::format("nvme{}", drive),
                              fmt::format("0000:0{}:00.0", 3 + drive)),
                4, 4, 4);
  return std::move(sample.machine);
}

Machine virtual_functions() {
  Sample sample;
  const DeviceId numa = sample.numa(sample.package(0), 0);
  const DeviceId host = sample.bridge(DeviceKind::host_bridge, numa, "bridge0", "");
  const DeviceId port = sample.bridge(DeviceKind::root_port, host, "port0", "0000:00:01.0");
  const DeviceId physical = sample.nic(port, 0, "0000:01:00.0", 0);
  sample.pcie(physical, 5);
  for (int i = 0; i < 42; ++i) {
    const DeviceId id =
        sample.nic(port, 10 + i, fmt::format("0000:01:{:02x}.{}", 1 + i / 8, i % 8), 0);
    sample.machine[id].pci->physical_function.claim(*sample.machine[physical].address, sample.here);
    sample.pcie(id, 5);
  }
  return std::move(sample.machine);
}

Machine from_matrix() {
  Sample sample;
  const DeviceId numa = sample.numa(sample.package(0), 0);
  const auto infer = [&](DeviceId id) { sample.machine[id].seen_in = sample.inferred; };
  for (int number = 0; number < 2; ++number) {
    const DeviceId top =
        sample.bridge(DeviceKind::pcie_switch, numa, fmt::format("switch{}", number), "");
    infer(top);
    const auto unknown = [&](DeviceId child) {
      model::Link link;
      link.a = child;
      link.b = *sample.machine[child].parent;
      link.kind = LinkKind::pcie;
      link.as_found =
          Reading<BytesPerSecond>::not_reported("a matrix says nothing about width and generation");
      link.source = sample.inferred;
      sample.machine.links.push_back(std::move(link));
    };
    unknown(top);
    unknown(sample.gpu(top, number, "", 0));
    unknown(sample.nic(top, number, "", 0));
  }
  auto& bond = sample.bond(LinkKind::nvlink, *sample.machine.find("gpu0"),
                           *sample.machine.find("gpu1"), 4, 4, 0, 0);
  bond.as_found = bond.nominal = Reading<BytesPerSecond>::not_reported("NV4 has no generation");
  return std::move(sample.machine);
}

Machine coherent() {
  Sample sample;
  const auto nodes = two_sockets(sample);
  const auto packages = sample.machine.of_kind(DeviceKind::package);
  for (int i = 0; i < 4; ++i) {
    const auto node = static_cast<std::size_t>(i / 2);
    const DeviceId port = sample.bridge(DeviceKind::root_port, nodes[node],
                                        fmt::format("port{}", i), fmt::format("000{}:00:00.0", i));
    const DeviceId gpu = sample.gpu(port, i, fmt::format("000{}:01:00.0", i), i / 2);
    sample.pcie(gpu, 5);
    sample.machine[gpu].name = {};
    sample.machine[gpu].name.claim("NVIDIA GB200", sample.here);
    sample.bond(LinkKind::c2c, gpu, packages[node], 1, 1, 0, 450);
  }
  const DeviceId all = sample.machine.add(DeviceKind::nvswitch, sample.here);
  sample.machine[all].id = "nvswitch";
  for (DeviceId gpu : sample.machine.of_kind(DeviceKind::gpu))
    sample.bond(LinkKind::nvlink, gpu, all, 18, 18, 5, 50);
  return std::move(sample.machine);
}

Machine hostile() {
  Machine machine = one_gpu();
  const auto here = machine.sources.add("<script>alert(1)</script>", Trust::kernel);
  const DeviceId gpu = machine.of_kind(DeviceKind::gpu).front();
  machine[gpu].id = "gpu<0>&\"'";
  machine[gpu].name = {};
  machine[gpu].name.claim("</script><b>&amp;\"\x1b[31m\x01\xff\xc3é]]>--> http", here);
  machine[machine.of_kind(DeviceKind::nic).front()].nic->netdev.claim("eth\n0\t<\r>", here);
  machine.host.product.claim("<img src=x>\x1b]0;owned\a", here);
  machine.remark(model::RemarkLevel::error, "bad \x1b[2J<script>\"", here);
  return machine;
}

Machine wide(int devices) {
  Sample sample;
  const auto nodes = two_sockets(sample);
  for (int i = 0; i < devices / 3; ++i) {
    const auto node = static_cast<std::size_t>(i % 2);
    const DeviceId port =
        sample.bridge(DeviceKind::root_port, nodes[node], fmt::format("port{}", i),
                      fmt::format("{:04x}:00:00.0", i + 1));
    if (i < 8)
      sample.pcie(sample.gpu(port, i, fmt::format("{:04x}:01:00.0", i + 1), i % 2), 5);
    else if (i < 40)
      sample.pcie(sample.nic(port, i - 8, fmt::format("{:04x}:01:00.0", i + 1), i % 2), 5);
    else
      sample.pcie(sample.bridge(DeviceKind::other, port, fmt::format("other{}", i),
                                fmt::format("{:04x}:01:00.0", i + 1)),
                  3, 4, 4);
    sample.bridge(DeviceKind::other, nodes[node], fmt::format("function{}", i),
                  fmt::format("{:04x}:02:00.0", i + 1));
  }
  return std::move(sample.machine);
}

}  // namespace railgauge::present::testing
