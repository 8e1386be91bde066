#include "observe/synthetic/description.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "observe/observe.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;

const char* const small =
    "sources: [test]\n"
    "cpu: {vendor: GenuineIntel, family: 6, model: 143, name: CPU, cores: 4}\n"
    "numa:\n"
    "  - {node: 0, package: 0, cpus: \"0-3\"}\n"
    "parts:\n"
    "  root: {kind: root_port, id: \"8086:352a\", link: gen5 x16}\n"
    "  switch: {kind: pcie_switch, id: \"1000:c030\", link: gen5 x16}\n"
    "  gpu: {kind: gpu, id: \"10de:2684\", name: GPU, link: gen4 x16}\n"
    "  nic: {kind: nic, name: NIC, link: gen5 x16, rate_gbit: 400, rdma: \"mlx5_$i\"}\n"
    "tree:\n"
    "  - for: [[\"15\"], [\"37\"]]\n"
    "    host_bridge: \"0000:$1\"\n"
    "    numa: 0\n"
    "    below:\n"
    "      - part: root\n"
    "        at: \"$1:01.0\"\n"
    "        below:\n"
    "          - part: switch\n"
    "            at: \"$1+1:00.0\"\n"
    "            below: [{part: gpu, at: \"$1+4:00.0\", now: gen1 x8}, {part: nic, at: "
    "\"$1+5:00.0\"}]\n";

model::Machine built(const std::string& yaml) {
  auto machine = described_machine(yaml, "m.yaml", *catalogue());
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : model::Machine{};
}

std::string error_of(const std::string& yaml) {
  const auto machine = described_machine(yaml, "m.yaml", *catalogue());
  return machine ? "" : machine.error().text();
}

std::string with(std::string yaml, const std::string& from, const std::string& to) {
  return yaml.replace(yaml.find(from), from.size(), to);
}

TEST(Description, TreeIsRootPortSwitchPortDevice) {
  const auto machine = built(small);
  EXPECT_EQ(machine.of_kind(DeviceKind::gpu).size(), 2u);
  EXPECT_EQ(machine.of_kind(DeviceKind::switch_port).size(), 4u);
  const auto gpu = machine.at(*model::PciAddress::parse("19:00.0"));
  ASSERT_TRUE(gpu);
  std::vector<DeviceKind> kinds;
  for (const auto id : ancestry(machine, *gpu)) kinds.push_back(machine[id].kind);
  EXPECT_EQ(kinds, (std::vector<DeviceKind>{DeviceKind::gpu, DeviceKind::switch_port,
                                            DeviceKind::pcie_switch, DeviceKind::root_port,
                                            DeviceKind::host_bridge, DeviceKind::numa_node,
                                            DeviceKind::package}));
}

TEST(Description, LinkNowIsThatOfBothEnds) {
  const auto machine = built(small);
  const auto gpu = *machine.indexed(DeviceKind::gpu, 0);
  const auto port = *machine[gpu].parent;
  EXPECT_EQ(machine[gpu].pci->link.max_speed->text(), "Gen4");
  EXPECT_EQ(machine[gpu].pci->link.current_speed->text(), "Gen1");
  EXPECT_EQ(*machine[gpu].pci->link.current_width, 8);
  EXPECT_EQ(*machine[port].pci->link.current_width, 8);
  EXPECT_EQ(machine[port].pci->link.max_speed->text(), "Gen5");
}

TEST(Description, NicsAreNumberedByAddress) {
  const auto machine = built(small);
  const auto nic = machine.find("mlx5_1");
  ASSERT_TRUE(nic);
  EXPECT_EQ(machine[*nic].address->text(), "0000:3c:00.0");
  EXPECT_EQ(machine[*nic].nic->ports.front().rate->value, 50e9);
}

TEST(Description, EveryFactHasItsLine) {
  const auto machine = built(small);
  const auto gpu = *machine.indexed(DeviceKind::gpu, 1);
  EXPECT_EQ(machine.sources.text(machine[gpu].address.source()), "m.yaml:20");
  EXPECT_EQ(machine[gpu].address.source().trust, model::Trust::catalogue);
}

TEST(Description, MistakesNameFileAndLine) {
  EXPECT_EQ(error_of(with(small, "part: switch", "part: swich")),
            "m.yaml:18: no part is called \"swich\"");
  EXPECT_EQ(error_of(with(small, "gen4 x16", "pcie4")),
            "m.yaml:8: \"link\" must look like \"gen5 x16\"");
  EXPECT_EQ(error_of(with(small, "numa: 0", "numa: 3")),
            "m.yaml:11: \"numa\" is none of the nodes above");
  EXPECT_EQ(error_of(with(small, "$1+4:00.0", "$1+4")), "m.yaml:20: \"19\" is not a PCI address");
  EXPECT_EQ(error_of(with(small, "sources: [test]", "")), "m.yaml:2: \"sources\" is missing");
  EXPECT_EQ(error_of(std::string(small) + "nvlink: {version: 3, pairs: [[0, 7, 4]]}\n"),
            "m.yaml:21: NVLink pair 0 7 is not of two GPUs");
}

}  // namespace
}  // namespace railgauge::observe
